// Layer: strand. The builders of results over strands: plain inline F#, made of the members of the strand builders. An Error is
// the value of a completed strand, and ends the code without an exception.
//
// As in the strand builders a continuation appears exactly twice in an inlined member, once called and once inside an object
// expression on the cold path.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open Plait

/// Every member of the strand builders of results but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type ResultStrandMembers<'Affinity when 'Affinity :> IAffinity>() =
    interface ISources<'Affinity>
    interface IResultSources<'Affinity>

    /// The members of the builders without results, of which these are made.
    [<EditorBrowsable(EditorBrowsableState.Never)>]
    member val Plain = StrandMembers<'Affinity>()

    /// Defers the body to Run.
    member inline _.Delay(body: unit -> Strand<Result<'T, 'E>>) = body

    /// The value of the result.
    member inline _.Return(value: 'T) : Strand<Result<'T, 'E>> = Strand.Of(Ok value)

    /// Nothing.
    [<DefaultValue>]
    member inline _.Zero() : Strand<Result<unit, 'E>> = Strand.Of(Ok())

    /// `let!` of a strand of a Result: its Error is the result of all.
    member inline this.Bind
        (source: ResultOf<Strand<Result<'a, 'E>>, 'a, 'E>, rest: 'a -> Strand<Result<'T, 'E>>)
        : Strand<Result<'T, 'E>> =
        this.Plain.Bind(
            source.Source,
            (fun result ->
                match result with
                | Ok value -> rest value
                | Error error -> Strand.Of(Error error))
        )

    /// `return!` of a strand of a Result: the strand itself.
    member inline _.ReturnFrom(source: ResultOf<Strand<Result<'T, 'E>>, 'T, 'E>) : Strand<Result<'T, 'E>> =
        source.Source

    /// One statement after another, unless the first one ended in an Error.
    member inline _.Combine
        (first: Strand<Result<unit, 'E>>, rest: unit -> Strand<Result<'T, 'E>>)
        : Strand<Result<'T, 'E>> =
        if isNull first.Node then
            match first.Value with
            | Ok() -> rest ()
            | Error error -> Strand.Of(Error error)
        else
            SuspendedPath.Follow(
                first.Node,
                { new ResultStatementContinuation<'T, 'E>() with
                    member _.Rest() = rest ()
                }
            )

    /// `while`, which an Error ends.
    member inline _.While
        (condition: unit -> bool, body: unit -> Strand<Result<unit, 'E>>)
        : Strand<Result<unit, 'E>> =
        let mutable turn = Strand<Result<unit, 'E>>.Of(Ok())

        while isNull turn.Node && turn.Value.IsOk && condition () do
            turn <- body ()

        if isNull turn.Node then
            turn
        else
            SuspendedPath.Follow(
                turn.Node,
                { new ResultLoopNode<'E>() with
                    member _.Next() =
                        let mutable turn = Strand<Result<unit, 'E>>.Of(Ok())

                        while isNull turn.Node && turn.Value.IsOk && condition () do
                            turn <- body ()

                        turn
                }
            )

    /// `try/with`. An Error of the body is no exception.
    member inline this.TryWith
        (body: unit -> Strand<Result<'T, 'E>>, handler: exn -> Strand<Result<'T, 'E>>)
        : Strand<Result<'T, 'E>> =
        this.Plain.TryWith(body, handler)

    /// `try/finally`.
    member inline this.TryFinally
        (body: unit -> Strand<Result<'T, 'E>>, compensation: unit -> unit)
        : Strand<Result<'T, 'E>> =
        this.Plain.TryFinally(body, compensation)

    /// `use` of something that is disposed asynchronously.
    member inline this.Using
        (resource: 'r, body: 'r -> Strand<Result<'T, 'E>>)
        : Strand<Result<'T, 'E>> when 'r :> IAsyncDisposable | null =
        this.Plain.Using(resource, body)

    /// Runs the body for each item of a collection, until an Error ends it.
    member inline _.Each
        (cursor: 'C, body: 'a -> Strand<Result<unit, 'E>>)
        : Strand<Result<unit, 'E>> when 'C: struct and 'C :> IItemCursor<'a> =
        let mutable position = cursor
        let mutable turn = Strand<Result<unit, 'E>>.Of(Ok())

        while isNull turn.Node && turn.Value.IsOk && position.MoveNext() do
            turn <- body position.Current

        if isNull turn.Node then
            turn
        else
            SuspendedPath.Follow(
                turn.Node,
                { new ResultItemLoop<'C, 'a, 'E>(position) with
                    member _.Body item = body item
                }
            )

    /// `for` over an array.
    member inline this.For(items: 'a[], body: 'a -> Strand<Result<unit, 'E>>) : Strand<Result<unit, 'E>> =
        this.Each(ArrayCursor<'a> items, body)

    /// `for` over a list.
    member inline this.For(items: 'a list, body: 'a -> Strand<Result<unit, 'E>>) : Strand<Result<unit, 'E>> =
        this.Each(ListCursor<'a> items, body)

    /// `for` over a ResizeArray.
    member inline this.For
        (items: ResizeArray<'a>, body: 'a -> Strand<Result<unit, 'E>>)
        : Strand<Result<unit, 'E>> =
        this.Each(ResizeArrayCursor<'a> items, body)

    /// `for` over a System.Range: `for i in Range(1, 4)` runs for 1, 2 and 3.
    member inline this.For(range: Range, body: int -> Strand<Result<unit, 'E>>) : Strand<Result<unit, 'E>> =
        this.Each(RangeCursor range, body)

    /// `for` over any sequence.
    member inline this.For(items: seq<'a>, body: 'a -> Strand<Result<unit, 'E>>) : Strand<Result<unit, 'E>> =
        let position = items.GetEnumerator()

        this.Plain.TryFinally(
            (fun () -> this.While((fun () -> position.MoveNext()), (fun () -> body position.Current))),
            (fun () -> position.Dispose())
        )

    /// Runs the body for each item of a cursor that moves by `move`, until an Error ends it.
    member inline this.EachItem
        (cursor: AsyncSequenceCursor<'a>, move: unit -> 'M, body: 'a -> Strand<Result<unit, 'E>>)
        : Strand<Result<unit, 'E>> when 'M :> ISource<bool> =
        this.While(
            (fun () -> cursor.More),
            (fun () ->
                this.Plain.Bind(
                    move (),
                    (fun (more: bool) ->
                        cursor.More <- more
                        if more then body cursor.Current else Strand.Of(Ok()))
                ))
        )

    /// `for` over an asynchronous sequence.
    member inline this.For
        (items: IAsyncEnumerable<'a>, body: 'a -> Strand<Result<unit, 'E>>)
        : Strand<Result<unit, 'E>> =
        let cursor = PlainAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

        this.Plain.EndAsync(
            (fun () ->
                this.EachItem(cursor, (fun () -> ValueTaskSource<bool, 'Affinity>(cursor.MoveNext())), body)),
            (fun () -> cursor.Dispose())
        )

    /// `for` over an asynchronous sequence with ConfigureAwait or WithCancellation.
    member inline this.For
        (items: ConfiguredCancelableAsyncEnumerable<'a>, body: 'a -> Strand<Result<unit, 'E>>)
        : Strand<Result<unit, 'E>> =
        let cursor = ConfiguredAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

        this.Plain.EndConfigured(
            (fun () ->
                this.EachItem(
                    cursor,
                    (fun () -> AwaiterPattern.Critical<_, bool>(cursor.MoveNext().GetAwaiter())),
                    body
                )),
            (fun () -> cursor.Dispose())
        )

/// Members reached only where the intrinsic ones do not fit: see StrandFallbacks.
[<AutoOpen>]
module ResultStrandFallbacks =
    type ResultStrandMembers<'Affinity when 'Affinity :> IAffinity> with

        /// `let!` of any other operation that gives a Result: its Error is the result of all.
        member inline this.Bind
            (source: ResultOf<'S, 'a, 'E>, rest: 'a -> Strand<Result<'T, 'E>>)
            : Strand<Result<'T, 'E>> =
            this.Plain.Bind(
                source.Source,
                (fun (result: Result<'a, 'E>) ->
                    match result with
                    | Ok value -> rest value
                    | Error error -> Strand.Of(Error error))
            )

        /// `let!` of any other source.
        member inline this.Bind
            (source: 'S, rest: 'a -> Strand<Result<'T, 'E>>)
            : Strand<Result<'T, 'E>> when 'S :> ISource<'a> =
            this.Plain.Bind(source, rest)

        /// `return!` of any other operation that gives a Result.
        member inline this.ReturnFrom(source: ResultOf<'S, 'T, 'E>) : Strand<Result<'T, 'E>> =
            this.Plain.Bind(source.Source, (fun (result: Result<'T, 'E>) -> Strand.Of result))

        /// `return!` of any other source.
        member inline this.ReturnFrom(source: 'S) : Strand<Result<'T, 'E>> when 'S :> ISource<'T> =
            this.Plain.Bind(source, (fun (value: 'T) -> Strand.Of(Ok value)))

        /// `use` of something that is disposed synchronously.
        member inline this.Using
            (resource: 'r, body: 'r -> Strand<Result<'T, 'E>>)
            : Strand<Result<'T, 'E>> when 'r :> IDisposable | null =
            this.Plain.TryFinally(
                (fun () -> body resource),
                (fun () ->
                    if not (isNull (box resource)) then
                        resource.Dispose())
            )

        /// Refuses `for` over a value that is no sequence, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        member _.For
            (_source: 'S, _body: 'a -> Strand<Result<unit, 'E>>)
            : Strand<Result<unit, 'E>> when 'S :> ISource<'a> =
            raise (NotSupportedException())

/// A strand without a Result.
[<AutoOpen>]
module ResultStrandSources =
    type ResultStrandMembers<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a strand.
        member inline _.Source(strand: Strand<'a>) = StrandSource<'a, 'Affinity> strand

/// Every member of the strand builders of validations but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type ValidationStrandMembers<'Affinity when 'Affinity :> IAffinity>() =
    inherit ResultStrandMembers<'Affinity>()
    interface IValidationSources<'Affinity>

/// A strand of a Result with one Error.
[<AutoOpen>]
module ValidationStrandSources =
    type ValidationStrandMembers<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a strand of a Result.
        member inline _.Source(strand: Strand<Result<'a, 'E>>) = Validated.one<_, 'a, 'E> strand
