// Layer: machine. The builders of streams. A turn leaves the code at an item, and goes on after it. If the consumer has disposed
// the enumerator meanwhile, that statement is the last one: each later statement, and the next iteration of a loop, checks this
// and does not run; `finally` and `use` do.
namespace Plait.Kernel

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers
open Plait

/// The request of a stream's code for the token of its enumeration.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type StreamToken = struct end

/// Every member of the builders of streams except Run and the members that yield a stream.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type StreamMembers<'Affinity when 'Affinity :> IAffinity>() =
    interface ISources<'Affinity>
    interface IStartingBuilder

    /// The members of the builders without items, of which these are made.
    [<EditorBrowsable(EditorBrowsableState.Never)>]
    member val Plain = MachineStatements()

    /// Defers a part.
    member inline _.Delay(part: unit -> StreamCode<'T>) : StreamCode<'T> =
        StreamCode<'T>(fun machine -> (part ()).Invoke &machine)

    /// Nothing.
    [<DefaultValue>]
    member inline _.Zero() : StreamCode<'T> = ResumableCode.Zero()

    /// One statement after another, unless the consumer has disposed the enumerator.
    member inline _.Combine(first: StreamCode<'T>, second: StreamCode<'T>) : StreamCode<'T> =
        ResumableCode.Combine(
            first,
            StreamCode<'T>(fun machine -> if machine.Data.IsEnding then true else second.Invoke(&machine))
        )

    /// An item. The code goes on when the consumer asks for the next one.
    member inline _.Yield(item: 'T) : StreamCode<'T> =
        StreamCode<'T>(fun machine ->
            machine.Data.Run.Give item

            if __useResumableCode then
                let __stack_resumed = ResumableCode.Yield().Invoke(&machine)

                if __stack_resumed then
                    StreamSteps.After &machine.Data

                __stack_resumed
            else
                DynamicStreams.Leave(
                    &machine,
                    ResumptionFunc<_>(fun machine ->
                        StreamSteps.After &machine.Data
                        true)
                ))

    /// Awaits a source whether the enumeration was cancelled or not.
    member inline _.Await(source: 'S, rest: 'a -> StreamCode<'T>) : StreamCode<'T> when 'S :> ISource<'a> =
        StreamCode<'T>(fun machine ->
            if __useResumableCode then
                // `mutable`: else the parameter is hoisted into the machine in its place, and the time doubles
                let mutable __stack_source = source
                let mutable __stack_done = true
                let mutable __stack_result = Unchecked.defaultof<'a>

                if __stack_source.IsCompleted then
                    __stack_result <- __stack_source.GetResult()
                else
                    let __stack_resumed = ResumableCode.Yield().Invoke(&machine)

                    if __stack_resumed then
                        __stack_result <- Suspend.Take<bool, 'S, 'a>(machine.Data.Run)

                    __stack_done <- __stack_resumed

                if __stack_done then
                    (rest __stack_result).Invoke(&machine)
                else
                    StreamSteps.Wait<'T, 'S, 'a>(machine.Data.Run, __stack_source)
                    false
            else
                DynamicStreams.Bind<'T, 'S, 'a>(&machine, source, rest))

    /// `let!` of any source.
    member inline this.Bind(source: 'S, rest: 'a -> StreamCode<'T>) : StreamCode<'T> when 'S :> ISource<'a> =
        StreamCode<'T>(fun machine ->
            StreamSteps.Before<'T, 'S>(machine.Data.Run, source)

            (this.Await(
                source,
                (fun value ->
                    StreamCode<'T>(fun machine ->
                        machine.Data.Run.ThrowIfLate<'a>()
                        (rest value).Invoke(&machine)))
            ))
                .Invoke(&machine))

    /// `let!` of an operation that is started here with the token of the enumeration, unless that is cancelled: parts of it that
    /// have begun are then dropped.
    member inline this.BindStarted
        ([<InlineIfLambda>] start: CancellationToken -> 'X, kind: 'K, rest: 'a -> StreamCode<'T>)
        : StreamCode<'T> when 'K :> IStarted<'X, 'S> and 'S :> ISource<'a> =
        StreamCode<'T>(fun machine ->
            if machine.Data.Run.Cancellation.IsCancellationRequested then
                StreamSteps.DropBegun(machine.Data.Run, kind)

            (this.Await(
                StreamSteps.Given<'T, 'S>(machine.Data.Run, kind.Of(start machine.Data.Run.Cancellation)),
                rest
            ))
                .Invoke(&machine))

    /// `let!` of an operation that is started here with the token of the enumeration, unless that is cancelled.
    member inline this.Bind
        (operand: Startable<'X, 'K>, rest: 'a -> StreamCode<'T>)
        : StreamCode<'T> when 'K :> IStarted<'X, 'S> and 'S :> ISource<'a> =
        let (start, kind) = operand
        this.BindStarted(start, kind, rest)

    /// `let!` of the enumeration's token.
    member inline _.Bind(_request: StreamToken, rest: CancellationToken -> StreamCode<'T>) : StreamCode<'T> =
        StreamCode<'T>(fun machine -> (rest machine.Data.Run.Cancellation).Invoke(&machine))

    /// `and!`.
    member inline _.MergeSources
        (first: 'A, second: 'B)
        : Pair<'A, 'B, 'a, 'b> when 'A :> ISource<'a> and 'B :> ISource<'b> =
        Pair<'A, 'B, 'a, 'b>(first, second)

    /// `while`, which the consumer's DisposeAsync ends.
    member inline _.While([<InlineIfLambda>] condition: unit -> bool, body: StreamCode<'T>) : StreamCode<'T> =
        StreamCode<'T>(fun machine ->
            if __useResumableCode then
                let mutable __stack_go = true

                while __stack_go && not machine.Data.IsEnding && condition () do
                    machine.Data.Run.Turning()
                    let __stack_step = body.Invoke(&machine)
                    __stack_go <- __stack_step

                __stack_go
            else
                DynamicStreams.While(&machine, condition, body))

    /// `try/with`. An error of a `finally` that the consumer's DisposeAsync runs is the result of that: no handler runs.
    member inline this.TryWith(body: StreamCode<'T>, handler: exn -> StreamCode<'T>) : StreamCode<'T> =
        this.Plain.TryWith(
            body,
            (fun error ->
                StreamCode<'T>(fun machine ->
                    if machine.Data.IsEnding then
                        StreamSteps.Pass error
                        true
                    else
                        (handler error).Invoke(&machine)))
        )

    /// `try/finally`.
    member inline this.TryFinally
        (body: StreamCode<'T>, [<InlineIfLambda>] compensation: unit -> unit)
        : StreamCode<'T> =
        this.Plain.TryFinally(body, compensation)

    /// `try/finally` whose end may wait.
    member inline this.TryFinallyAsync
        (body: StreamCode<'T>, [<InlineIfLambda>] compensation: unit -> ValueTask)
        : StreamCode<'T> =
        this.Plain.Finish(
            body,
            (fun () ->
                this.Await(
                    UnitValueTaskSource<unit, 'Affinity>(compensation ()),
                    (fun () -> ResumableCode.Zero())
                ))
        )

    /// `use` of something that is disposed asynchronously.
    member inline this.Using
        (resource: 'r, body: 'r -> StreamCode<'T>)
        : StreamCode<'T> when 'r :> IAsyncDisposable | null =
        this.TryFinallyAsync(
            StreamCode<'T>(fun machine -> (body resource).Invoke(&machine)),
            (fun () -> if isNull (box resource) then ValueTask() else resource.DisposeAsync())
        )

    /// Runs the body for each item of a collection.
    member inline _.Each
        (cursor: 'C, body: 'a -> StreamCode<'T>)
        : StreamCode<'T> when 'C: struct and 'C :> IItemCursor<'a> =
        StreamCode<'T>(fun machine ->
            if __useResumableCode then
                let mutable __stack_go = true
                let mutable position = cursor

                while __stack_go && not machine.Data.IsEnding && position.MoveNext() do
                    machine.Data.Run.Turning()
                    let __stack_step = (body position.Current).Invoke(&machine)
                    __stack_go <- __stack_step

                __stack_go
            else
                let position = cursor :> IItemCursor<'a>

                DynamicStreams.While(
                    &machine,
                    (fun () -> position.MoveNext()),
                    StreamCode<'T>(fun machine -> (body position.Current).Invoke(&machine))
                ))

    /// `for` over an array.
    member inline this.For(items: 'a[], body: 'a -> StreamCode<'T>) : StreamCode<'T> =
        this.Each(ArrayCursor<'a> items, body)

    /// `for` over a list.
    member inline this.For(items: 'a list, body: 'a -> StreamCode<'T>) : StreamCode<'T> =
        this.Each(ListCursor<'a> items, body)

    /// `for` over a ResizeArray.
    member inline this.For(items: ResizeArray<'a>, body: 'a -> StreamCode<'T>) : StreamCode<'T> =
        this.Each(ResizeArrayCursor<'a> items, body)

    /// `for` over a System.Range: `for i in Range(1, 4)` runs for 1, 2 and 3.
    member inline this.For(range: Range, body: int -> StreamCode<'T>) : StreamCode<'T> =
        this.Each(RangeCursor range, body)

    /// `for` over any sequence.
    member inline this.For(items: seq<'a>, body: 'a -> StreamCode<'T>) : StreamCode<'T> =
        ResumableCode.Using(
            items.GetEnumerator(),
            (fun (position: IEnumerator<'a>) ->
                this.While(
                    (fun () -> position.MoveNext()),
                    StreamCode<'T>(fun machine -> (body position.Current).Invoke(&machine))
                ))
        )

    /// One turn of a loop over an asynchronous sequence, after which the consumer's DisposeAsync ends the loop.
    member inline _.Turn(cursor: AsyncSequenceCursor<'a>, body: 'a -> StreamCode<'T>) : 'a -> StreamCode<'T> =
        fun item ->
            ResumableCode.Combine(
                body item,
                StreamCode<'T>(fun machine ->
                    if machine.Data.IsEnding then
                        cursor.More <- false

                    true)
            )

    /// `for` over an asynchronous sequence, which gets the token of the enumeration.
    member inline this.For(items: IAsyncEnumerable<'a>, body: 'a -> StreamCode<'T>) : StreamCode<'T> =
        StreamCode<'T>(fun machine ->
            let cursor =
                PlainAsyncSequenceCursor<'a>(items.GetAsyncEnumerator machine.Data.Run.Cancellation)

            (this.Plain.EachItem(
                cursor,
                (fun rest -> this.Bind(ValueTaskSource<bool, 'Affinity>(cursor.MoveNext()), rest)),
                (fun () ->
                    this.Await(
                        UnitValueTaskSource<unit, 'Affinity>(cursor.Dispose()),
                        (fun () -> ResumableCode.Zero())
                    )),
                this.Turn(cursor, body)
            ))
                .Invoke(&machine))

    /// `for` over an asynchronous sequence with ConfigureAwait or WithCancellation, whose token it has.
    member inline this.For
        (items: ConfiguredCancelableAsyncEnumerable<'a>, body: 'a -> StreamCode<'T>)
        : StreamCode<'T> =
        StreamCode<'T>(fun machine ->
            let cursor = ConfiguredAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

            (this.Plain.EachItem(
                cursor,
                (fun rest ->
                    this.Bind(AwaiterPattern.Critical<_, bool>(cursor.MoveNext().GetAwaiter()), rest)),
                (fun () ->
                    this.Await(
                        AwaiterPattern.Critical<_, unit>(cursor.Dispose().GetAwaiter()),
                        (fun () -> ResumableCode.Zero())
                    )),
                this.Turn(cursor, body)
            ))
                .Invoke(&machine))

/// Members reached only where the intrinsic ones do not fit.
[<AutoOpen>]
module StreamFallbacks =
    type StreamMembers<'Affinity when 'Affinity :> IAffinity> with

        /// `use` of something that is disposed synchronously; a type with both interfaces takes the other.
        member inline _.Using
            (resource: 'r, body: 'r -> StreamCode<'T>)
            : StreamCode<'T> when 'r :> IDisposable | null =
            ResumableCode.Using(resource, body)

        /// Refuses `for` over a value that is no sequence, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        member inline _.For
            (_source: 'S, _body: 'a -> StreamCode<'T>)
            : StreamCode<'T> when 'S :> ISource<'a> =
            raise (NotSupportedException())

/// The operands that builders of streams bind in another way than the other builders. Functions of a token are called in a lambda, for
/// the reason that CancellableStructurals has.
[<AutoOpen>]
module StreamSources =
    type StreamMembers<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a strand.
        member inline _.Source(strand: Strand<'a>) = StrandSource<'a, 'Affinity> strand

        /// Starts and binds an async, on the calling thread, with the token of the enumeration.
        member inline _.Source(work: Async<'a>) =
            AsyncSource<'a, 'Affinity>(AsyncStart<'a> work)

        /// Starts and binds a task, with the token of the enumeration.
        member inline _.Source([<InlineIfLambda>] start: CancellationToken -> Task<'a>) =
            (fun (token: CancellationToken) -> start token), StartedTask<'a, 'Affinity>()

        /// Starts and binds a task, with the token of the enumeration.
        member inline _.Source([<InlineIfLambda>] start: CancellationToken -> Task) =
            (fun (token: CancellationToken) -> start token), StartedUnitTask<'Affinity>()

        /// Starts and binds a ValueTask, with the token of the enumeration.
        member inline _.Source([<InlineIfLambda>] start: CancellationToken -> ValueTask<'a>) =
            (fun (token: CancellationToken) -> start token), StartedValueTask<'a, 'Affinity>()

        /// Starts and binds a ValueTask, with the token of the enumeration.
        member inline _.Source([<InlineIfLambda>] start: CancellationToken -> ValueTask) =
            (fun (token: CancellationToken) -> start token), StartedUnitValueTask<'Affinity>()

        /// The token of the enumeration.
        member inline _.Source(request: StreamToken) : StreamToken = request
