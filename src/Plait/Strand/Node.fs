// Layer: strand. A pending strand: a heap object that is completed once, waited for by one frame and never used again.
// Owns the rule which execution context the rest of a strand runs in.
//
// One computation expression makes many nodes: a bind, the rest of a loop, the end of a `use`. Together they are one
// method, so what one of them writes to an AsyncLocal the next one must see, also when the first wrote it after a
// suspension, and the next one runs where the first has ended. A node therefore keeps the context it ended in, and a node
// that followed it goes on in that. The node that `Run` hands to a caller is closed: whoever follows it goes on in the
// contexts it was itself suspended in.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open System.Runtime.CompilerServices
open System.Threading

/// One step of a node, as something to start: see `Contained`.
[<Struct; NoEquality; NoComparison>]
type internal NodeStep =
    val Node: Node
    new(node) = { Node = node }

    interface IAsyncStateMachine with
        member step.MoveNext() =
            let node = step.Node
            Contained.Enter(node.ContextToEnter())
            node.Step()

        member _.SetStateMachine _ = ()

/// A pending strand without the type of its result.
and [<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never)>] Node() =
    inherit Frame()

    /// null, the Frame or the Action that waits, or Done.
    [<DefaultValue(false)>]
    val mutable internal waiter: obj | null

    /// While it waits for a node, that node; when it has failed, the exception.
    [<DefaultValue(false)>]
    val mutable internal link: obj | null

    /// Written by the node's own steps.
    [<DefaultValue(false)>]
    val mutable internal flags: byte

    // written by the caller of Run, while a step may run on another thread: a field of its own
    [<DefaultValue(false)>]
    val mutable private closed: bool

    /// What to do when what it waits for has come. Never throws.
    abstract Step: unit -> unit

    member internal node.Has(flag: byte) = node.flags &&& flag <> 0uy

    /// The context to go on in: that of the part it has followed, or its own.
    member internal node.ContextToEnter() : ExecutionContext =
        let child = Unsafe.As<Node> node.link

        if isNull child || child.IsClosed || node.Has NodeFlags.Bound then
            node.context
        else
            child.context

    override node.Action = Waker.Aim node

    override node.Resume() =
        let mutable step = NodeStep node
        Contained.Run &step

    override node.ResumeOnPool() =
        Contained.Enter(node.ContextToEnter())
        node.Step()

    member internal node.IsDone = Atomic.ReadItem &node.waiter :? Done

    /// Whether a caller has it as the whole of a strand.
    member internal node.IsClosed = node.closed

    /// Done, and nothing that follows it has to go anywhere: it is a caller's strand, or it never suspended.
    member internal node.IsDoneHere =
        node.IsDone && (node.closed || node.Has NodeFlags.Inline)

    /// The error of a node that is done; null where it succeeded.
    member internal node.Error = Unsafe.As<exn> node.link

    /// How a child has ended: its error, or null. It goes up without a throw, which would add no line of the user's to
    /// its stack trace, but would copy it. A misuse where the child is pending.
    member internal node.Failure: exn =
        if not node.IsDone then
            Misuse.StrandNotCompleted()

        node.Error

    /// The whole of a strand: see the head of this file.
    member node.Close() = node.closed <- true

    /// Done, with an error or (null) without; leaves the contexts it ended in to the node that follows it.
    member internal node.Finish(error: exn) =
        node.link <- error
        let mutable mark = Done.Mark

        if node.closed then
            node.context <- null
        else
            node.context <- ExecutionContext.Capture()

            if isNull node.waiter && not (node.Has NodeFlags.Inline) then
                mark <- Done.Here()

        match Atomic.ExchangeObject(&node.waiter, mark) with
        | null -> ()
        | :? Action as action ->
            if RuntimeHelpers.TryEnsureSufficientExecutionStack() then
                let mutable step = ActionStep(action, null)
                Contained.Run &step
            else
                ThreadPool.UnsafeQueueUserWorkItem(ActionFrame action, true) |> ignore
        | waiter ->
            let frame = Unsafe.As<Frame> waiter

            if RuntimeHelpers.TryEnsureSufficientExecutionStack() then
                frame.Resume()
            else
                Atomic.Queue frame

    /// Has the frame resumed when this node is done. A second waiter is resumed at once: it finds the node not done and
    /// answers with the misuse in its own result.
    member internal node.Attach(frame: Frame) =
        match Atomic.CompareExchangeObject(&node.waiter, frame :> obj, null) with
        | null -> ()
        | :? Done as ended -> ended.Continue frame
        | _ -> Atomic.Queue frame

    /// As `Attach`, for a delegate that runs wherever this node ends, in whatever context: it is the waiter itself.
    member internal node.Attach(action: Action) =
        match Atomic.CompareExchangeObject(&node.waiter, action :> obj, null) with
        | null -> ()
        | :? Done as ended -> ended.Continue(ActionFrame action)
        | _ -> ThreadPool.UnsafeQueueUserWorkItem(ActionFrame action, true) |> ignore

    /// As `Attach`, on the frame's own SynchronizationContext or TaskScheduler if it has one.
    member internal node.Notify(frame: Frame) = node.Attach(Posted.Capture frame)

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
