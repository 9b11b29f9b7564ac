// Layer: guard. The test mode: notes every wait of the pool's threads from its beginning on, and fails when asked.
namespace Plait

open System
open System.Collections.Generic
open Plait.Kernel

/// <summary>Fails a test in which a thread of the thread pool blocks; made by <c>ThreadPoolGuard.Start</c>.</summary>
/// <remarks>
/// <para>It watches the whole process: run such a test alone. It reports waits of at least its threshold, as follows.</para>
/// <para><c>Task.Wait</c>, <c>.Result</c> and <c>GetResult()</c> on a pending Task, on every system, with the user's
/// frames.</para>
/// <para>Waits for handles, events and semaphores, <c>Monitor.Wait</c>, locks that are held by others and
/// <c>Async.RunSynchronously</c>: by events of the runtime, from .NET 9 on, without frames, in work items that
/// began under the guard.</para>
/// <para>Everything else, <c>Thread.Sleep</c>, files, sockets and processes among it: on Linux, without frames, by the processor
/// time of the pool's threads. While others of them run, or other processes take the processors, such a wait may go
/// unseen.</para>
/// <para>On a machine with more work than processors, short waits of the runtime itself can exceed the threshold and are
/// reported: raise it there. Rates are in docs/how-to/watch-the-pool.md in the Plait package.</para>
/// <para>Measured on Linux with .NET 10 only. Where the system does not count by thread, a wait for a Task that the waiting thread
/// itself runs is reported too. It never reports threads outside of the pool, nor those of a <c>BlockingPool</c>.</para>
/// </remarks>
[<Sealed>]
type ThreadPoolGuard private (threshold: TimeSpan) =
    let gate = obj ()
    let waits = List<BlockedWait>()
    let mutable isOver = false

    let found (wait: BlockedWait) = lock gate (fun () -> waits.Add wait)

    let listener = new WaitListener(threshold, found)

    let sampler =
        if ThreadFiles.AreThere then WorkerSampler(threshold, found) else Unchecked.defaultof<_>

    do
        listener.Start()

        if not (isNull (box sampler)) then
            sampler.Start()

    // the processor time shows a wait again that an event of the runtime has reported
    let known (all: BlockedWait[]) =
        let told =
            all |> Array.filter (fun wait -> wait.Kind <> BlockedWaitKind.OffProcessor)

        let tasks = told |> Array.filter (fun wait -> wait.Kind = BlockedWaitKind.TaskWait)

        let overlaps (one: BlockedWait) (other: BlockedWait) =
            one.At < other.At + other.Duration && other.At < one.At + one.Duration

        all
        |> Array.filter (fun wait ->
            match wait.Kind with
            | BlockedWaitKind.TaskWait -> true
            // underneath, a wait for a Task is one for an event
            | BlockedWaitKind.WaitHandle -> not (Array.exists (overlaps wait) tasks)
            | _ -> not (Array.exists (overlaps wait) told))
        |> Array.sortBy _.At

    let finish () =
        let isFirst =
            lock gate (fun () ->
                let isFirst = not isOver
                isOver <- true
                isFirst)

        if isFirst then
            if not (isNull (box sampler)) then
                sampler.Stop()

            listener.TakeOpen()
            listener.Dispose()

    /// <summary>Watches the threads of the thread pool from now on. <c>Check</c> or <c>Dispose</c> of the result throws if one has
    /// blocked for at least the threshold.</summary>
    static member Start(threshold: TimeSpan) : ThreadPoolGuard =
        if threshold < TimeSpan.FromMilliseconds 10. then
            raise (
                ArgumentOutOfRangeException(
                    nameof threshold,
                    "The threshold of a guard must be at least 10 ms: a shorter wait may be a pause of the runtime."
                )
            )

        new ThreadPoolGuard(threshold)

    /// As the other `Start`, with a threshold of 50 ms.
    static member Start() : ThreadPoolGuard =
        ThreadPoolGuard.Start(TimeSpan.FromMilliseconds 50.)

    /// <summary>Ends the watching. Throws if a thread of the pool has blocked since the beginning; once.</summary>
    /// <exception cref="T:Plait.BlockedThreadPoolException">A thread of the pool has blocked.</exception>
    member _.Check() : unit =
        finish ()

        let all =
            lock gate (fun () ->
                let all = waits.ToArray()
                waits.Clear()
                all)

        let seen = known all

        if seen.Length > 0 then
            raise (BlockedThreadPoolException.Of seen)

    /// As `Check`. A test that fails by itself shows this error instead of its own; to see its own, call `Check` at its end.
    member guard.Dispose() : unit = guard.Check()

    interface IDisposable with
        member guard.Dispose() = guard.Dispose()
