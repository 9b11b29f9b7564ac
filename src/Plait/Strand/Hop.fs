// Layer: strand. A body that is run on another stack, because the caller's is used up.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System.ComponentModel
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Plait

/// A strand whose body has not begun.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never)>]
type HopNode<'T>() =
    inherit Continuation<'T>()

    static let post = SendOrPostCallback(fun state -> (state :?> Frame).Resume())

    /// The body.
    abstract Body: unit -> Strand<'T>

    override node.Run() = node.Body()

    // a SynchronizationContext may run what is posted to it at once, on the stack that is used up
    override node.Resume() =
        if RuntimeHelpers.TryEnsureSufficientExecutionStack() then
            base.Resume()
        else
            ThreadPool.UnsafeQueueUserWorkItem(node, false) |> ignore

    /// Begins the body where the caller is, on the SynchronizationContext or TaskScheduler it has, else on the pool; but
    /// not on its stack. Called by inlined builder members only.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Start(node: HopNode<'T>) : Strand<'T> =
        node.context <- ExecutionContext.Capture()
        node.Close()

        match Captured.Scheduler() with
        | null -> ThreadPool.UnsafeQueueUserWorkItem(node, false) |> ignore
        | :? SynchronizationContext as context -> context.Post(post, node)
        | scheduler ->
            Task.Factory.StartNew(
                (fun () -> node.Resume()),
                CancellationToken.None,
                TaskCreationOptions.DenyChildAttach,
                (Unsafe.As<TaskScheduler> scheduler)
            )
            |> ignore

        Strand<'T>.From node
