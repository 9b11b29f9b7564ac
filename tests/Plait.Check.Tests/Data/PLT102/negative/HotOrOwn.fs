// Blocks that run once, and values that the cold block makes itself.
module PLT102.Negative.HotOrOwn

open System.Threading.Tasks
open Support.Jobs
open Plait
open IcedTasks
open FSharp.Control

let inATask (reading: ValueTask<int>) =
    task {
        let! value = reading
        return value + 1
    }

let madeInside (key: string) =
    async {
        let reading = fetch key
        let! value = reading.AsTask() |> Async.AwaitTask
        return value + 1
    }

let asTaskOutside (key: string) =
    let job = (fetch key).AsTask()

    async {
        let! value = job |> Async.AwaitTask
        return value + 1
    }

let preserved (key: string) =
    let reading = (fetch key).Preserve()

    cancellableTask {
        let! value = reading
        return value + 1
    }

let ownInCancellable (key: string) =
    cancellableTask {
        let! value = fetch key
        return value + 1
    }

let itemsOfTheirOwn (keys: string list) =
    seq {
        for key in keys do
            yield (fetch key).AsTask()
    }

let stepOfItsOwn (key: string) =
    taskSeq {
        let! n = fetch key
        yield n
    }

let onlyPeeked (reading: ValueTask<int>) =
    let isSlow = not reading.IsCompleted
    let job = reading.AsTask()

    async {
        let! value = Async.AwaitTask job
        return isSlow, value
    }

let strandInValueTask (work: Strand<int>) =
    valueTask {
        let! value = work
        return value + 1
    }
