// Layer: strand. The suspending path of the members of the strand builders; not inlined, so that the synchronous path
// stays small.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open System.Threading
open Plait

/// The suspended half of the strand builders' members.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type SuspendedPath =

    /// Waits for a source that is not completed, then runs the rest.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Bind<'S, 'a, 'T when 'S :> ISource<'a>>
        (source: 'S, rest: SourceContinuation<'S, 'a, 'T>)
        : Strand<'T> =
        rest.context <- ExecutionContext.Capture()
        rest.source <- source
        source.Register rest
        Strand<'T>.From rest

    /// Waits for a bound strand, then runs the rest. A strand that has ended with a node (failed, or finished after it
    /// had suspended) is no wait: the rest runs now, or its error is thrown here.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member BindStrand<'a, 'T, 'Affinity when 'Affinity :> IAffinity>
        (node: Node<'a>, rest: StrandContinuation<'a, 'T>)
        : Strand<'T> =
        if node.IsDone then
            rest.Continue node
        else
            rest.context <- ExecutionContext.Capture()
            rest.flags <- NodeFlags.Bound
            rest.link <- node

            if 'Affinity.Captures then node.Notify rest else node.Attach rest

            Strand<'T>.From rest

    /// Continues after a part of the same strand, on the thread on which the part ends; at once if it has ended here.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Follow<'T>(child: Node, node: Node<'T>) : Strand<'T> =
        node.context <- ExecutionContext.Capture()

        if child.IsDoneHere then
            node.flags <- NodeFlags.Inline
            node.link <- child
            ContextScope.Enter(node.ContextToEnter())
            node.Step()
        else
            node.Follow child

        Strand<'T>.From node

    /// Waits for an end that did not end at once.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member End<'T>(error: exn, value: 'T, node: FinallyNode<'T>) : Strand<'T> =
        node.flags <- NodeFlags.Inline
        node.context <- ExecutionContext.Capture()
        node.Begin(error, value)
        Strand<'T>.From node

    /// A failed strand.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Fault<'T>(error: exn) : Strand<'T> = Strand<'T>.From(FaultNode<'T> error)
