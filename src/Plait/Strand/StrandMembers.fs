// Layer: strand. Every member of the strand builders but Run: plain inline F#, no resumable code.
//
// A continuation appears exactly twice in a member, once called and once inside an object expression on the cold path,
// and is never InlineIfLambda: that is what lets the compiler lift it to a static method, so that the fast path has no
// closure, no machine and no store. They stand in one file because they are one type: as extensions they would rank below
// `StrandFallbacks`.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.Collections.Generic
open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices
open System.Threading.Tasks
open Plait

/// Every member of the strand builders but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type StrandMembers<'Affinity when 'Affinity :> IAffinity>() =

    interface ISources<'Affinity>

    /// The default of an unannotated `let!`.
    member inline _.Source(strand: Strand<'a>) : Strand<'a> = strand

    /// Defers the body to Run.
    member inline _.Delay(body: unit -> Strand<'T>) = body

    /// A value.
    member inline _.Return(value: 'T) = Strand<'T>.Of value

    /// Nothing.
    [<DefaultValue>]
    member inline _.Zero() = Strand<unit>.Of(())

    /// `let!` of a strand.
    member inline _.Bind(strand: Strand<'a>, rest: 'a -> Strand<'T>) : Strand<'T> =
        if isNull strand.Node then
            rest strand.Value
        else
            Slow.BindStrand<'a, 'T, 'Affinity>(
                strand.Node,
                { new StrandContinuation<'a, 'T>() with
                    member _.Invoke value = rest value
                }
            )

    /// `return!` of a strand: the strand itself.
    member inline _.ReturnFrom(strand: Strand<'T>) = strand

    /// One statement after another.
    member inline _.Combine(first: Strand<unit>, rest: unit -> Strand<'T>) : Strand<'T> =
        if isNull first.Node then
            rest ()
        else
            Slow.Follow(
                first.Node,
                { new Sequel<'T>() with
                    member _.Rest() = rest ()
                }
            )

    /// `while`.
    member inline _.While(condition: unit -> bool, body: unit -> Strand<unit>) : Strand<unit> =
        let mutable turn = Strand<unit>.Of(())

        while isNull turn.Node && condition () do
            turn <- body ()

        if isNull turn.Node then
            turn
        else
            Slow.Follow(
                turn.Node,
                { new LoopNode() with
                    member _.Next() =
                        let mutable turn = Strand<unit>.Of(())

                        while isNull turn.Node && condition () do
                            turn <- body ()

                        turn
                }
            )

    /// `try/with`. A body that suspended is followed by the handler; a handler that suspended is not handled again.
    member inline _.TryWith(body: unit -> Strand<'T>, handler: exn -> Strand<'T>) : Strand<'T> =
        let mutable handled = false

        let strand =
            try
                body ()
            with error ->
                handled <- true
                handler error

        if handled || isNull strand.Node then
            strand
        else
            Slow.Follow(
                strand.Node,
                { new TryNode<'T>() with
                    member _.Handle error = handler error
                }
            )

    /// A body and an end that always runs, once, and may suspend. The error of the end wins.
    member inline _.EndAsync(body: unit -> Strand<'T>, finish: unit -> ValueTask) : Strand<'T> =
        let mutable error: exn = null
        let mutable strand = Unchecked.defaultof<Strand<'T>>

        try
            strand <- body ()
        with caught ->
            error <- caught

        if isNull error && not (isNull strand.Node) then
            Slow.Follow(
                strand.Node,
                { new FinallyNode<'T>() with
                    member _.End() =
                        finish().ConfigureAwait 'Affinity.Captures
                }
            )
        else
            let ending = finish ()

            if ending.IsCompletedSuccessfully then
                ending.GetAwaiter().GetResult()

                if not (isNull error) then
                    ExceptionDispatchInfo.Throw error

                strand
            else
                Slow.End(
                    error,
                    strand.Value,
                    { new FinallyNode<'T>() with
                        member _.End() =
                            ending.ConfigureAwait 'Affinity.Captures
                    }
                )

    /// The same with an end that says how it is awaited.
    member inline _.EndConfigured
        (body: unit -> Strand<'T>, finish: unit -> ConfiguredValueTaskAwaitable)
        : Strand<'T> =
        let mutable error: exn = null
        let mutable strand = Unchecked.defaultof<Strand<'T>>

        try
            strand <- body ()
        with caught ->
            error <- caught

        let node =
            { new FinallyNode<'T>() with
                member _.End() = finish ()
            }

        if isNull error && not (isNull strand.Node) then
            Slow.Follow(strand.Node, node)
        else
            Slow.End(error, strand.Value, node)

    /// `try/finally`.
    member inline this.TryFinally(body: unit -> Strand<'T>, compensation: unit -> unit) : Strand<'T> =
        this.EndAsync(
            body,
            (fun () ->
                compensation ()
                ValueTask())
        )

    /// `use` of something that is disposed asynchronously.
    member inline this.Using
        (resource: 'r, body: 'r -> Strand<'T>)
        : Strand<'T> when 'r :> IAsyncDisposable | null =
        this.EndAsync(
            (fun () -> body resource),
            (fun () -> if isNull (box resource) then ValueTask() else resource.DisposeAsync())
        )

    /// `and!`.
    member inline _.MergeSources
        (first: 'A, second: 'B)
        : Pair<'A, 'B, 'a, 'b> when 'A :> ISource<'a> and 'B :> ISource<'b> =
        Pair<'A, 'B, 'a, 'b>(first, second)

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
            Slow.Follow(
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
            Slow.Follow(
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
            Slow.Follow(
                turn.Node,
                { new ResizeArrayLoop<'a>(cursor) with
                    member _.Body item = body item
                }
            )

    /// `for` over a System.Range, which has no enumerator: `for i in Range(1, 4)` runs for 1, 2 and 3.
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
            Slow.Follow(
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

    /// Runs the body for each item of a position that moves by `move`.
    member inline this.EachItem
        (position: AsyncItems<'a>, move: unit -> 'M, body: 'a -> Strand<unit>)
        : Strand<unit> when 'M :> ISource<bool> =
        this.While(
            (fun () -> position.More),
            (fun () ->
                let step = move ()

                if step.IsCompleted then
                    position.More <- step.GetResult()
                    if position.More then body position.Current else Strand<unit>.Of(())
                else
                    Slow.Bind<'M, bool, unit>(
                        step,
                        { new SourceContinuation<'M, bool, unit>() with
                            member _.Invoke more =
                                position.More <- more
                                if more then body position.Current else Strand<unit>.Of(())
                        }
                    ))
        )

    /// `for` over a sequence that must be waited for.
    member inline this.For(items: IAsyncEnumerable<'a>, body: 'a -> Strand<unit>) : Strand<unit> =
        let position = PlainItems<'a>(items.GetAsyncEnumerator())

        this.EndAsync(
            (fun () ->
                this.EachItem(
                    position,
                    (fun () -> ValueTaskSource<bool, 'Affinity>(position.MoveNext())),
                    body
                )),
            (fun () -> position.Dispose())
        )

    /// `for` over a sequence that must be waited for, as ConfigureAwait or WithCancellation give it.
    member inline this.For
        (items: ConfiguredCancelableAsyncEnumerable<'a>, body: 'a -> Strand<unit>)
        : Strand<unit> =
        let position = ConfiguredItems<'a>(items.GetAsyncEnumerator())

        this.EndConfigured(
            (fun () ->
                this.EachItem(
                    position,
                    (fun () -> AwaiterShapes.Critical<_, bool>(position.MoveNext().GetAwaiter())),
                    body
                )),
            (fun () -> position.Dispose())
        )
