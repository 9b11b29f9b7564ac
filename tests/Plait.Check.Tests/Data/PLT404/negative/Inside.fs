// What stands inside the braces, what the compiler leaves nothing of, and builders that make no method.
module PLT404.Negative.Inside

open System
open System.Threading.Tasks
open Support.Jobs
open Plait
open Plait.RuntimeAsync

let inside (key: string) =
    task {
        ArgumentNullException.ThrowIfNull key
        let upper = key.ToUpperInvariant()
        return! count upper
    }

let nothingBefore (key: string) = valueTask { return key.Length }

type Order = { Key: string; Count: int }

let aName (key: string) =
    let other = key
    let limit = 100

    task {
        let! length = count other
        return min limit length
    }

let aLocalFunction (order: Order) =
    let more number = number + order.Count

    valueTask {
        let! length = fetch order.Key
        return more length
    }

let behind (key: string) =
    let job = task { return key.Length }
    job.ContinueWith(fun (job: Task<int>) -> job.Result)

let another (key: string) =
    let upper = key.ToUpperInvariant()
    strand { return upper.Length }

let ofAsync (key: string) =
    let upper = key.ToUpperInvariant()
    async { return upper.Length }

let once = task { return 1 }
