// Layer: strand. Runs a strand's body on a new stack, because the caller's is used up.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open System.Threading
open Plait

/// A strand whose body has not begun.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type NewStackNode<'T>() =
    inherit Continuation<'T>()

    /// The body.
    abstract Body: unit -> Strand<'T>

    override node.Run() = node.Body()

    // a SynchronizationContext may run a posted callback at once, on the stack that is used up
    override node.Resume() =
        if RuntimeHelpers.TryEnsureSufficientExecutionStack() then
            base.Resume()
        else
            ThreadPool.UnsafeQueueUserWorkItem(node, false) |> ignore

    /// Begins the body where the caller is, on the SynchronizationContext or TaskScheduler it has, else on the pool; but
    /// not on its stack. Called by inlined builder members only.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Start(node: NewStackNode<'T>) : Strand<'T> =
        node.context <- ExecutionContext.Capture()
        node.Close()

        match SchedulingContext.Current() with
        | null -> ThreadPool.UnsafeQueueUserWorkItem(node, false) |> ignore
        | scheduler -> SchedulingContext.Post(scheduler, node)

        Strand<'T>.From node
