// Layer: machine. The builders of functions of a token: their operands beside awaitables, and the way of the token.
namespace Plait.Kernel

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Plait

/// The source of an operation, or of a function that starts one. Implementations are empty structs, of which any value will do; those that
/// are IBegun hold the operations that have begun.
type IStarted<'X, 'S> =

    /// The source.
    abstract Of: started: 'X -> 'S

/// A function that gives a Task<'a>.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type StartedTask<'a, 'Affinity when 'Affinity :> IAffinity> =
    interface IStarted<Task<'a>, TaskSource<'a, 'Affinity>> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Of started = TaskSource<'a, 'Affinity> started

/// A function that gives a Task.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type StartedUnitTask<'Affinity when 'Affinity :> IAffinity> =
    interface IStarted<Task, UnitTaskSource<unit, 'Affinity>> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Of started = UnitTaskSource<unit, 'Affinity> started

/// A function that gives a ValueTask<'a>.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type StartedValueTask<'a, 'Affinity when 'Affinity :> IAffinity> =
    interface IStarted<ValueTask<'a>, ValueTaskSource<'a, 'Affinity>> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Of started = ValueTaskSource<'a, 'Affinity> started

/// A function that gives a ValueTask.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type StartedUnitValueTask<'Affinity when 'Affinity :> IAffinity> =
    interface IStarted<ValueTask, UnitValueTaskSource<unit, 'Affinity>> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Of started =
            UnitValueTaskSource<unit, 'Affinity> started

/// A function that gives a source.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type StartedSource<'S> =
    interface IStarted<'S, 'S> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Of started = started

/// An operation that has begun.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type BegunSource<'S, 'a when 'S :> ISource<'a>>(source: 'S) =
    interface IStarted<unit, 'S> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Of(()) = source

    interface IBegun with
        member _.Drop token = Cancelled.Forget<'S, 'a>(source, token)

/// Two operands of `and!`.
[<Struct; IsReadOnly; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type StartedBoth<'X, 'K, 'A, 'a, 'Y, 'L, 'B, 'b
    when 'K :> IStarted<'X, 'A> and 'L :> IStarted<'Y, 'B> and 'A :> ISource<'a> and 'B :> ISource<'b>>
    (first: 'K, second: 'L) =
    interface IStarted<struct ('X * 'Y), Pair<'A, 'B, 'a, 'b>> with
        [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
        member _.Of(struct (x, y)) =
            Pair<'A, 'B, 'a, 'b>(first.Of x, second.Of y)

    interface IBegun with
        member _.Drop token =
            Cancelled.ForgetBegun(first, token)
            Cancelled.ForgetBegun(second, token)

/// A function to start with a token, and the struct that makes a source of its result. A reference tuple, because the compiler takes those apart where they
/// are made: a lambda is then inlined, and a function is called as it is. No tuple and no closure is allocated.
type Startable<'X, 'K> = (CancellationToken -> 'X) * 'K

/// A builder whose code has a token for the operations that it starts.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type IStartingBuilder = interface end

/// `and!` of operations that are started with the token.
[<AutoOpen>]
module StartedMerges =
    type IStartingBuilder with

        /// `and!`: both are started with the token, the first one first.
        member inline _.MergeSources
            (first: Startable<'X, 'K>, second: Startable<'Y, 'L>)
            : Startable<struct ('X * 'Y), StartedBoth<'X, 'K, 'A, 'a, 'Y, 'L, 'B, 'b>>
                when 'K :> IStarted<'X, 'A>
                and 'L :> IStarted<'Y, 'B>
                and 'A :> ISource<'a>
                and 'B :> ISource<'b>
            =
            let (start, kind) = first
            let (startSecond, kindSecond) = second

            (fun token ->
                let started = start token
                struct (started, startSecond token)),
            StartedBoth<'X, 'K, 'A, 'a, 'Y, 'L, 'B, 'b>(kind, kindSecond)

        /// `and!` with an operation that has started.
        member inline _.MergeSources
            (first: Startable<'X, 'K>, second: 'B)
            : Startable<struct ('X * unit), StartedBoth<'X, 'K, 'A, 'a, unit, BegunSource<'B, 'b>, 'B, 'b>>
                when 'K :> IStarted<'X, 'A> and 'A :> ISource<'a> and 'B :> ISource<'b>
            =
            let (start, kind) = first

            (fun token -> struct (start token, ())),
            StartedBoth<'X, 'K, 'A, 'a, unit, BegunSource<'B, 'b>, 'B, 'b>(kind, BegunSource<'B, 'b> second)

        /// `and!` with an operation that has started.
        member inline _.MergeSources
            (first: 'A, second: Startable<'Y, 'L>)
            : Startable<struct (unit * 'Y), StartedBoth<unit, BegunSource<'A, 'a>, 'A, 'a, 'Y, 'L, 'B, 'b>>
                when 'L :> IStarted<'Y, 'B> and 'A :> ISource<'a> and 'B :> ISource<'b>
            =
            let (start, kind) = second

            (fun token -> struct ((), start token)),
            StartedBoth<unit, BegunSource<'A, 'a>, 'A, 'a, 'Y, 'L, 'B, 'b>(BegunSource<'A, 'a> first, kind)

/// Every member of the builders of cancellable operations but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type CancellableBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit ColdStatements<'Affinity>()
    interface IStartingBuilder

    /// `let!` of a source, unless the token is cancelled and the result no resource.
    member inline this.Bind(source: 'S, rest: 'a -> Code<'T, 'U>) : Code<'T, 'U> when 'S :> ISource<'a> =
        Code<'T, 'U>(fun machine ->
            if machine.Data.Token.IsCancellationRequested then
                Cancelled.Drop<'T, 'S, 'a>(&machine.Data, source)

            ((this :> MachineBuilder<'Affinity>).Bind(source, rest)).Invoke(&machine))

    /// `let!` of an operation that is started here with the token, unless that is cancelled: parts of it that have begun are then
    /// dropped.
    member inline this.BindStarted
        ([<InlineIfLambda>] start: CancellationToken -> 'X, kind: 'K, rest: 'a -> Code<'T, 'U>)
        : Code<'T, 'U> when 'K :> IStarted<'X, 'S> and 'S :> ISource<'a> =
        Code<'T, 'U>(fun machine ->
            if machine.Data.Token.IsCancellationRequested then
                Cancelled.DropBegun(&machine.Data, kind)

            ((this :> MachineBuilder<'Affinity>).Bind(kind.Of(start machine.Data.Token), rest))
                .Invoke(&machine))

    /// `let!` of an operation that is started here with the token, unless that is cancelled.
    member inline this.Bind
        (operand: Startable<'X, 'K>, rest: 'a -> Code<'T, 'U>)
        : Code<'T, 'U> when 'K :> IStarted<'X, 'S> and 'S :> ISource<'a> =
        let (start, kind) = operand
        this.BindStarted(start, kind, rest)

    /// `return!` of a source, unless the token is cancelled and the result no resource.
    member inline this.ReturnFrom(source: 'S) : Code<'T, 'T> when 'S :> ISource<'T> =
        this.Bind(source, (fun value -> this.Return value))

    /// `return!` of an operation that is started here with the token, unless that is cancelled.
    member inline this.ReturnFrom
        (operand: Startable<'X, 'K>)
        : Code<'T, 'T> when 'K :> IStarted<'X, 'S> and 'S :> ISource<'T> =
        let (start, kind) = operand
        this.BindStarted(start, kind, (fun value -> this.Return value))

    /// `while`.
    member inline _.While
        ([<InlineIfLambda>] condition: unit -> bool, [<InlineIfLambda>] body: Deferred<'T, unit>)
        : Code<'T, unit> =
        ResumableCode.While(
            condition,
            Code<'T, unit>(fun machine ->
                if machine.Data.IsLate then
                    Cancelled.Turn &machine.Data

                (body.Invoke()).Invoke(&machine))
        )

    /// One turn of a `for`.
    member inline _.Turn(body: 'a -> Code<'T, unit>) : 'a -> Code<'T, unit> =
        fun item ->
            Code<'T, unit>(fun machine ->
                if machine.Data.IsLate then
                    Cancelled.Turn &machine.Data

                (body item).Invoke(&machine))

    /// `for` over any sequence.
    member inline this.For(items: seq<'a>, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        (this :> MachineBuilder<'Affinity>).For(items, this.Turn body)

    /// `for` over an array.
    member inline this.For(items: 'a[], body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        (this :> MachineBuilder<'Affinity>).For(items, this.Turn body)

    /// `for` over a list.
    member inline this.For(items: 'a list, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        (this :> MachineBuilder<'Affinity>).For(items, this.Turn body)

    /// `for` over a ResizeArray.
    member inline this.For(items: ResizeArray<'a>, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        (this :> MachineBuilder<'Affinity>).For(items, this.Turn body)

    /// `for` over a System.Range: `for i in Range(1, 4)` runs for 1, 2 and 3.
    member inline this.For(range: Range, body: int -> Code<'T, unit>) : Code<'T, unit> =
        (this :> MachineBuilder<'Affinity>).For(range, this.Turn body)

    /// `for` over an asynchronous sequence with ConfigureAwait or WithCancellation, whose token it has.
    member inline this.For
        (items: ConfiguredCancelableAsyncEnumerable<'a>, body: 'a -> Code<'T, unit>)
        : Code<'T, unit> =
        (this :> MachineBuilder<'Affinity>).For(items, this.Turn body)

    /// `for` over an asynchronous sequence, which gets the token.
    member inline this.For(items: IAsyncEnumerable<'a>, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        Code<'T, unit>(fun machine ->
            machine.Data.Token.ThrowIfCancellationRequested()

            let cursor =
                PlainAsyncSequenceCursor<'a>(items.GetAsyncEnumerator machine.Data.Token)

            ((this :> MachineStatements)
                .EachItem(
                    cursor,
                    (fun rest ->
                        this.BindStarted(
                            (fun _ -> cursor.MoveNext()),
                            StartedValueTask<bool, 'Affinity>(),
                            rest
                        )),
                    (fun () ->
                        (this :> MachineBuilder<'Affinity>)
                            .Bind(
                                UnitValueTaskSource<unit, 'Affinity>(cursor.Dispose()),
                                (fun () -> ResumableCode.Zero())
                            )),
                    body
                ))
                .Invoke(&machine))

    /// A function that starts the code anew at each call, with the token of the call.
    member inline _.Cancellable<'T, 'Result, 'Shape, 'Safety
        when 'Shape :> IShape<'T, 'Result> and 'Safety :> ISafety>
        ([<InlineIfLambda>] code: Deferred<'T, 'T>)
        : CancellationToken -> 'Result =
        fun token ->
            Machine.Run<'T, 'Result, 'Shape, 'Safety>(
                Code<'T, 'T>(fun machine -> (code.Invoke()).Invoke(&machine)),
                token
            )

    /// A function that starts the code anew at each call, with the token of the call: on the thread pool if the calling thread has
    /// a context.
    member inline this.BackgroundCancellable<'T, 'Result, 'Shape, 'Safety
        when 'Shape :> IShape<'T, 'Result> and 'Safety :> ISafety>
        ([<InlineIfLambda>] code: Deferred<'T, 'T>)
        : CancellationToken -> 'Result =
        fun token ->
            Machine.Run<'T, 'Result, 'Shape, 'Safety>(
                Code<'T, 'T>(fun machine ->
                    ((this :> MachineBuilder<'Affinity>)
                        .Bind(
                            OffContextSource<unit>(),
                            (fun () ->
                                Code<'T, 'T>(fun machine ->
                                    machine.Data.Token.ThrowIfCancellationRequested()
                                    (code.Invoke()).Invoke(&machine)))
                        ))
                        .Invoke(&machine)),
                token
            )

/// Functions without an argument that give anything with GetAwaiter. Functions of a token rank above those without an argument, so that a lambda
/// that does not use its parameter, `fun _ -> ...`, has one meaning.
[<AutoOpen>]
module CancellableUnitStructurals =
    type CancellableBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Starts and binds anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Source
            ([<InlineIfLambda>] start: unit -> CriticalAwaitable<'L, 'A, 'a>)
            : Startable<AwaiterSource<'A, 'a>, StartedSource<AwaiterSource<'A, 'a>>> =
            (fun (_: CancellationToken) -> AwaiterPattern.Critical<'A, 'a>((start ()).GetAwaiter())),
            StartedSource<AwaiterSource<'A, 'a>>()

/// Functions of a token that give anything with GetAwaiter, and functions without an argument. F# makes an object of a partial application,
/// unless that stands for the function of a lambda: so each function is called in one, here and below.
[<AutoOpen>]
module CancellableStructurals =
    type CancellableBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Starts and binds anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Source
            ([<InlineIfLambda>] start: CancellationToken -> CriticalAwaitable<'L, 'A, 'a>)
            : Startable<AwaiterSource<'A, 'a>, StartedSource<AwaiterSource<'A, 'a>>> =
            (fun (token: CancellationToken) -> AwaiterPattern.Critical<'A, 'a>((start token).GetAwaiter())),
            StartedSource<AwaiterSource<'A, 'a>>()

        /// Starts and binds a task.
        member inline _.Source([<InlineIfLambda>] start: unit -> Task<'a>) =
            (fun (_: CancellationToken) -> start ()), StartedTask<'a, 'Affinity>()

        /// Starts and binds a task.
        member inline _.Source([<InlineIfLambda>] start: unit -> Task) =
            (fun (_: CancellationToken) -> start ()), StartedUnitTask<'Affinity>()

        /// Starts and binds a ValueTask.
        member inline _.Source([<InlineIfLambda>] start: unit -> ValueTask<'a>) =
            (fun (_: CancellationToken) -> start ()), StartedValueTask<'a, 'Affinity>()

        /// Starts and binds a ValueTask.
        member inline _.Source([<InlineIfLambda>] start: unit -> ValueTask) =
            (fun (_: CancellationToken) -> start ()), StartedUnitValueTask<'Affinity>()

/// Functions of a token, and asyncs.
[<AutoOpen>]
module CancellableSources =
    type CancellableBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Starts and binds a strand.
        member inline _.Source([<InlineIfLambda>] start: CancellationToken -> Strand<'a>) =
            (fun (token: CancellationToken) -> StrandSource<'a, 'Affinity>(start token)),
            StartedSource<StrandSource<'a, 'Affinity>>()

        /// Starts and binds a task.
        member inline _.Source([<InlineIfLambda>] start: CancellationToken -> Task<'a>) =
            (fun (token: CancellationToken) -> start token), StartedTask<'a, 'Affinity>()

        /// Starts and binds a task.
        member inline _.Source([<InlineIfLambda>] start: CancellationToken -> Task) =
            (fun (token: CancellationToken) -> start token), StartedUnitTask<'Affinity>()

        /// Starts and binds a ValueTask.
        member inline _.Source([<InlineIfLambda>] start: CancellationToken -> ValueTask<'a>) =
            (fun (token: CancellationToken) -> start token), StartedValueTask<'a, 'Affinity>()

        /// Starts and binds a ValueTask.
        member inline _.Source([<InlineIfLambda>] start: CancellationToken -> ValueTask) =
            (fun (token: CancellationToken) -> start token), StartedUnitValueTask<'Affinity>()

        /// Starts and binds an async with the token, on the calling thread.
        member inline _.Source(work: Async<'a>) =
            (fun (token: CancellationToken) -> Async.StartImmediateAsTask(work, token)),
            StartedTask<'a, 'Affinity>()
