// Waiting, with an end: no test hangs, and one that waited in vain says for what.
namespace Plait.Tests

open System
open System.Threading
open System.Threading.Tasks
open Xunit

/// The threads that blocking tests need: without them each would wait for the pool to grow.
type Threads() =
    do ThreadPool.SetMinThreads(24, 24) |> ignore

[<assembly: AssemblyFixture(typeof<Threads>)>]
do ()

/// Tests that measure memory or processor time: alone, behind the others.
[<CollectionDefinition("alone", DisableParallelization = true)>]
type Alone() = class end

module Within =
    /// It ends a hang.
    let limit = TimeSpan.FromMinutes 10.

    /// Waits until the task has ended, well or not.
    let ended (what: string) (task: Task) =
        use timeout = new CancellationTokenSource()

        let first =
            Task.WhenAny(task, Task.Delay(limit, timeout.Token)).GetAwaiter().GetResult()

        timeout.Cancel()

        if not (obj.ReferenceEquals(first, task)) then
            Assert.Fail $"%s{what} did not end within {limit.TotalMinutes} minutes."

    /// Waits for the result.
    let result (what: string) (task: Task<'T>) : 'T =
        ended what task
        task.GetAwaiter().GetResult()

    /// Waits for an error, and gives it.
    let error (what: string) (task: Task) : exn =
        ended what task

        try
            task.GetAwaiter().GetResult()
            failwith $"%s{what} succeeded."
        with error ->
            error

    /// Waits until something is so.
    let comes (what: string) (condition: unit -> bool) =
        if not (SpinWait.SpinUntil(condition, limit)) then
            Assert.Fail $"It did not come to pass within {limit.TotalMinutes} minutes: {what}."

    /// Runs a test on a thread of its own, with its own contexts and as much stack as it asks for.
    let thread (what: string) (stack: int) (body: unit -> 'T) : 'T =
        let promise = TaskCompletionSource<'T>()

        let thread =
            Thread(
                (fun () ->
                    try
                        promise.SetResult(body ())
                    with error ->
                        promise.SetException error),
                stack,
                IsBackground = true
            )

        thread.UnsafeStart()
        result what promise.Task
