// Layer: strand. Loops whose body suspended: one node for the rest of the loop.
namespace Plait.Kernel

open System.Collections.Generic
open System.Threading
open Plait

/// The rest of a loop.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type LoopNode() =
    inherit Node<unit>()

    /// Runs turns until one is pending or the loop is over.
    abstract Next: unit -> Strand<unit>

    override node.Step() =
        let mutable error: exn = null
        let mutable turn = Strand<unit>.From(node.TakeChild<unit>())
        let mutable ended = true

        try
            // a turn that has ended without leaving this thread needs no hop
            while ended do
                error <- turn.Node.TakeError()
                ended <- isNull error

                if ended then
                    turn <- node.Next()
                    ended <- not (isNull turn.Node) && turn.Node.IsDoneHere
        with caught ->
            error <- caught

        if not (isNull error) then
            node.Finish error
        elif isNull turn.Node then
            node.Complete()
        else
            node.context <- ExecutionContext.Capture()
            node.Follow turn.Node

/// The rest of a `for` over an array, from an index on.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type ArrayLoop<'a>(items: 'a[], start: int) =
    inherit LoopNode()
    let mutable index = start

    /// One turn.
    abstract Body: item: 'a -> Strand<unit>

    override node.Next() =
        let mutable turn = Strand<unit>.Of(())

        while isNull turn.Node && index < items.Length do
            let item = items[index]
            index <- index + 1
            turn <- node.Body item

        turn

/// The rest of a `for` over a list.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type ListLoop<'a>(rest: 'a list) =
    inherit LoopNode()
    let mutable rest = rest

    /// One turn.
    abstract Body: item: 'a -> Strand<unit>

    override node.Next() =
        let mutable turn = Strand<unit>.Of(())

        while isNull turn.Node && not rest.IsEmpty do
            let item = rest.Head
            rest <- rest.Tail
            turn <- node.Body item

        turn

/// The rest of a `for` over a ResizeArray.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type ResizeArrayLoop<'a>(cursor: List<'a>.Enumerator) =
    inherit LoopNode()
    let mutable cursor = cursor

    /// One turn.
    abstract Body: item: 'a -> Strand<unit>

    override node.Next() =
        let mutable turn = Strand<unit>.Of(())

        while isNull turn.Node && cursor.MoveNext() do
            turn <- node.Body cursor.Current

        turn

/// The rest of a `for` over numbers.
[<AbstractClass; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type RangeLoop(start: int, limit: int) =
    inherit LoopNode()
    let mutable index = start

    /// One turn.
    abstract Body: item: int -> Strand<unit>

    override node.Next() =
        let mutable turn = Strand<unit>.Of(())

        while isNull turn.Node && index < limit do
            let item = index
            index <- index + 1
            turn <- node.Body item

        turn
