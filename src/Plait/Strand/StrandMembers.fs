// Layer: strand. Every member of the strand builders except Run: the statements, and here the loops over items. Each
// kind of collection has a form of its own that needs no enumerator object.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open Plait

/// Every member of the strand builders but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type StrandMembers<'Affinity when 'Affinity :> IAffinity>() =
    inherit StrandStatements<'Affinity>()

    /// `for` over an array.
    member inline _.For(items: 'a[], body: 'a -> Strand<unit>) : Strand<unit> =
        let mutable index = 0
        let mutable turn = Strand<unit>.Of(())

        while isNull turn.Node && index < items.Length do
            let item = items[index]
            index <- index + 1
            turn <- body item

        if isNull turn.Node then
            turn
        else
            SuspendedPath.Follow(
                turn.Node,
                { new ArrayLoop<'a>(items, index) with
                    member _.Body item = body item
                }
            )

    /// `for` over a list.
    member inline _.For(items: 'a list, body: 'a -> Strand<unit>) : Strand<unit> =
        let mutable rest = items
        let mutable turn = Strand<unit>.Of(())

        while isNull turn.Node && not rest.IsEmpty do
            let item = rest.Head
            rest <- rest.Tail
            turn <- body item

        if isNull turn.Node then
            turn
        else
            SuspendedPath.Follow(
                turn.Node,
                { new ListLoop<'a>(rest) with
                    member _.Body item = body item
                }
            )

    /// `for` over a ResizeArray.
    member inline this.For(items: ResizeArray<'a>, body: 'a -> Strand<unit>) : Strand<unit> =
        let mutable cursor = items.GetEnumerator()
        let mutable turn = Strand<unit>.Of(())

        while isNull turn.Node && cursor.MoveNext() do
            turn <- body cursor.Current

        if isNull turn.Node then
            turn
        else
            SuspendedPath.Follow(
                turn.Node,
                { new ResizeArrayLoop<'a>(cursor) with
                    member _.Body item = body item
                }
            )

    /// `for` over a System.Range: `for i in Range(1, 4)` runs for 1, 2 and 3.
    member inline _.For(range: Range, body: int -> Strand<unit>) : Strand<unit> =
        let mutable index = Ranges.First range
        let limit = Ranges.Limit range
        let mutable turn = Strand<unit>.Of(())

        while isNull turn.Node && index < limit do
            let item = index
            index <- index + 1
            turn <- body item

        if isNull turn.Node then
            turn
        else
            SuspendedPath.Follow(
                turn.Node,
                { new RangeLoop(index, limit) with
                    member _.Body item = body item
                }
            )

    /// `for` over any sequence.
    member inline this.For(items: seq<'a>, body: 'a -> Strand<unit>) : Strand<unit> =
        let enumerator = items.GetEnumerator()

        this.TryFinally(
            (fun () -> this.While((fun () -> enumerator.MoveNext()), (fun () -> body enumerator.Current))),
            (fun () -> enumerator.Dispose())
        )

    /// Runs the body for each item of a cursor that moves by `move`.
    member inline this.EachItem
        (cursor: AsyncSequenceCursor<'a>, move: unit -> 'M, body: 'a -> Strand<unit>)
        : Strand<unit> when 'M :> ISource<bool> =
        this.While(
            (fun () -> cursor.More),
            (fun () ->
                let step = move ()

                if step.IsCompleted then
                    cursor.More <- step.GetResult()
                    if cursor.More then body cursor.Current else Strand<unit>.Of(())
                else
                    SuspendedPath.Bind<'M, bool, unit>(
                        step,
                        { new SourceContinuation<'M, bool, unit>() with
                            member _.Invoke step =
                                let more = step.GetResult()
                                cursor.More <- more
                                if more then body cursor.Current else Strand<unit>.Of(())
                        }
                    ))
        )

    /// `for` over an asynchronous sequence.
    member inline this.For(items: IAsyncEnumerable<'a>, body: 'a -> Strand<unit>) : Strand<unit> =
        let cursor = PlainAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

        this.EndAsync(
            (fun () ->
                this.EachItem(cursor, (fun () -> ValueTaskSource<bool, 'Affinity>(cursor.MoveNext())), body)),
            (fun () -> cursor.Dispose())
        )

    /// `for` over an asynchronous sequence with ConfigureAwait or WithCancellation.
    member inline this.For
        (items: ConfiguredCancelableAsyncEnumerable<'a>, body: 'a -> Strand<unit>)
        : Strand<unit> =
        let cursor = ConfiguredAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

        this.EndConfigured(
            (fun () ->
                this.EachItem(
                    cursor,
                    (fun () -> AwaiterPattern.Critical<_, bool>(cursor.MoveNext().GetAwaiter())),
                    body
                )),
            (fun () -> cursor.Dispose())
        )
