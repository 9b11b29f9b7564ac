// Layer: strand. The nodes of strands of results, where a part of them suspended: an Error ends the statements and the loop.
namespace Plait.Kernel

open System.Threading
open Plait

/// The statements after one that suspended.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type ResultStatementContinuation<'T, 'E>() =
    inherit Continuation<Result<'T, 'E>>()

    /// The next statements.
    abstract Rest: unit -> Strand<Result<'T, 'E>>

    override node.Run() =
        let child = node.TakeChild<Result<unit, 'E>>()

        match child.TakeError() with
        | null ->
            match child.result with
            | Ok() -> node.Rest()
            | Error error -> Strand.Of(Error error)
        | error -> Strand<Result<'T, 'E>>.Failed error

/// The rest of a loop.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type ResultLoopNode<'E>() =
    inherit Node<Result<unit, 'E>>()

    /// Runs turns until one is pending or an Error, or the loop is over.
    abstract Next: unit -> Strand<Result<unit, 'E>>

    override node.Step() =
        let mutable error: exn = null
        let mutable turn = Strand<_>.From(node.TakeChild<Result<unit, 'E>>())

        try
            // a turn that has ended without leaving this thread needs no hop
            let mutable ended = true

            while ended do
                error <- turn.Node.TakeError()

                if isNull error then
                    turn <-
                        match turn.Node.result with
                        | Ok() -> node.Next()
                        | stopped -> Strand.Of stopped

                ended <- isNull error && not (isNull turn.Node) && turn.Node.IsDoneHere
        with caught ->
            error <- caught

        if not (isNull error) then
            node.Finish error
        elif isNull turn.Node then
            node.Complete turn.Value
        else
            node.context <- ExecutionContext.Capture()
            node.Follow turn.Node

/// The rest of a `for` over a collection, from a position on.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type ResultItemLoop<'C, 'a, 'E when 'C: struct and 'C :> IItemCursor<'a>>(position: 'C) =
    inherit ResultLoopNode<'E>()
    let mutable position = position

    /// One turn.
    abstract Body: item: 'a -> Strand<Result<unit, 'E>>

    override node.Next() =
        let mutable turn = Strand<Result<unit, 'E>>.Of(Ok())

        while isNull turn.Node && turn.Value.IsOk && position.MoveNext() do
            turn <- node.Body position.Current

        turn
