// A value from outside, used in a computation that may run again.
module PLT102.Positive.ColdBlocks

open System.Threading.Tasks
open Support.Jobs
open Plait
open IcedTasks
open FSharp.Control

let inAsync () =
    let reading = fetch "a"

    async {
        let! value = reading.AsTask() |> Async.AwaitTask // PLT102 warning
        return value + 1
    }

let parameterInAsync (reading: ValueTask<int>) =
    async {
        let! value = reading.AsTask() |> Async.AwaitTask // PLT102 warning
        return value + 1
    }

let strandInAsync (work: Strand<int>) =
    async {
        do! Async.Sleep 1
        let! value = work.AsTask() |> Async.AwaitTask // PLT102 warning
        return value
    }

let inCancellableTask (reading: ValueTask<int>) =
    cancellableTask {
        let! value = reading // PLT102 warning
        return value * 2
    }

let inAColdTask () =
    let flushing = flush "a"

    fun () ->
        async {
            do! flushing.AsTask() |> Async.AwaitTask // PLT102 warning
            return 1
        }

let inASequence (reading: ValueTask<int>) =
    seq {
        yield Task.FromResult 0
        yield reading.AsTask() // PLT102 warning
    }

let inATaskSeq () =
    let first = fetch "first"

    taskSeq {
        let! n = first // PLT102 warning
        yield n
        yield n + 1
    }

let inABranchOfIt (reading: ValueTask<int>) (eager: bool) =
    async {
        if eager then
            let! value = reading.AsTask() |> Async.AwaitTask // PLT102 warning
            return value
        else
            return 0
    }
