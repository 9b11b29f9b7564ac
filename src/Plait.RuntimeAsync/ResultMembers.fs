// Layer: members. The members of the builders of results. A part is a function that returns a Result, inlined into the async method
// of Run: a part that ends in an Error returns it, and the code after a part looks at its Result first. So an Error leaves
// loops, `use` and `try` as any value does.
//
// `let!` binds a step that gives a Result: ResultSteps makes one of each awaitable.
namespace Plait.RuntimeAsync.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices
open System.Threading.Tasks

open Plait.Kernel
open Plait.RuntimeAsync

/// The members of the builders of results and of validations that are the same for both.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type RuntimeResultStatements<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeStatements<'Affinity>()

    /// Nothing.
    member inline _.Zero() : Result<unit, 'E> = Ok()

    /// The value of the result.
    member inline _.Return(value: 'T) : Result<'T, 'E> = Ok value

    /// One statement after another, unless the first one ended in an Error.
    member inline _.Combine
        (first: Result<unit, 'E>, [<InlineIfLambda>] second: unit -> Result<'T, 'E>)
        : Result<'T, 'E> =
        match first with
        | Ok() -> second ()
        | Error error -> Error error

    /// `while`, which an Error ends.
    member inline _.While
        ([<InlineIfLambda>] condition: unit -> bool, [<InlineIfLambda>] body: unit -> Result<unit, 'E>)
        : Result<unit, 'E> =
        let mutable turn = Ok()

        while turn.IsOk && condition () do
            turn <- body ()

        turn

    /// `for` over any sequence; without an enumerator object over an array, a list or a ResizeArray. An Error ends it.
    member inline this.For
        (items: seq<'a>, [<InlineIfLambda>] body: 'a -> Result<unit, 'E>)
        : Result<unit, 'E> =
        Loops.over items (fun cursor ->
            this.While((fun () -> cursor.MoveNext()), (fun () -> body cursor.Current)))

/// Loops over ranges and asynchronous sequences.
[<AutoOpen>]
module RuntimeResultLoops =
    type RuntimeResultStatements<'Affinity when 'Affinity :> IAffinity> with

        /// `for` over a System.Range: `for i in Range(1, 4)` runs for 1, 2 and 3. An Error ends it.
        member inline _.For
            (range: Range, [<InlineIfLambda>] body: int -> Result<unit, 'E>)
            : Result<unit, 'E> =
            let limit = Ranges.Limit range
            let mutable next = Ranges.First range
            let mutable turn = Ok()

            while turn.IsOk && next < limit do
                turn <- body next
                next <- next + 1

            turn

        /// `for` over an asynchronous sequence with ConfigureAwait or WithCancellation. An Error ends it.
        member inline this.For
            (items: ConfiguredCancelableAsyncEnumerable<'a>, [<InlineIfLambda>] body: 'a -> Result<unit, 'E>)
            : Result<unit, 'E> =
            let cursor = items.GetAsyncEnumerator()

            Ending.awaiting
                (fun () ->
                    this.While(
                        (fun () -> AsyncHelpers.Await(cursor.MoveNextAsync())),
                        (fun () -> body cursor.Current)
                    ))
                (fun () -> AsyncHelpers.Await(cursor.DisposeAsync()))

        /// `for` over an asynchronous sequence. An Error ends it.
        member inline this.For
            (items: IAsyncEnumerable<'a>, [<InlineIfLambda>] body: 'a -> Result<unit, 'E>)
            : Result<unit, 'E> =
            this.For(items.ConfigureAwait 'Affinity.Captures, body)

/// Steps that give a Result.
[<EditorBrowsable(EditorBrowsableState.Never)>]
module ResultStep =

    // the locals are those of Awaiters.next
    /// A step whose value is an Ok.
    let inline value ([<InlineIfLambda>] await: unit -> 'a) : Step<'Affinity, Result<'a, 'E>> =
        Step<'Affinity, Result<'a, 'E>>(fun () ->
            let __stack_awaited = await ()
            Ok __stack_awaited)

    /// A step that gives a Result itself.
    let inline result ([<InlineIfLambda>] await: unit -> Result<'a, 'E>) : Step<'Affinity, Result<'a, 'E>> =
        Step<'Affinity, Result<'a, 'E>>(fun () ->
            let __stack_awaited = await ()
            __stack_awaited)

    /// A step with one Error as that of a validation.
    let inline listed
        ([<InlineIfLambda>] step: Step<'Affinity, Result<'a, 'E>>)
        : Step<'Affinity, Result<'a, 'E list>> =
        Step<'Affinity, Result<'a, 'E list>>(fun () -> OneError<'a, 'E>.Of(step.Invoke()))

    /// Waits for both, also if the first one fails; the first exception is thrown.
    let inline both
        ([<InlineIfLambda>] first: unit -> 'a)
        ([<InlineIfLambda>] second: unit -> 'b)
        : struct ('a * 'b) =
        let mutable failed: ExceptionDispatchInfo | null = null
        let mutable firstResult = Unchecked.defaultof<'a>
        let mutable secondResult = Unchecked.defaultof<'b>

        try
            firstResult <- first ()
        with error ->
            failed <- ExceptionDispatchInfo.Capture error

        try
            secondResult <- second ()
        with _ when not (isNull failed) ->
            ()

        Ending.rethrow failed
        struct (firstResult, secondResult)

    /// The rest with the value of an Ok; or the Error.
    let inline next
        ([<InlineIfLambda>] step: Step<'Affinity, Result<'a, 'E>>)
        ([<InlineIfLambda>] rest: 'a -> Result<'T, 'E>)
        : Result<'T, 'E> =
        match step.Invoke() with
        | Ok value -> rest value
        | Error error -> Error error

/// Every member of the builders of results but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type RuntimeResultMembers<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeResultStatements<'Affinity>()

    /// `let!`: an Error is the result of all.
    member inline _.Bind
        (
            [<InlineIfLambda>] step: Step<'Affinity, Result<'a, 'E>>,
            [<InlineIfLambda>] rest: 'a -> Result<'T, 'E>
        ) : Result<'T, 'E> =
        ResultStep.next step rest

    /// `return!`.
    member inline _.ReturnFrom([<InlineIfLambda>] step: Step<'Affinity, Result<'T, 'E>>) : Result<'T, 'E> =
        step.Invoke()

    /// `and!`, which gives the first Error.
    member inline _.MergeSources
        (
            [<InlineIfLambda>] first: Step<'Affinity, Result<'a, 'E>>,
            [<InlineIfLambda>] second: Step<'Affinity, Result<'b, 'E>>
        ) : Step<'Affinity, Result<struct ('a * 'b), 'E>> =
        ResultStep.result (fun () ->
            FirstError<'a, 'b, 'E>.Of(ResultStep.both (fun () -> first.Invoke()) (fun () -> second.Invoke())))

/// Every member of the builders of validations but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type RuntimeValidationMembers<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeResultStatements<'Affinity>()

    /// `let!` of a validation.
    member inline _.Bind
        (
            [<InlineIfLambda>] step: Step<'Affinity, Result<'a, 'E list>>,
            [<InlineIfLambda>] rest: 'a -> Result<'T, 'E list>
        ) : Result<'T, 'E list> =
        ResultStep.next step rest

    /// `return!` of a validation.
    member inline _.ReturnFrom
        ([<InlineIfLambda>] step: Step<'Affinity, Result<'T, 'E list>>)
        : Result<'T, 'E list> =
        step.Invoke()

    /// `and!` of two validations.
    member inline _.MergeSources
        (
            [<InlineIfLambda>] first: Step<'Affinity, Result<'a, 'E list>>,
            [<InlineIfLambda>] second: Step<'Affinity, Result<'b, 'E list>>
        ) : Step<'Affinity, Result<struct ('a * 'b), 'E list>> =
        ResultStep.result (fun () ->
            AllErrors<'a, 'b, 'E>.Of(ResultStep.both (fun () -> first.Invoke()) (fun () -> second.Invoke())))

/// Operands that give one Error, in a validation: below the members above, so that a list of Errors is bound as it is.
[<AutoOpen>]
module RuntimeValidationOnes =
    type RuntimeValidationMembers<'Affinity when 'Affinity :> IAffinity> with

        /// `let!` of an operation with one Error.
        member inline this.Bind
            (
                [<InlineIfLambda>] step: Step<'Affinity, Result<'a, 'E>>,
                [<InlineIfLambda>] rest: 'a -> Result<'T, 'E list>
            ) : Result<'T, 'E list> =
            ResultStep.next (ResultStep.listed step) rest

        /// `return!` of an operation with one Error.
        member inline _.ReturnFrom
            ([<InlineIfLambda>] step: Step<'Affinity, Result<'T, 'E>>)
            : Result<'T, 'E list> =
            OneError<'T, 'E>.Of(step.Invoke())

        /// `and!` of two that give one Error.
        member inline this.MergeSources
            (
                [<InlineIfLambda>] first: Step<'Affinity, Result<'a, 'E>>,
                [<InlineIfLambda>] second: Step<'Affinity, Result<'b, 'E>>
            ) : Step<'Affinity, Result<struct ('a * 'b), 'E list>> =
            this.MergeSources(ResultStep.listed first, ResultStep.listed second)

/// One Error and a list of them.
[<AutoOpen>]
module RuntimeValidationMixed =
    type RuntimeValidationMembers<'Affinity when 'Affinity :> IAffinity> with

        /// `and!` of an operation with one Error and a validation.
        member inline this.MergeSources
            (
                [<InlineIfLambda>] first: Step<'Affinity, Result<'a, 'E>>,
                [<InlineIfLambda>] second: Step<'Affinity, Result<'b, 'E list>>
            ) : Step<'Affinity, Result<struct ('a * 'b), 'E list>> =
            this.MergeSources(ResultStep.listed first, second)

        /// `and!` of a validation and an operation with one Error.
        member inline this.MergeSources
            (
                [<InlineIfLambda>] first: Step<'Affinity, Result<'a, 'E list>>,
                [<InlineIfLambda>] second: Step<'Affinity, Result<'b, 'E>>
            ) : Step<'Affinity, Result<struct ('a * 'b), 'E list>> =
            this.MergeSources(first, ResultStep.listed second)
