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

// A block that takes nothing from outside is a closure that is made once.

let nothingTaken (key: string) =
    ArgumentNullException.ThrowIfNull key
    valueTask { return 0 }

let nothingTakenInBranches (key: string) =
    if key = "" then task { return 0 } else task { return 1 }

let limit = 7

let aConstantIsTaken (key: string) =
    let other = 5
    if key = "" then count key else task { return limit + other }

let onlyOneBranchHasBraces (found: string option) =
    match found with
    | Some key -> count key
    | None ->
        task {
            let! length = count ""
            return length + limit
        }

type Ready() =
    member _.Find(key: string) =
        if key = "" then task { return 0 } else count key

// What the compiler moves or leaves out.

let aComputedConstant (key: string) =
    let limit = 100 * 2
    valueTask { return limit + key.Length }

let aRecord (key: string) =
    let order = { Key = key; Count = 1 }

    valueTask {
        let! length = count order.Key
        return { order with Count = length }
    }

let aTupleTakenApart (key: string) (number: int) =
    let first, second = key, number
    valueTask { return first.Length + second }

let anEmptyList (key: string) =
    let rest: string list = []
    valueTask { return key.Length + rest.Length }

let calls (key: string) (isShort: bool) =
    if isShort then count key else count (key + key)
