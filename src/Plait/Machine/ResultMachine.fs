// Layer: machine. The builders of results over the pooled machines. An Error is the result of the machine and ends the code
// without an exception: each later statement, and the next iteration of a loop, checks the result and does not run.
namespace Plait.Kernel

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers
open Plait

/// A part of a computation that ends in a Result<'T, 'E> and yields 'U here.
type ResultCode<'T, 'E, 'U> = Code<Result<'T, 'E>, 'U>

/// The loops of a computation that the compiler did not flatten. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type DynamicResult =

    static member private Follow<'T, 'E>
        (
            machine: byref<ResumableStateMachine<Data<Result<'T, 'E>>>>,
            condition: unit -> bool,
            body: ResultCode<'T, 'E, unit>
        ) =
        let turn = machine.ResumptionDynamicInfo.ResumptionFunc

        machine.ResumptionDynamicInfo.ResumptionFunc <-
            ResumptionFunc<Data<Result<'T, 'E>>>(fun machine ->
                if turn.Invoke &machine then
                    DynamicResult.While(&machine, condition, body)
                else
                    DynamicResult.Follow(&machine, condition, body)
                    false)

    /// `while`, which an Error ends.
    static member While<'T, 'E>
        (
            machine: byref<ResumableStateMachine<Data<Result<'T, 'E>>>>,
            condition: unit -> bool,
            body: ResultCode<'T, 'E, unit>
        ) : bool =
        let mutable completed = true

        while completed && machine.Data.Result.IsOk && condition () do
            completed <- body.Invoke &machine

        if not completed then
            DynamicResult.Follow(&machine, condition, body)

        completed

/// Runs computations as pooled state machines. Called by the builders' Run only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type ResultMachine =

    /// `Machine.Run` of a computation over results.
    static member inline Run<'T, 'E, 'Result, 'Shape, 'Safety
        when 'Shape :> IShape<Result<'T, 'E>, 'Result> and 'Safety :> ISafety>
        (code: ResultCode<'T, 'E, 'T>)
        : 'Result =
        Machine.Run<Result<'T, 'E>, 'Result, 'Shape, 'Safety>(
            Code<Result<'T, 'E>, Result<'T, 'E>>(fun machine -> code.Invoke(&machine))
        )

/// Every member of the resumable builders of results but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type ResultMachineBuilder<'Affinity when 'Affinity :> IAffinity>() =
    interface ISources<'Affinity>
    interface IResultSources<'Affinity>

    /// The members of the builders without results, of which these are made.
    [<EditorBrowsable(EditorBrowsableState.Never)>]
    member val Plain = MachineBuilder<'Affinity>()

    /// Defers a part.
    member inline _.Delay(part: unit -> ResultCode<'T, 'E, 'U>) : ResultCode<'T, 'E, 'U> =
        ResultCode<'T, 'E, 'U>(fun machine -> (part ()).Invoke &machine)

    /// Nothing.
    [<DefaultValue>]
    member inline _.Zero() : ResultCode<'T, 'E, unit> = ResumableCode.Zero()

    /// The value of the result.
    member inline _.Return(value: 'T) : ResultCode<'T, 'E, 'T> =
        ResultCode<'T, 'E, 'T>(fun machine ->
            machine.Data.Result <- Ok value
            true)

    /// One statement after another, unless the first one ended in an Error.
    member inline _.Combine
        (first: ResultCode<'T, 'E, unit>, second: ResultCode<'T, 'E, 'U>)
        : ResultCode<'T, 'E, 'U> =
        ResumableCode.Combine(
            first,
            ResultCode<'T, 'E, 'U>(fun machine ->
                if machine.Data.Result.IsError then true else second.Invoke(&machine))
        )

    /// `let!` of an operation that gives a Result: its Error is the result of all.
    member inline this.Bind
        (source: ResultOf<'S, 'a, 'E>, rest: 'a -> ResultCode<'T, 'E, 'U>)
        : ResultCode<'T, 'E, 'U> =
        this.Plain.Bind(
            source.Source,
            (fun (result: Result<'a, 'E>) ->
                ResultCode<'T, 'E, 'U>(fun machine ->
                    match result with
                    | Ok value -> (rest value).Invoke(&machine)
                    | Error error ->
                        machine.Data.Result <- Error error
                        true))
        )

    /// `let!` of any other source.
    member inline this.Bind
        (source: 'S, rest: 'a -> ResultCode<'T, 'E, 'U>)
        : ResultCode<'T, 'E, 'U> when 'S :> ISource<'a> =
        this.Plain.Bind(source, rest)

    /// `return!` of an operation that gives a Result.
    member inline this.ReturnFrom(source: ResultOf<'S, 'T, 'E>) : ResultCode<'T, 'E, 'T> =
        this.Plain.Bind(
            source.Source,
            (fun (result: Result<'T, 'E>) ->
                ResultCode<'T, 'E, 'T>(fun machine ->
                    machine.Data.Result <- result
                    true))
        )

    /// `return!` of any other source.
    member inline this.ReturnFrom(source: 'S) : ResultCode<'T, 'E, 'T> when 'S :> ISource<'T> =
        this.Plain.Bind(source, (fun value -> this.Return value))

    /// `while`, which an Error ends.
    member inline _.While
        ([<InlineIfLambda>] condition: unit -> bool, body: ResultCode<'T, 'E, unit>)
        : ResultCode<'T, 'E, unit> =
        ResultCode<'T, 'E, unit>(fun machine ->
            if __useResumableCode then
                let mutable __stack_go = true

                while __stack_go && machine.Data.Result.IsOk && condition () do
                    let __stack_step = body.Invoke(&machine)
                    __stack_go <- __stack_step

                __stack_go
            else
                DynamicResult.While(&machine, condition, body))

    /// `try/with`. An Error of the body is no exception; an exception while the body ends by it takes its place.
    member inline this.TryWith
        (body: ResultCode<'T, 'E, 'U>, handler: exn -> ResultCode<'T, 'E, 'U>)
        : ResultCode<'T, 'E, 'U> =
        this.Plain.TryWith(
            body,
            (fun error ->
                ResultCode<'T, 'E, 'U>(fun machine ->
                    machine.Data.Result <- Unchecked.defaultof<Result<'T, 'E>>
                    (handler error).Invoke(&machine)))
        )

    /// `try/finally`.
    member inline this.TryFinally
        (body: ResultCode<'T, 'E, 'U>, [<InlineIfLambda>] compensation: unit -> unit)
        : ResultCode<'T, 'E, 'U> =
        this.Plain.TryFinally(body, compensation)

    /// `use` of something that is disposed asynchronously.
    member inline this.Using
        (resource: 'r, body: 'r -> ResultCode<'T, 'E, 'U>)
        : ResultCode<'T, 'E, 'U> when 'r :> IAsyncDisposable | null =
        this.Plain.TryFinallyAsync(
            ResultCode<'T, 'E, 'U>(fun machine -> (body resource).Invoke(&machine)),
            (fun () -> if isNull (box resource) then ValueTask() else resource.DisposeAsync())
        )

    /// Runs the body for each item of a collection, until an Error ends it.
    member inline _.Each
        (cursor: 'C, body: 'a -> ResultCode<'T, 'E, unit>)
        : ResultCode<'T, 'E, unit> when 'C: struct and 'C :> IItemCursor<'a> =
        ResultCode<'T, 'E, unit>(fun machine ->
            if __useResumableCode then
                let mutable __stack_go = true
                let mutable position = cursor

                while __stack_go && machine.Data.Result.IsOk && position.MoveNext() do
                    let __stack_step = (body position.Current).Invoke(&machine)
                    __stack_go <- __stack_step

                __stack_go
            else
                let position = cursor :> IItemCursor<'a>

                DynamicResult.While(
                    &machine,
                    (fun () -> position.MoveNext()),
                    ResultCode<'T, 'E, unit>(fun machine -> (body position.Current).Invoke(&machine))
                ))

    /// `for` over an array.
    member inline this.For(items: 'a[], body: 'a -> ResultCode<'T, 'E, unit>) : ResultCode<'T, 'E, unit> =
        this.Each(ArrayCursor<'a> items, body)

    /// `for` over a list.
    member inline this.For(items: 'a list, body: 'a -> ResultCode<'T, 'E, unit>) : ResultCode<'T, 'E, unit> =
        this.Each(ListCursor<'a> items, body)

    /// `for` over a ResizeArray.
    member inline this.For
        (items: ResizeArray<'a>, body: 'a -> ResultCode<'T, 'E, unit>)
        : ResultCode<'T, 'E, unit> =
        this.Each(ResizeArrayCursor<'a> items, body)

    /// `for` over a System.Range: `for i in Range(1, 4)` runs for 1, 2 and 3.
    member inline this.For(range: Range, body: int -> ResultCode<'T, 'E, unit>) : ResultCode<'T, 'E, unit> =
        this.Each(RangeCursor range, body)

    /// `for` over any sequence.
    member inline this.For(items: seq<'a>, body: 'a -> ResultCode<'T, 'E, unit>) : ResultCode<'T, 'E, unit> =
        ResumableCode.Using(
            items.GetEnumerator(),
            (fun (position: IEnumerator<'a>) ->
                this.While(
                    (fun () -> position.MoveNext()),
                    ResultCode<'T, 'E, unit>(fun machine -> (body position.Current).Invoke(&machine))
                ))
        )

    /// One turn of a loop over an asynchronous sequence, after which an Error ends the loop.
    member inline _.Turn
        (cursor: AsyncSequenceCursor<'a>, body: 'a -> ResultCode<'T, 'E, unit>)
        : 'a -> ResultCode<'T, 'E, unit> =
        fun item ->
            ResumableCode.Combine(
                body item,
                ResultCode<'T, 'E, unit>(fun machine ->
                    if machine.Data.Result.IsError then
                        cursor.More <- false

                    true)
            )

    /// `for` over an asynchronous sequence.
    member inline this.For
        (items: IAsyncEnumerable<'a>, body: 'a -> ResultCode<'T, 'E, unit>)
        : ResultCode<'T, 'E, unit> =
        ResultCode<'T, 'E, unit>(fun machine ->
            let cursor = PlainAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

            (this.Plain.EachItem(
                cursor,
                (fun rest -> this.Plain.Bind(ValueTaskSource<bool, 'Affinity>(cursor.MoveNext()), rest)),
                (fun () ->
                    this.Plain.Bind(
                        UnitValueTaskSource<unit, 'Affinity>(cursor.Dispose()),
                        (fun () -> ResumableCode.Zero())
                    )),
                this.Turn(cursor, body)
            ))
                .Invoke(&machine))

    /// `for` over an asynchronous sequence with ConfigureAwait or WithCancellation.
    member inline this.For
        (items: ConfiguredCancelableAsyncEnumerable<'a>, body: 'a -> ResultCode<'T, 'E, unit>)
        : ResultCode<'T, 'E, unit> =
        ResultCode<'T, 'E, unit>(fun machine ->
            let cursor = ConfiguredAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

            (this.Plain.EachItem(
                cursor,
                (fun rest ->
                    this.Plain.Bind(AwaiterPattern.Critical<_, bool>(cursor.MoveNext().GetAwaiter()), rest)),
                (fun () ->
                    this.Plain.Bind(
                        AwaiterPattern.Critical<_, unit>(cursor.Dispose().GetAwaiter()),
                        (fun () -> ResumableCode.Zero())
                    )),
                this.Turn(cursor, body)
            ))
                .Invoke(&machine))

/// Members reached only where the intrinsic ones do not fit.
[<AutoOpen>]
module ResultMachineFallbacks =
    type ResultMachineBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// `use` of something that is disposed synchronously; a type with both interfaces takes the other.
        member inline _.Using
            (resource: 'r, body: 'r -> ResultCode<'T, 'E, 'U>)
            : ResultCode<'T, 'E, 'U> when 'r :> IDisposable | null =
            ResumableCode.Using(resource, body)

        /// Refuses `for` over a value that is no sequence, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        member inline _.For
            (_source: 'S, _body: 'a -> ResultCode<'T, 'E, unit>)
            : ResultCode<'T, 'E, unit> when 'S :> ISource<'a> =
            raise (NotSupportedException())

/// The operands of the builders of results, besides the sources that all builders share.
[<AutoOpen>]
module ResultMachineSources =
    type ResultMachineBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a strand.
        member inline _.Source(strand: Strand<'a>) = StrandSource<'a, 'Affinity> strand

/// The operands that builders of results bind by the value of a Result, besides the sources that all builders share.
[<AutoOpen>]
module ResultMachineResultSources =
    type ResultMachineBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a strand of a Result.
        member inline _.Source(strand: Strand<Result<'a, 'E>>) =
            ResultOf<_, 'a, 'E>(StrandSource<Result<'a, 'E>, 'Affinity> strand)

/// Every member of the resumable builders of validations but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type ValidationMachineBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit ResultMachineBuilder<'Affinity>()
    interface IValidationSources<'Affinity>

/// The operands of validations besides the sources that all builders share.
[<AutoOpen>]
module ValidationMachineSources =
    type ValidationMachineBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a strand of a Result.
        member inline _.Source(strand: Strand<Result<'a, 'E>>) =
            Validated.one<_, 'a, 'E>(StrandSource<Result<'a, 'E>, 'Affinity> strand)

/// The same of validations.
[<AutoOpen>]
module ValidationMachineListSources =
    type ValidationMachineBuilder<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a strand of a validation.
        member inline _.Source(strand: Strand<Result<'a, 'E list>>) =
            Validated.many<_, 'a, 'E>(StrandSource<Result<'a, 'E list>, 'Affinity> strand)
