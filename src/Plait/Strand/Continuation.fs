// Layer: strand. Nodes that run code of the user when their operation has completed; the code returns another strand.
namespace Plait.Kernel

open System.Threading
open Plait

/// Runs its code, then follows the strand that the code returns.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type Continuation<'T>() =
    inherit Node<'T>()

    /// The code of the user; may throw.
    abstract Run: unit -> Strand<'T>

    /// The end of the strand that it has followed.
    member private node.Forward() : Strand<'T> =
        let child = node.TakeChild<'T>()

        match child.TakeError() with
        | null -> Strand<'T>.Of child.result
        | error -> Strand<'T>.Failed error

    override node.Step() =
        let mutable error: exn = null
        let mutable next = Unchecked.defaultof<Strand<'T>>

        try
            next <- if node.Has NodeFlags.Forward then node.Forward() else node.Run()
        with caught ->
            error <- caught

        if not (isNull error) then
            node.Finish error
        elif isNull next.Node then
            node.Complete next.Value
        elif next.Node.IsDoneHere then
            node.result <- next.Node.result
            node.Finish(next.Node.TakeError())
        else
            // a waiter that only forwards can wait for the new strand itself: tail calls keep no chain
            match node.waiter with
            | :? Node as waiter when waiter.Has NodeFlags.Forward && not next.Node.IsDone ->
                if not node.IsClosed then
                    waiter.context <- ExecutionContext.Capture()

                waiter.Follow next.Node
            | _ ->
                node.flags <- node.flags ||| NodeFlags.Forward
                node.context <- ExecutionContext.Capture()
                node.Follow next.Node

/// The rest of a computation after a bind; the source is kept with its type.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type SourceContinuation<'S, 'a, 'T when 'S :> ISource<'a>>() =
    inherit Continuation<'T>()

    [<DefaultValue(false)>]
    val mutable internal source: 'S

    /// Takes the result, and runs the rest of the computation: an error is thrown in the user's own method, which its
    /// stack trace then names.
    abstract Invoke: source: 'S -> Strand<'T>

    override node.Run() =
        let source = node.source
        node.source <- Unchecked.defaultof<'S>
        node.Invoke source

/// The rest of a computation after the bind of a strand.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type StrandContinuation<'a, 'T>() =
    inherit Continuation<'T>()

    /// Takes the result of the strand `child` and runs the rest of the computation.
    abstract Invoke: child: Node<'a> -> Strand<'T>

    /// Goes on with a strand that has ended. After many levels its error goes up without a throw.
    member internal node.Continue(child: Node<'a>) : Strand<'T> =
        child.Await()

        match child.TakeError() with
        | null -> node.Invoke child
        | error when Rethrow.IsTooDeep error -> Strand<'T>.Failed error
        | _ -> node.Invoke child

    override node.Run() =
        node.flags <- node.flags &&& ~~~NodeFlags.Bound
        node.Continue(node.TakeChild<'a>())

/// The statements after one that suspended.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type StatementContinuation<'T>() =
    inherit Continuation<'T>()

    /// The next statements.
    abstract Rest: unit -> Strand<'T>

    override node.Run() =
        match node.TakeChild<unit>().TakeError() with
        | null -> node.Rest()
        | error -> Strand<'T>.Failed error

/// A try/with whose body suspended.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type TryNode<'T>() =
    inherit Continuation<'T>()

    /// The handler.
    abstract Handle: error: exn -> Strand<'T>

    override node.Run() =
        let body = node.TakeChild<'T>()

        match body.TakeError() with
        | null -> Strand<'T>.Of body.result
        | error -> node.Handle(Rethrow.ForHandler error)
