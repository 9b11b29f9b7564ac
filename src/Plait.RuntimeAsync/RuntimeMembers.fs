// Layer: members. The members that the builders of runtime-async code share. A part of an expression is a function
// that the compiler inlines into the async method of Run, and so a member is plain code: `let!` awaits and continues,
// `while` is a loop.
//
// An argument that a member uses once is put where the member uses it. So a bind of a call is the call and then the await,
// without anything between them: there the JIT calls the async method itself, and no Task is made.
//
// Overloads are ranked as in Plait's TaskMembers: the intrinsic ones, then the modules from the last to the first.
namespace Plait.RuntimeAsync.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices

open Plait.Kernel

/// Every member of the builders but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type RuntimeMembers<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeStatements<'Affinity>()
    interface IMergesSources

    /// Nothing.
    member inline _.Zero() : unit = ()

    /// The result.
    member inline _.Return(value: 'T) : 'T = value

    /// One statement after another.
    member inline _.Combine(_first: unit, [<InlineIfLambda>] second: unit -> 'T) : 'T = second ()

    /// `while`.
    member inline _.While
        ([<InlineIfLambda>] condition: unit -> bool, [<InlineIfLambda>] body: unit -> unit)
        : unit =
        while condition () do
            body ()

    /// `let!` of a task, and of an operand without a type yet.
    member inline _.Bind(task: Task<'a>, [<InlineIfLambda>] rest: 'a -> 'T) : 'T =
        Awaiters.next (fun () -> AsyncHelpers.Await task) rest

    /// `return!` of a task.
    member inline _.ReturnFrom(task: Task<'T>) : 'T = AsyncHelpers.Await task

    /// `and!` of two tasks.
    member inline _.MergeSources(first: Task<'a>, second: Task<'b>) =
        Pair<_, _, 'a, 'b>(TaskSource<'a, OnCaptured> first, TaskSource<'b, OnCaptured> second)

    /// `for` over any sequence; without an enumerator object over an array, a list or a ResizeArray.
    member inline _.For(items: seq<'a>, [<InlineIfLambda>] body: 'a -> unit) : unit =
        Loops.over items (fun cursor ->
            while cursor.MoveNext() do
                body cursor.Current)

/// Compile-time errors, as in Plait's TaskRefusal: chosen if nothing else fits.
[<AutoOpen>]
module RuntimeRefusal =
    type RuntimeMembers<'Affinity when 'Affinity :> IAffinity> with

        /// Refuses `let!` of a plain value, at compile time.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        [<NoEagerConstraintApplication>]
        member inline _.Bind<'x, 'y, 'T when 'x: comparison>(_value: 'x, _rest: 'y -> 'T) : 'T =
            raise (NotSupportedException())

        /// Refuses `return!` of the value, at compile time.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        member inline _.ReturnFrom(_value: 'x) : 'T = raise (NotSupportedException())

        /// Refuses `for` over a number, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        [<NoEagerConstraintApplication>]
        member inline _.For(_number: 'x, _body: 'y -> unit) : unit when 'x :> IFormattable =
            raise (NotSupportedException())

        /// Refuses `for` over a task, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        member inline _.For(_task: Task, _body: 'y -> unit) : unit = raise (NotSupportedException())

/// The members for a Result, which these builders do not take apart: compile-time errors.
[<AutoOpen>]
module RuntimeRefusalOfResults =
    type RuntimeMembers<'Affinity when 'Affinity :> IAffinity> with

        /// Refuses `let!` of a Result, at compile time.
        [<CompilerMessage(Refused.ResultMessage, Refused.ResultNumber, IsError = true)>]
        member inline _.Bind(_result: Result<'x, 'E>, _rest: 'y -> 'T) : 'T = raise (NotSupportedException())

        /// Refuses `return!` of a Result, at compile time.
        [<CompilerMessage(Refused.ResultMessage, Refused.ResultNumber, IsError = true)>]
        member inline _.ReturnFrom(_result: Result<'x, 'E>) : 'T = raise (NotSupportedException())

/// Awaiters with OnCompleted alone, and types with ConfigureAwait and without GetAwaiter.
[<AutoOpen>]
module RuntimeLastResorts =
    type RuntimeMembers<'Affinity when 'Affinity :> IAffinity> with

        /// `let!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Bind(awaitable: Awaitable<'L, 'A, 'a>, [<InlineIfLambda>] rest: 'a -> 'T) : 'T =
            Awaiters.next (fun () -> Awaiters.awaitAny<'A, 'a>(awaitable.GetAwaiter())) rest

        /// `return!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.ReturnFrom(awaitable: Awaitable<'L, 'A, 'T>) : 'T =
            Awaiters.awaitAny<'A, 'T>(awaitable.GetAwaiter())

        /// `let!` of anything with ConfigureAwait.
        [<NoEagerConstraintApplication>]
        member inline _.Bind
            (configurable: CriticalConfigurable<'L, 'C, 'A, 'a>, [<InlineIfLambda>] rest: 'a -> 'T)
            : 'T =
            let configured = configurable.ConfigureAwait 'Affinity.Captures

            Awaiters.next (fun () -> Awaiters.await<'A, 'a>(configured.GetAwaiter())) rest

        /// `return!` of anything with ConfigureAwait.
        [<NoEagerConstraintApplication>]
        member inline _.ReturnFrom(configurable: CriticalConfigurable<'L, 'C, 'A, 'T>) : 'T =
            let configured = configurable.ConfigureAwait 'Affinity.Captures

            Awaiters.await<'A, 'T>(configured.GetAwaiter())

/// Anything with GetAwaiter.
[<AutoOpen>]
module RuntimeStructurals =
    type RuntimeMembers<'Affinity when 'Affinity :> IAffinity> with

        /// `let!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Bind
            (awaitable: CriticalAwaitable<'L, 'A, 'a>, [<InlineIfLambda>] rest: 'a -> 'T)
            : 'T =
            Awaiters.next (fun () -> Awaiters.await<'A, 'a>(awaitable.GetAwaiter())) rest

        /// `return!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.ReturnFrom(awaitable: CriticalAwaitable<'L, 'A, 'T>) : 'T =
            Awaiters.await<'A, 'T>(awaitable.GetAwaiter())

/// Tasks and value tasks by name and not by shape, so that they rank above and the JIT sees the await of a call; and types without
/// an awaiter: asyncs, functions that start a task, several operations of `and!`, ranges and asynchronous sequences.
[<AutoOpen>]
module RuntimeTyped =
    type RuntimeMembers<'Affinity when 'Affinity :> IAffinity> with

        // By shape for the type checker: beside a Bind of Task with a function from unit, the argument of the function behind
        // `let!` of a Task<'T> has no type yet when that function is checked.
        /// `let!` of a task without a result.
        [<NoEagerConstraintApplication>]
        member inline _.Bind< ^L, ^A, 'a, 'T
            when ^L :> Task
            and ^L: (member GetAwaiter: unit -> ^A)
            and ^A :> ICriticalNotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'a)>
            (task: ^L, [<InlineIfLambda>] rest: 'a -> 'T)
            : 'T =
            Awaiters.awaitTask task
            rest Unchecked.defaultof<'a> // unit

        /// `return!` of a task without a result.
        member inline _.ReturnFrom(task: Task) : unit = Awaiters.awaitTask task

        /// `let!` of a value task.
        member inline _.Bind(task: ValueTask<'a>, [<InlineIfLambda>] rest: 'a -> 'T) : 'T =
            Awaiters.next (fun () -> AsyncHelpers.Await task) rest

        /// `return!` of a value task.
        member inline _.ReturnFrom(task: ValueTask<'T>) : 'T = AsyncHelpers.Await task

        /// `let!` of a value task without a result.
        member inline _.Bind(task: ValueTask, [<InlineIfLambda>] rest: unit -> 'T) : 'T =
            AsyncHelpers.Await task
            rest ()

        /// `return!` of a value task without a result.
        member inline _.ReturnFrom(task: ValueTask) : unit = AsyncHelpers.Await task

        /// `let!` of a task with its ConfigureAwait.
        member inline _.Bind(awaitable: ConfiguredTaskAwaitable<'a>, [<InlineIfLambda>] rest: 'a -> 'T) : 'T =
            Awaiters.next (fun () -> AsyncHelpers.Await awaitable) rest

        /// `return!` of a task with its ConfigureAwait.
        member inline _.ReturnFrom(awaitable: ConfiguredTaskAwaitable<'T>) : 'T = AsyncHelpers.Await awaitable

        /// `let!` of a task without a result, with its ConfigureAwait.
        member inline _.Bind(awaitable: ConfiguredTaskAwaitable, [<InlineIfLambda>] rest: unit -> 'T) : 'T =
            Awaiters.awaitConfigured awaitable
            rest ()

        /// `return!` of a task without a result, with its ConfigureAwait.
        member inline _.ReturnFrom(awaitable: ConfiguredTaskAwaitable) : unit =
            Awaiters.awaitConfigured awaitable

        /// `let!` of a value task with its ConfigureAwait.
        member inline _.Bind
            (awaitable: ConfiguredValueTaskAwaitable<'a>, [<InlineIfLambda>] rest: 'a -> 'T)
            : 'T =
            Awaiters.next (fun () -> AsyncHelpers.Await awaitable) rest

        /// `return!` of a value task with its ConfigureAwait.
        member inline _.ReturnFrom(awaitable: ConfiguredValueTaskAwaitable<'T>) : 'T =
            AsyncHelpers.Await awaitable

        /// `let!` of a value task without a result, with its ConfigureAwait.
        member inline _.Bind
            (awaitable: ConfiguredValueTaskAwaitable, [<InlineIfLambda>] rest: unit -> 'T)
            : 'T =
            AsyncHelpers.Await awaitable
            rest ()

        /// `return!` of a value task without a result, with its ConfigureAwait.
        member inline _.ReturnFrom(awaitable: ConfiguredValueTaskAwaitable) : unit =
            AsyncHelpers.Await awaitable

        /// Starts and waits for an async, on the calling thread.
        member inline _.Bind(work: Async<'a>, [<InlineIfLambda>] rest: 'a -> 'T) : 'T =
            Awaiters.next
                (fun () ->
                    AsyncHelpers.Await((Async.StartImmediateAsTask work).ConfigureAwait 'Affinity.Captures))
                rest

        /// Starts and returns an async, on the calling thread.
        member inline _.ReturnFrom(work: Async<'T>) : 'T =
            AsyncHelpers.Await((Async.StartImmediateAsTask work).ConfigureAwait 'Affinity.Captures)

        /// Starts and waits for a task.
        member inline _.Bind(start: unit -> Task<'a>, [<InlineIfLambda>] rest: 'a -> 'T) : 'T =
            Awaiters.next (fun () -> AsyncHelpers.Await((start ()).ConfigureAwait 'Affinity.Captures)) rest

        /// Starts and returns a task.
        member inline _.ReturnFrom(start: unit -> Task<'T>) : 'T =
            AsyncHelpers.Await((start ()).ConfigureAwait 'Affinity.Captures)

        /// The results of `and!`.
        member inline _.Bind
            (pair: Pair<'A, 'B, 'a, 'b>, [<InlineIfLambda>] rest: struct ('a * 'b) -> 'T)
            : 'T =
            Awaiters.next
                (fun () -> Awaiters.await<SourceAwaiter<_, struct ('a * 'b)>, _>(SourceAwaiter pair))
                rest

        /// `for` over a System.Range: `for i in Range(1, 4)` runs for 1, 2 and 3.
        member inline _.For(range: Range, [<InlineIfLambda>] body: int -> unit) : unit =
            for index in Ranges.First range .. Ranges.Limit range - 1 do
                body index

        /// `for` over an asynchronous sequence with ConfigureAwait or WithCancellation.
        member inline _.For
            (items: ConfiguredCancelableAsyncEnumerable<'a>, [<InlineIfLambda>] body: 'a -> unit)
            : unit =
            let cursor = items.GetAsyncEnumerator()

            Ending.awaiting
                (fun () ->
                    while AsyncHelpers.Await(cursor.MoveNextAsync()) do
                        body cursor.Current)
                (fun () -> AsyncHelpers.Await(cursor.DisposeAsync()))

        /// `for` over an asynchronous sequence.
        member inline this.For(items: IAsyncEnumerable<'a>, [<InlineIfLambda>] body: 'a -> unit) : unit =
            this.For(items.ConfigureAwait 'Affinity.Captures, body)
