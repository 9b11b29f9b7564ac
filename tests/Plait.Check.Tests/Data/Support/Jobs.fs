// Work for the data files: operations that take some time, in every shape that can be awaited.
module Support.Jobs

open System
open System.Threading.Tasks
open Plait

/// Marks a type whose values may be used only once.
[<AttributeUsage(AttributeTargets.Class ||| AttributeTargets.Struct)>]
type SingleUseAttribute() =
    inherit Attribute()

let count (key: string) : Task<int> =
    task {
        do! Task.Delay 1
        return key.Length
    }

let save (key: string) : Task =
    task {
        do! Task.Delay key.Length
    }

let fetch (key: string) : ValueTask<int> = ValueTask<int>(count key)

let flush (key: string) : ValueTask = ValueTask(save key)

let later (key: string) : Async<int> =
    async {
        do! Async.Sleep 1
        return key.Length
    }

let send (key: string) : Async<unit> = async { do! Async.Sleep key.Length }

let spun (key: string) : Strand<int> =
    strand {
        do! Task.Delay 1
        return key.Length
    }

/// A permit that may be redeemed once.
[<SingleUse>]
type Ticket(number: int) =
    member _.Number = number
    member _.Redeem() : Task<int> = Task.FromResult number
    member _.GetAwaiter() = (Task.FromResult number).GetAwaiter()
