// Layer: strand. A pending strand: a heap object that is completed once, waited for by one frame and never used again.
// Owns the rule which execution context the rest of a strand runs in.
//
// One computation expression makes many nodes: a bind, the rest of a loop, the end of a `use`. Together they behave as one
// method: if one of them writes to an AsyncLocal, the next one must see it, even after a suspension, and the next one runs
// where the one before has completed. A node therefore keeps the context in which it completed, and the node that follows it
// continues in that context. The node that `Run` returns to a caller is closed: a node that follows it continues in the
// contexts in which that node itself was suspended.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading

module internal NodeFlags =
    /// Its result is that of the node it follows: its own waiter may wait for that one instead.
    [<Literal>]
    let Forward = 1uy

    /// It waits for a strand that it has bound, not for a part of its own.
    [<Literal>]
    let Bound = 2uy

    /// It has not suspended so far: if it is done now, it was done on its starter's thread.
    [<Literal>]
    let Inline = 4uy

/// The mark of a finished node in its waiter's field; with the scheduling context it ended in, where a waiter to come goes
/// on.
[<Sealed; AllowNullLiteral>]
type internal CompletionMark private (scheduler: obj | null) =
    static let anywhere = CompletionMark null

    /// Ended, no matter where.
    static member Anywhere = anywhere

    /// Ended in the scheduling context of the calling thread.
    static member Here() =
        match SchedulingContext.Current() with
        | null -> anywhere
        | scheduler -> CompletionMark scheduler

    /// Has the frame resumed where the node has ended.
    member _.Continue(frame: Frame) =
        match scheduler with
        | null -> Atomic.Queue frame
        | scheduler -> Atomic.Queue(ScheduledFrame(frame, scheduler))

/// A delegate for awaiters that need one, used for many suspensions: it resumes a frame once and then goes back to its thread's slot.
[<Sealed; AllowNullLiteral>]
type internal ReusableAction() as this =
    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private ofThread: ReusableAction

    let mutable target: Frame = null
    let action = Action(this.Fire)

    // an awaiter that calls twice finds no target the second time
    member private reusable.Fire() =
        let frame = Interlocked.Exchange(&target, null)

        if not (isNull frame) then
            if isNull ReusableAction.ofThread then
                ReusableAction.ofThread <- reusable

            frame.Resume()

    member private _.AimAt(frame: Frame) =
        target <- frame
        action

    /// A delegate that resumes the frame, once.
    static member For(frame: Frame) : Action =
        let reusable =
            match ReusableAction.ofThread with
            | null -> ReusableAction()
            | reusable ->
                ReusableAction.ofThread <- null
                reusable

        reusable.AimAt frame

/// One step of a node, as something to start: see `ContextScope`.
[<Struct; NoEquality; NoComparison; StackTraceHidden>]
type internal NodeStep =
    val Node: Node
    new(node) = { Node = node }

    interface IAsyncStateMachine with
        member step.MoveNext() =
            let node = step.Node
            ContextScope.Enter(node.ContextToEnter())
            node.Step()

        member _.SetStateMachine _ = ()

/// A pending strand without the type of its result.
and [<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>] Node()
    =
    inherit Frame()

    /// null, the Frame or the Action that waits, or a CompletionMark.
    [<DefaultValue(false)>]
    val mutable internal waiter: obj | null

    /// While it waits for a node, that node; when it has failed, the UntakenError.
    [<DefaultValue(false)>]
    val mutable internal link: obj | null

    /// Written by the node's own steps.
    [<DefaultValue(false)>]
    val mutable internal flags: byte

    // written by the caller of Run, while a step may run on another thread: a field of its own
    [<DefaultValue(false)>]
    val mutable private closed: bool

    // an await has taken the result; written where a second one is refused
    [<DefaultValue(false)>]
    val mutable private taken: bool

    /// Runs when the operation that the node waits for has completed. Never throws.
    abstract Step: unit -> unit

    member internal node.Has(flag: byte) = node.flags &&& flag <> 0uy

    /// The context to continue in: that of the part it has followed, or its own.
    member internal node.ContextToEnter() : ExecutionContext =
        let child = Unsafe.As<Node> node.link

        if isNull child || child.IsClosed || node.Has NodeFlags.Bound then
            node.context
        else
            child.context

    override node.Action = ReusableAction.For node

    override node.Resume() =
        let mutable step = NodeStep node
        ContextScope.Run &step

    override node.Continue() =
        ContextScope.Enter(node.ContextToEnter())
        node.Step()

    member internal node.IsDone = Atomic.ReadItem &node.waiter :? CompletionMark

    /// Whether a caller has it as the whole of a strand.
    member internal node.IsClosed = node.closed

    /// Done, and nothing that follows it has to go anywhere: it is a caller's strand, or it never suspended.
    member internal node.IsDoneHere =
        node.IsDone && (node.closed || node.Has NodeFlags.Inline)

    /// The error of a completed node, without taking it; null: it succeeded.
    member internal node.Error: exn =
        match node.link with
        | null -> null
        | link -> Unsafe.As<UntakenError>(link).Error

    /// How a child has ended: its error, which is taken with this, or null. A misuse where the child is pending.
    member internal node.TakeError() : exn =
        if not node.IsDone then
            Misuse.StrandNotCompleted()

        match node.link with
        | null -> null
        | link -> Unsafe.As<UntakenError>(link).Take()

    /// An await takes the result or the error.
    member internal node.Await() =
        if SecondAwait.isRefused && node.IsDone then
            if node.taken then
                Misuse.StrandConsumedTwice()

            node.taken <- true

    /// The whole of a strand: see the head of this file.
    member node.Close() = node.closed <- true

    /// Done, with an error or (null) without; leaves the contexts it ended in to the node that follows it.
    member internal node.Finish(error: exn) =
        node.link <- if isNull error then null else UntakenError.Of error
        let mutable mark = CompletionMark.Anywhere

        if node.closed then
            node.context <- null
        else
            node.context <- ExecutionContext.Capture()

            if isNull node.waiter && not (node.Has NodeFlags.Inline) then
                mark <- CompletionMark.Here()

        match Atomic.ExchangeObject(&node.waiter, mark) with
        | null -> ()
        | :? Action as action ->
            if RuntimeHelpers.TryEnsureSufficientExecutionStack() then
                let mutable step = ActionStep(action, null)
                ContextScope.Run &step
            else
                ThreadPool.UnsafeQueueUserWorkItem(ActionFrame action, true) |> ignore
        | waiter ->
            let frame = Unsafe.As<Frame> waiter

            if RuntimeHelpers.TryEnsureSufficientExecutionStack() then
                frame.Continue()
            else
                Atomic.Queue frame

    /// Has the frame resumed when this node is done. A second waiter is resumed at once: it finds the node not done and
    /// answers with the misuse in its own result.
    member internal node.Attach(frame: Frame) =
        match Atomic.CompareExchangeObject(&node.waiter, frame :> obj, null) with
        | null -> ()
        | :? CompletionMark as ended -> ended.Continue frame
        | _ -> Atomic.Queue frame

    /// As `Attach`, for a delegate that runs where this node ends, in any context: it is the waiter itself.
    member internal node.Attach(action: Action) =
        match Atomic.CompareExchangeObject(&node.waiter, action :> obj, null) with
        | null -> ()
        | :? CompletionMark as ended -> ended.Continue(ActionFrame action)
        | _ -> ThreadPool.UnsafeQueueUserWorkItem(ActionFrame action, true) |> ignore

    /// As `Attach`, on the frame's own SynchronizationContext or TaskScheduler if it has one.
    member internal node.Notify(frame: Frame) =
        node.Attach(ScheduledFrame.Capture frame)

    /// The node suspends: from here on it may be done on any thread.
    member internal node.Suspends() =
        node.flags <- node.flags &&& ~~~NodeFlags.Inline

    /// Waits for a node that is part of the same strand, where that ends; or for a whole strand, and then where this
    /// node is now. One that only forwards has nothing to run anywhere.
    member internal node.Follow(child: Node) =
        node.Suspends()
        node.link <- child

        if child.IsClosed && not (node.Has NodeFlags.Forward) then
            child.Notify node
        else
            child.Attach node

/// A pending strand.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type Node<'T>() =
    inherit Node()

    [<DefaultValue(false)>]
    val mutable internal result: 'T

    /// The result, or the error thrown; a misuse where it is pending.
    member node.Get() : 'T =
        let error = node.TakeError()

        if not (isNull error) then
            Rethrow.Throw error

        node.result

    /// As `Get`, for an await.
    member internal node.Take() : 'T =
        node.Await()
        node.Get()

    member internal node.Complete(value: 'T) =
        node.result <- value
        node.Finish null

    /// Takes the child that has come.
    member internal node.TakeChild<'Child>() : Node<'Child> =
        let child = Unsafe.As<Node<'Child>> node.link
        node.link <- null
        child

/// A strand that had failed before it could suspend.
[<Sealed>]
type internal FaultNode<'T>(error: exn) as this =
    inherit Node<'T>()

    do
        this.flags <- NodeFlags.Inline
        this.Finish error

    override _.Step() = ()
