// Thread.Sleep where a thread of the pool runs the block.
module PLT201.Positive.Sleeps

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait
open Ply
open IcedTasks
open FsToolkit.ErrorHandling

let inTask () =
    task {
        Thread.Sleep 100 // PLT201 warning
        let! n = count "a"
        return n + 1
    }

let inAsync () =
    async {
        printfn "waiting"
        Thread.Sleep 100 // PLT201 warning
        return 1
    }

let inBackgroundTask () =
    backgroundTask {
        let! n = count "a"
        Thread.Sleep(TimeSpan.FromSeconds 1.) // PLT201 warning
        return n
    }

let inAStrand () =
    strand {
        Thread.Sleep 10 // PLT201 warning
        return 1
    }

let inPooled () =
    pooledValueTask {
        let! n = fetch "a"
        Thread.Sleep n // PLT201 warning
        return n
    }

let inPly () =
    uply {
        Thread.Sleep 10 // PLT201 warning
        return 1
    }

let inCancellable () =
    cancellableTask {
        let! n = count "a"
        Thread.Sleep n // PLT201 warning
        return n
    }

let inTaskResult (input: Result<int, string>) =
    taskResult {
        let! n = input
        Thread.Sleep n // PLT201 warning
        return n
    }

let retries (attempts: int) =
    task {
        let mutable left = attempts
        let mutable result = None

        while left > 0 && result.IsNone do
            try
                let! n = count "a"
                result <- Some n
            with _ ->
                left <- left - 1
                Thread.Sleep(100 * (attempts - left)) // PLT201 warning

        return result
    }

let inArms (mode: int) =
    async {
        match mode with
        | 0 -> do! Async.Sleep 10
        | 1 -> Thread.Sleep 10 // PLT201 warning
        | n when n > 10 ->
            for _ in 1..n do
                Thread.Sleep 1 // PLT201 warning
        | _ -> ()

        return mode
    }

let inACallbackThatRunsNow (keys: string list) =
    task {
        keys |> List.iter (fun key -> Thread.Sleep key.Length) // PLT201 warning
        let! n = count "a"
        return n + 1
    }

let inALock (gate: obj) =
    task {
        let value =
            lock gate (fun () ->
                Thread.Sleep 10 // PLT201 warning
                1)

        let! n = count "a"
        return n + value
    }

let inUse (folder: string) =
    task {
        use watcher = new IO.FileSystemWatcher(folder)
        Thread.Sleep 10 // PLT201 warning
        return watcher.Filter
    }

let inFinally () =
    async {
        try
            do! Async.Sleep 10
        finally
            Thread.Sleep 10 // PLT201 warning
    }

let inABlockInside () =
    async {
        let! n =
            async {
                Thread.Sleep 10 // PLT201 warning
                return 1
            }

        return n + 1
    }

let inATaskInsideAnAsync () =
    async {
        let! n =
            task {
                Thread.Sleep 10 // PLT201 warning
                let! n = count "a"
                return n * 2
            }
            |> Async.AwaitTask

        return n + 1
    }

type Poller(interval: int) =
    member _.Poll() =
        task {
            let! n = count "a"
            Thread.Sleep interval // PLT201 warning
            return n
        }

let backOnThePool () =
    async {
        do! Async.SwitchToNewThread()
        do! Async.Sleep 1
        Thread.Sleep 5 // PLT201 warning
    }

let besideItsOwnThread (own: bool) =
    async {
        if own then
            do! Async.SwitchToNewThread()
            Thread.Sleep 5
        else
            Thread.Sleep 5 // PLT201 warning
    }

let private retry (times: int) (work: unit -> int) =
    let mutable last = 0

    for _ in 1..times do
        last <- work ()

    last

let byAFunctionOfOurs () =
    task {
        return
            retry 3 (fun () ->
                Thread.Sleep 5 // PLT201 warning
                1)
    }
