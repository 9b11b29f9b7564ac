// Limits of time, attempts, and many operations: by the library, by the BCL, by hand and by Polly.
module Plait.Benchmarks.TimeAndErrors

open System
open System.Threading
open System.Threading.Tasks
open Plait
open Polly
open Polly.Retry
open Polly.Timeout

let private limit = TimeSpan.FromSeconds 30.

let private work (token: CancellationToken) : ValueTask<int> =
    pooledValueTask { return if token.CanBeCanceled then 1000 else 0 }

let private workLater (token: CancellationToken) : ValueTask<int> =
    pooledValueTask {
        do! Task.Yield()
        return if token.CanBeCanceled then 1000 else 0
    }

let private workTask (token: CancellationToken) : Task<int> = pooledTask { return! work token }

let private workTaskLater (token: CancellationToken) : Task<int> = pooledTask { return! workLater token }

let inline private times ([<InlineIfLambda>] start: unit -> ValueTask<'T>) (count: int) : Task =
    pooledTaskUnit {
        for _ in Range(0, count) do
            let! _ = start ()
            ()
    }

let private timeouts
    (caller: CancellationToken)
    (work: CancellationToken -> ValueTask<int>)
    (workTask: CancellationToken -> Task<int>)
    : (string * (int -> Task)) list =
    let byHand () =
        pooledValueTask {
            use source = CancellationTokenSource.CreateLinkedTokenSource caller
            source.CancelAfter limit

            try
                return! work source.Token
            with :? OperationCanceledException as error when
                source.IsCancellationRequested && not caller.IsCancellationRequested ->
                return raise (TimeoutException("The time is up.", error))
        }

    let waiting () =
        pooledValueTask { return! (workTask caller).WaitAsync(limit, caller) }

    let pipeline = ResiliencePipelineBuilder().AddTimeout(limit).Build()
    let callback = Func<CancellationToken, ValueTask<int>>(fun token -> work token)

    [
        "CancellationTokenSource by hand", times byHand
        "Task.WaitAsync, which does not cancel", times waiting
        "Polly's timeout", times (fun () -> pipeline.ExecuteAsync(callback, caller))
        "PooledValueTask.withTimeoutLinked",
        times (fun () -> PooledValueTask.withTimeoutLinked caller limit work)
        "Task.withTimeoutLinked",
        (fun count ->
            pooledTaskUnit {
                for _ in Range(0, count) do
                    let! _ = Task.withTimeoutLinked caller limit workTask
                    ()
            })
    ]

let private caller = (new CancellationTokenSource()).Token

/// Work that completes within a limit of time.
let limited = timeouts caller work workTask

/// Work that suspends and completes within a limit of time.
let limitedLater = timeouts caller workLater workTaskLater

/// Work that succeeds at the attempt with this number.
let attempts (success: int) : (string * (int -> Task)) list =
    let load (attempt: int) (_token: CancellationToken) : ValueTask<int> =
        pooledValueTask {
            if attempt < success then
                raise (IO.IOException "unavailable")

            return 1000
        }

    let byHand () =
        pooledValueTask {
            let mutable attempt = 1
            let mutable result = ValueNone

            while result.IsNone do
                try
                    let! loaded = load attempt caller
                    result <- ValueSome loaded
                with :? IO.IOException when attempt < 3 ->
                    attempt <- attempt + 1

            return result.Value
        }

    let pipeline =
        ResiliencePipelineBuilder()
            .AddRetry(RetryStrategyOptions(MaxRetryAttempts = 2, Delay = TimeSpan.Zero))
            .Build()

    let byPolly () =
        let next =
            let attempts = ref 0

            Func<CancellationToken, ValueTask<int>>(fun token ->
                attempts.Value <- attempts.Value + 1
                load attempts.Value token)

        pipeline.ExecuteAsync(next, caller)

    let policy = RetryPolicy(Attempts = 3, FirstDelay = TimeSpan.Zero)

    [
        "a loop by hand", times byHand
        "Polly's retry", times byPolly
        "PooledValueTask.retryLinked", times (fun () -> PooledValueTask.retryLinked caller policy load)
    ]

let private item (x: int) : ValueTask<int> =
    pooledValueTask {
        do! Task.Yield()
        return x + 1000
    }

let private numbers = [| 1..100 |]

/// A function over a hundred items, four at a time, by item.
let mapped: (string * (int -> Task)) list =
    let rounds (run: unit -> ValueTask<int[]>) (count: int) = times run (count / numbers.Length)

    let forEach () =
        pooledValueTask {
            let results = Array.zeroCreate<int> numbers.Length

            do!
                Parallel.ForEachAsync(
                    Seq.init numbers.Length id,
                    ParallelOptions(MaxDegreeOfParallelism = 4),
                    Func<int, CancellationToken, ValueTask>(fun at _ ->
                        pooledValueTaskUnit {
                            let! result = item numbers[at]
                            results[at] <- result
                        })
                )

            return results
        }

    let bySemaphore () =
        pooledValueTask {
            use slots = new SemaphoreSlim 4

            let one (x: int) =
                pooledTask {
                    do! slots.WaitAsync()

                    try
                        return! item x
                    finally
                        slots.Release() |> ignore
                }

            return! Task.WhenAll(Array.map one numbers)
        }

    [
        "Parallel.ForEachAsync", rounds forEach
        "SemaphoreSlim and Task.WhenAll", rounds bySemaphore
        "PooledValueTask.mapThrottled", rounds (fun () -> PooledValueTask.mapThrottled 4 item numbers)
    ]

/// A hundred operations in the order of their ends, by operation.
let each: (string * (int -> Task)) list =
    let itemTask (x: int) : Task<int> = pooledTask { return! item x }

    let byTasks (count: int) : Task =
        pooledTaskUnit {
            for _ in 1 .. count / numbers.Length do
                for ended in Task.WhenEach(Array.map itemTask numbers) do
                    let! _ = ended
                    ()
        }

    let byPooled (count: int) : Task =
        pooledTaskUnit {
            for _ in 1 .. count / numbers.Length do
                for _ in PooledValueTask.whenEach (Array.map item numbers) do
                    ()
        }

    [ "Task.WhenEach", byTasks; "PooledValueTask.whenEach", byPooled ]
