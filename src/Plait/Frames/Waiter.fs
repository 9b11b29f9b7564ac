// Layer: frames. A continuation that waits for an operation. Owns the rule where it is called: here, on the
// scheduling context that it asked for, or on the thread pool; an exception that it throws never reaches the
// operation.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources

/// A source that only keeps the continuation of the BCL's awaiters.
[<Sealed>]
type private Listener() =
    member val Continuation: Action<obj> = null with get, set

    interface IValueTaskSource with
        member _.GetStatus _ = ValueTaskSourceStatus.Pending
        member _.GetResult _ = ()

        member listener.OnCompleted(continuation, _, _, _) = listener.Continuation <- continuation

/// Frames that wait by a delegate. A frame gives the BCL's awaiters an Action, and they give the source one delegate, always
/// the same, which calls the Action that is its state: a frame that waits for a source of ours is found behind the two and
/// resumed without them.
module internal WaitingFrame =

    /// The delegate of a waiter that is a frame: its state.
    let resumes = Action<obj>(fun state -> (Unsafe.As<Frame> state).Resume())

    // theirs, seen once; null where it turns out to do something else
    let private callsAction =
        let listener = Listener()
        let mutable called = false

        try
            ValueTask(listener, 0s).GetAwaiter().UnsafeOnCompleted(Action ignore)
            let seen = listener.Continuation
            let call = ref 0
            seen.Invoke(Action(fun () -> call.Value <- call.Value + 1))
            called <- call.Value = 1
        with _ ->
            ()

        if called then listener.Continuation else null

    /// The frame whose Action was given to an awaiter; null for any other waiter.
    let behind (continuation: Action<obj>) (state: obj | null) : Frame =
        match state with
        | :? Action as action when obj.ReferenceEquals(continuation, callsAction) ->
            match action.Target with
            | :? Frame as frame -> frame
            | _ -> null
        | _ -> null

/// The call of a waiter: its delegate, the delegate's state, and the context to run in.
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type internal Waiter =
    val Continuation: Action<obj>
    val State: obj | null
    val Scheduler: obj | null
    val Context: ExecutionContext

    new(continuation, state, scheduler, context) =
        { Continuation = continuation; State = state; Scheduler = scheduler; Context = context }

    member private waiter.Call() =
        if isNull waiter.Context then
            waiter.Continuation.Invoke waiter.State
        else
            let continuation = waiter.Continuation

            ExecutionContext.Run(
                waiter.Context,
                ContextCallback(fun state -> continuation.Invoke state),
                waiter.State
            )

    /// The waiter of a source; a frame is its own waiter.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Of
        (continuation: Action<obj>, state: obj | null, scheduler: obj | null, context: ExecutionContext)
        =
        match WaitingFrame.behind continuation state with
        | null -> Waiter(continuation, state, scheduler, context)
        | frame -> Waiter(WaitingFrame.resumes, frame, scheduler, context)

    /// The frame that waits, if it is one and can be resumed from anywhere.
    member waiter.Frame: Frame =
        if
            obj.ReferenceEquals(waiter.Continuation, WaitingFrame.resumes)
            && isNull waiter.Scheduler
            && isNull waiter.Context
        then
            Unsafe.As<Frame> waiter.State
        else
            null

    member private waiter.QueueAt(isNext: bool) =
        match waiter.Frame with
        | null ->
            if isNull waiter.Context then
                ThreadPool.UnsafeQueueUserWorkItem(waiter.Continuation, waiter.State, isNext) |> ignore
            else
                ThreadPool.UnsafeQueueUserWorkItem((fun (waiter: Waiter) -> waiter.Call()), waiter, isNext)
                |> ignore
        | frame -> if isNext then Atomic.Queue frame else Atomic.QueueBehind frame

    /// On the thread pool, from any thread. Allocates nothing for the awaiters of C# methods and of our own frames.
    member waiter.Queue() = waiter.QueueAt true

    /// Here, or on the scheduler it asked for.
    member waiter.Run() =
        match waiter.Scheduler with
        | null ->
            if RuntimeHelpers.TryEnsureSufficientExecutionStack() then
                try
                    waiter.Call()
                with error ->
                    UnhandledErrors.ThrowOnPool error
            else
                waiter.Queue()
        | scheduler ->
            SchedulingContext.Post(scheduler, (fun state -> (unbox<Waiter> state).Call()), box waiter)

    /// Not here: on the scheduler it asked for, or on the thread pool. Several begin in the order of these calls.
    member waiter.RunElsewhere() =
        if isNull waiter.Scheduler then waiter.QueueAt false else waiter.Run()
