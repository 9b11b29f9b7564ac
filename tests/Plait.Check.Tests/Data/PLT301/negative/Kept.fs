// Work that somebody awaits, returns, stores or starts on purpose.
module PLT301.Negative.Kept

open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let awaited () =
    task {
        do! save "a"
        let! _ = count "b"
        return 1
    }

let returned () = count "a"

let valueTaskReturned () = fetch "a"

let startedOnPurpose () =
    send "a" |> Async.Start
    Async.StartImmediate(send "b")

let startedAndKept (jobs: List<Task<int>>) =
    jobs.Add(later "a" |> Async.StartAsTask)
    jobs.Add(count "b")

let awaitedLater () =
    task {
        let counting = count "a"
        do! Task.Delay 10
        let! n = counting
        return n + 1
    }

let awaitedTogether () =
    task {
        let first = count "a"
        let second = count "b"
        let! both = Task.WhenAll(first, second)
        return Array.sum both
    }

let waited () =
    let saving = save "a"
    saving.Wait()

let resultRead () =
    let counting = count "a"
    counting.Result + 1

let inAnArray () =
    [| count "a"; count "b" |] |> Task.WhenAll

let parallelAsync (keys: string list) =
    async {
        let! counts = keys |> List.map later |> Async.Parallel
        return Array.sum counts
    }

let ignoredResult () =
    task {
        let! n = count "a"
        ignore n
        do! later "b" |> Async.Ignore
        return 1
    }

let ignoredByAsync () =
    async {
        do! later "a" |> Async.Ignore
        do! count "b" |> Async.AwaitTask |> Async.Ignore
    }

let child () =
    async {
        let! running = Async.StartChild(later "a")
        do! Async.Sleep 10
        let! n = running
        return n + 1
    }

let givenToAContinuation () =
    let observed = count "a"
    observed.ContinueWith(fun (ended: Task<int>) -> printfn $"{ended.Status}")

type Server() =
    let mutable loop: Task = Task.CompletedTask

    member _.Start() = loop <- save "a"
    member _.Ended = loop

let onOneOfTwoWays (job: Task<int>) (wanted: bool) =
    task {
        if wanted then
            let! n = job
            return n + 1
        else
            return 0
    }

let asynchronousDispose (stream: System.IO.Stream) =
    task {
        let! read = stream.ReadAsync(Array.zeroCreate<byte> 16, 0, 16)
        do! stream.DisposeAsync()
        return read
    }
