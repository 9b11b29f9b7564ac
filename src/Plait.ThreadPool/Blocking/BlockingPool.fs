// Layer: blocking. A bounded pool of threads of its own, for calls that must block. Owns the order: a call goes to a thread that
// has none, else to a new thread, else into the queue. The thread that was last in use is taken first, so that the others
// grow old and end.
namespace Plait

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// A thread of a pool, as a place for its next call; its own lock.
[<Sealed; AllowNullLiteral>]
type internal BlockingWorker() =
    /// The call that was given to it.
    [<DefaultValue(false)>]
    val mutable Call: BlockingCall

    /// To end instead.
    [<DefaultValue(false)>]
    val mutable IsDismissed: bool

    member worker.Give(call: BlockingCall) =
        lock worker (fun () ->
            worker.Call <- call
            Monitor.Pulse worker)

    member worker.Dismiss() =
        lock worker (fun () ->
            worker.IsDismissed <- true
            Monitor.Pulse worker)

    /// Waits for a call or the dismissal. False: the time was up first.
    member worker.Wait(time: TimeSpan) : bool =
        lock worker (fun () ->
            let mutable isInTime = true

            while isInTime && isNull worker.Call && not worker.IsDismissed do
                isInTime <- Monitor.Wait(worker, time)

            not (isNull worker.Call) || worker.IsDismissed)

/// <summary>A named, bounded pool of background threads of its own, for calls that must block: drivers without an async door,
/// files, native code. The thread pool of .NET is never blocked by them.</summary>
/// <remarks>
/// <para>A call takes a waiting thread, else a new one up to <c>MaxThreads</c>, else its turn in the queue, oldest first. A
/// cancellation takes it out of the queue; once it runs, only the function itself can react. A call has the AsyncLocals of
/// its caller, and an exception keeps its own stack trace.</para>
/// <para>Code that awaits a call continues in the context that it captured, else on the thread pool: never on a thread of
/// this pool, so that it holds no place in it. A failure, a refusal and a cancellation of a call are in its result; only null
/// arguments throw at once.</para>
/// <para>A function that itself waits for a call of the same pool can use up its threads, and then nothing moves: give inner
/// calls a pool of their own.</para>
/// </remarks>
[<Sealed>]
type BlockingPool private (name: string, settings: BlockingPoolSettings, isShared: bool) =
    do
        ArgumentNullException.ThrowIfNull(name, nameof name)
        ArgumentNullException.ThrowIfNull(settings, nameof settings)

    let gate = obj ()
    let maxThreads = settings.MaxThreads
    // the longest that a thread can wait: for ever
    let keepAlive =
        min settings.KeepAlive (TimeSpan.FromMilliseconds(float (Int32.MaxValue - 1)))

    let queueLimit = settings.QueueLimit
    let queue = BlockingQueue()
    // under the gate; the last one is taken first
    let idle = List<BlockingWorker>()
    let mutable threads = 0
    let mutable running = 0
    let mutable completed = 0L
    let mutable rejected = 0L
    let mutable isDisposed = false

    let drained =
        TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)

    static let cancel =
        Action<obj>(fun state ->
            let call = Unsafe.As<BlockingCall> state
            call.Owner.Cancel call)

    static let shared =
        lazy
            (let pool = new BlockingPool("shared", BlockingPoolSettings(), true)
             BlockingMeter.Add pool
             pool)

    do
        if maxThreads < 1 then
            raise (BlockingErrors.AtLeast("MaxThreads", 1, maxThreads))

        if queueLimit < 0 then
            raise (BlockingErrors.AtLeast("QueueLimit", 0, queueLimit))

        if keepAlive < TimeSpan.Zero then
            raise (BlockingErrors.AtLeast("KeepAlive", 0, int keepAlive.TotalMilliseconds))

    /// A pool; its threads are named `name`, and so are its measurements. It has no threads until it is called.
    new(name: string, settings: BlockingPoolSettings) as pool =
        new BlockingPool(name, settings, false)
        then BlockingMeter.Add pool

    /// A pool with the default settings.
    new(name: string) = new BlockingPool(name, BlockingPoolSettings())

    /// The pool of `Blocking.run`, with the default settings. Its `Dispose` does nothing.
    static member Shared = shared.Value

    /// The name of the pool and of its threads.
    member _.Name = name

    /// The most threads that it may have.
    member _.MaxThreads = maxThreads

    /// Its threads now.
    member _.Threads = Volatile.Read &threads

    /// The calls that wait for a thread now.
    member _.Queued = lock gate (fun () -> queue.Count)

    /// The calls that run now.
    member _.Running = Volatile.Read &running

    /// The calls that have run to their end since it was made, with a result or an exception.
    member _.Completed = Interlocked.Read &completed

    /// The calls that were refused since it was made, because the queue was full.
    member _.Rejected = Interlocked.Read &rejected

    member private _.TakeOut(call: BlockingCall) =
        let wasQueued =
            lock gate (fun () ->
                match call.State with
                | CallState.Queued ->
                    queue.Remove call
                    call.State <- CallState.Cancelled
                    true
                | CallState.New ->
                    call.State <- CallState.Cancelled
                    false
                | _ -> false)

        if wasQueued then
            call.Fail(OperationCanceledException call.Registration.Token)

    // under the gate
    member private _.Leave() =
        threads <- threads - 1

        if isDisposed && threads = 0 then
            drained.TrySetResult() |> ignore

    /// The next call of a thread that has done one; null: the thread ends.
    member private pool.Next(worker: BlockingWorker) : BlockingCall =
        let call =
            lock gate (fun () ->
                running <- running - 1
                completed <- completed + 1L

                match queue.Take() with
                | null ->
                    if isDisposed then
                        pool.Leave()
                        worker.IsDismissed <- true
                    else
                        idle.Add worker

                    null
                | call ->
                    call.State <- CallState.Taken
                    running <- running + 1
                    call)

        if isNull call && not worker.IsDismissed then pool.Await worker else call

    /// A call for a thread that has waited; null: the thread ends.
    member private pool.Await(worker: BlockingWorker) : BlockingCall =
        let isOver =
            not (worker.Wait keepAlive)
            && lock gate (fun () ->
                let isIdle = idle.Remove worker

                if isIdle then
                    pool.Leave()

                isIdle)

        if isOver then
            null
        else
            // somebody has taken it from the idle ones, and gives it a call or dismisses it
            worker.Wait Timeout.InfiniteTimeSpan |> ignore
            let call = worker.Call
            worker.Call <- null
            call

    member private pool.Work(worker: BlockingWorker) =
        // the thread was started without one: it is the empty one
        let own = nonNull (ExecutionContext.Capture())
        let mutable call = worker.Call
        worker.Call <- null

        while not (isNull call) do
            call.Registration.Unregister() |> ignore
            BlockingMeter.Waited(name, call.QueuedAt)
            call.Run own
            call <- pool.Next worker

    member private pool.StartThread(call: BlockingCall) =
        let worker = BlockingWorker()
        worker.Call <- call

        try
            // an own context: that of the first caller must not live as long as the thread
            Thread((fun () -> pool.Work worker), Name = name, IsBackground = true).UnsafeStart()
        with failure ->
            let stranded =
                lock gate (fun () ->
                    running <- running - 1
                    pool.Leave()

                    // where no thread is left, nobody would come for those that wait
                    [|
                        while threads = 0 && queue.Count > 0 do
                            let waiting = queue.Take()
                            waiting.State <- CallState.Cancelled
                            waiting
                    |])

            call.Fail failure

            for waiting in stranded do
                waiting.Fail failure

    member internal pool.Enter(call: BlockingCall, cancellationToken: CancellationToken) : unit =
        call.Owner <- pool

        if cancellationToken.CanBeCanceled then
            call.Registration <- cancellationToken.UnsafeRegister(cancel, call)

        call.QueuedAt <- BlockingMeter.Now()
        let mutable worker: BlockingWorker = null
        let mutable isNewThread = false
        let mutable refusal: exn = null
        Monitor.Enter gate

        try
            if call.State = CallState.Cancelled || cancellationToken.IsCancellationRequested then
                call.State <- CallState.Cancelled
                refusal <- OperationCanceledException cancellationToken
            elif isDisposed then
                refusal <- BlockingErrors.Disposed name
            elif idle.Count > 0 then
                worker <- idle[idle.Count - 1]
                idle.RemoveAt(idle.Count - 1)
            elif threads < maxThreads then
                threads <- threads + 1
                isNewThread <- true
            elif queue.Count < queueLimit then
                queue.Add call
            else
                rejected <- rejected + 1L
                refusal <- BlockingErrors.Full(name, maxThreads, queueLimit)

            if isNewThread || not (isNull worker) then
                call.State <- CallState.Taken
                running <- running + 1
        finally
            Monitor.Exit gate

        if not (isNull refusal) then
            call.Registration.Unregister() |> ignore
            call.Fail refusal
        elif isNewThread then
            pool.StartThread call
        elif not (isNull worker) then
            worker.Give call

    /// As `Run`, as a strand. For the functions of F#.
    member internal pool.Strand(work: Func<'T>, cancellationToken: CancellationToken) : Strand<'T> =
        let call = StrandCall<'T>(work, ExecutionContext.Capture())
        let strand = call.Strand
        pool.Enter(call, cancellationToken)
        strand

    /// <summary>Calls the function on a thread of the pool. The result is awaited once. Some 110 bytes are allocated per call,
    /// that of the function aside, and a thread's worth of memory where it takes a new one.</summary>
    /// <param name="work">The function that blocks.</param>
    /// <param name="cancellationToken">Takes the call out of the queue; a call that runs is not stopped by it.</param>
    /// <exception cref="T:Plait.BlockingPoolFullException">In the result: the queue is full.</exception>
    /// <exception cref="T:System.ObjectDisposedException">In the result: the pool was disposed.</exception>
    member pool.Run(work: Func<'T>, [<Optional>] cancellationToken: CancellationToken) : ValueTask<'T> =
        ArgumentNullException.ThrowIfNull(work, nameof work)
        let call = ValueTaskCall<'T>(work, ExecutionContext.Capture())
        let result = call.Task
        pool.Enter(call, cancellationToken)
        result

    /// As the other `Run`, for a call without a result; some 200 bytes.
    member pool.Run(work: Action, [<Optional>] cancellationToken: CancellationToken) : ValueTask =
        ArgumentNullException.ThrowIfNull(work, nameof work)
        let call = ActionCall(work, ExecutionContext.Capture())
        let result = call.Task
        pool.Enter(call, cancellationToken)
        result

    /// Refuses calls from now on. Calls that run or wait run to their end; it does not wait for them.
    member pool.Dispose() : unit =
        if not isShared then
            let dismissed =
                lock gate (fun () ->
                    let dismissed = idle.ToArray()
                    idle.Clear()
                    isDisposed <- true
                    threads <- threads - dismissed.Length

                    if threads = 0 then
                        drained.TrySetResult() |> ignore

                    dismissed)

            for worker in dismissed do
                worker.Dismiss()

            BlockingMeter.Remove pool

    /// As `Dispose`, and completes when the last call is finished.
    member pool.DisposeAsync() : ValueTask =
        if isShared then
            ValueTask()
        else
            pool.Dispose()
            ValueTask drained.Task

    interface IBlockingCalls with
        member pool.Cancel call = pool.TakeOut call

    interface IBlockingFigures with
        member _.Name = name
        member pool.Threads = int64 pool.Threads
        member pool.Queued = int64 pool.Queued
        member pool.Running = int64 pool.Running
        member pool.Completed = pool.Completed
        member pool.Rejected = pool.Rejected

    interface IDisposable with
        member pool.Dispose() = pool.Dispose()

    interface IAsyncDisposable with
        member pool.DisposeAsync() = pool.DisposeAsync()
