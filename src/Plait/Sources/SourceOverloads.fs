// Layer: sources. The overloads of `Source`: every type that builders bind, written once for both kernels.
//
// Overloads are ranked, so that an unannotated `let!` has one meaning and a type that fits several overloads takes the best
// one: a builder's own `Source`, then the modules of this file from the last to the first. So a Result is taken apart where the
// builder does that, and one Error counts as a list of it only where it is none. A type that fits none of them gets ResultRefusal or
// Refusal, a compile-time error with one message instead of a list of all overloads.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices

/// A builder that turns awaitables into sources: it has the `Source` members of the modules below.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type ISources<'Affinity when 'Affinity :> IAffinity> = interface end

/// A builder whose `let!` takes Results apart: an operation of a Result is bound by its value. It does not inherit the
/// interface above, because the members of the more derived type would rank first, in any module.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type IResultSources<'Affinity when 'Affinity :> IAffinity> = interface end

/// A builder of results that ends in a list of Errors: one Error is bound as a list of it.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type IValidationSources<'Affinity when 'Affinity :> IAffinity> = interface end

/// Sources as those of validations.
[<EditorBrowsable(EditorBrowsableState.Never)>]
module Validated =

    /// A source that gives one Error.
    let inline one<'S, 'a, 'E when 'S :> ISource<Result<'a, 'E>>> (source: 'S) =
        ResultOf<_, 'a, 'E list>(
            MappedSource<'S, Result<'a, 'E>, Result<'a, 'E list>, OneError<'a, 'E>> source
        )

    /// A source that gives a list of Errors.
    let inline many<'S, 'a, 'E when 'S :> ISource<Result<'a, 'E list>>> (source: 'S) =
        ResultOf<'S, 'a, 'E list> source

/// The overload for values that cannot be awaited: chosen if nothing else fits, and a compile-time error.
[<AutoOpen>]
module Refusal =
    type ISources<'Affinity when 'Affinity :> IAffinity> with

        /// Refuses the value, at compile time.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        member _.Source(_value: 'x) : TaskSource<'x, 'Affinity> = raise (NotSupportedException())

/// The overload for a Result, in a builder that does not take it apart: a compile-time error.
[<AutoOpen>]
module ResultRefusal =
    type ISources<'Affinity when 'Affinity :> IAffinity> with

        /// Refuses the Result, at compile time.
        [<CompilerMessage(Refused.ResultMessage, Refused.ResultNumber, IsError = true)>]
        member _.Source(_result: Result<'a, 'E>) : TaskSource<'a, 'Affinity> = raise (NotSupportedException())

/// The overload for a function that has not got all of its arguments: a compile-time error.
[<AutoOpen>]
module FunctionRefusal =
    type ISources<'Affinity when 'Affinity :> IAffinity> with

        /// Refuses the function, at compile time; the result is of any type, so that this is the only error.
        [<CompilerMessage(Refused.FunctionMessage, Refused.FunctionNumber, IsError = true)>]
        member _.Source(_function: 'x -> 'y) : TaskSource<'a, 'Affinity> = raise (NotSupportedException())

/// An awaiter that has only OnCompleted, and types that have ConfigureAwait and no GetAwaiter.
[<AutoOpen>]
module LastResortSources =
    type ISources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Source(awaitable: Awaitable<'L, 'A, 'a>) =
            AwaiterPattern.Any<'A, 'a>(awaitable.GetAwaiter())

        /// Binds anything with ConfigureAwait, with the builder's own choice.
        [<NoEagerConstraintApplication>]
        member inline _.Source(configurable: CriticalConfigurable<'L, 'C, 'A, 'a>) =
            AwaiterPattern.Critical<'A, 'a>((configurable.ConfigureAwait 'Affinity.Captures).GetAwaiter())

/// Awaiters with OnCompleted alone, and types with ConfigureAwait and without GetAwaiter.
[<AutoOpen>]
module ResultLastResortSources =
    type IResultSources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds anything with GetAwaiter that gives a Result.
        [<NoEagerConstraintApplication>]
        member inline _.Source(awaitable: Awaitable<'L, 'A, Result<'a, 'E>>) =
            ResultOf<_, 'a, 'E>(AwaiterPattern.Any<'A, Result<'a, 'E>>(awaitable.GetAwaiter()))

        /// Binds anything with ConfigureAwait that gives a Result, with the builder's own choice.
        [<NoEagerConstraintApplication>]
        member inline _.Source(configurable: CriticalConfigurable<'L, 'C, 'A, Result<'a, 'E>>) =
            ResultOf<_, 'a, 'E>(
                AwaiterPattern.Critical<'A, Result<'a, 'E>>(
                    (configurable.ConfigureAwait 'Affinity.Captures).GetAwaiter()
                )
            )

/// Awaiters with OnCompleted alone, and types with ConfigureAwait and without GetAwaiter.
[<AutoOpen>]
module ValidationLastResortSources =
    type IValidationSources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds anything with GetAwaiter that gives a Result.
        [<NoEagerConstraintApplication>]
        member inline _.Source(awaitable: Awaitable<'L, 'A, Result<'a, 'E>>) =
            Validated.one<_, 'a, 'E>(AwaiterPattern.Any<'A, Result<'a, 'E>>(awaitable.GetAwaiter()))

        /// Binds anything with ConfigureAwait that gives a Result, with the builder's own choice.
        [<NoEagerConstraintApplication>]
        member inline _.Source(configurable: CriticalConfigurable<'L, 'C, 'A, Result<'a, 'E>>) =
            Validated.one<_, 'a, 'E>(
                AwaiterPattern.Critical<'A, Result<'a, 'E>>(
                    (configurable.ConfigureAwait 'Affinity.Captures).GetAwaiter()
                )
            )

/// Anything with GetAwaiter; sequences for `for`.
[<AutoOpen>]
module StructuralSources =
    type ISources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Source(awaitable: CriticalAwaitable<'L, 'A, 'a>) =
            AwaiterPattern.Critical<'A, 'a>(awaitable.GetAwaiter())

        /// Starts and binds a task.
        member inline _.Source(start: unit -> Task) =
            UnitTaskSource<unit, 'Affinity>(start ())

        // one overload for all, because each is a candidate of every `let!`: see docs/decisions/0117
        /// The sequence of a `for`, as the type that it has: `For` needs no enumerator for some.
        member inline _.Source(items: 'C) : 'C :> seq<'a> = items

/// Anything with GetAwaiter that gives a Result.
[<AutoOpen>]
module ResultStructuralSources =
    type IResultSources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds anything with GetAwaiter that gives a Result.
        [<NoEagerConstraintApplication>]
        member inline _.Source(awaitable: CriticalAwaitable<'L, 'A, Result<'a, 'E>>) =
            ResultOf<_, 'a, 'E>(AwaiterPattern.Critical<'A, Result<'a, 'E>>(awaitable.GetAwaiter()))

/// Anything with GetAwaiter that gives a Result.
[<AutoOpen>]
module ValidationStructuralSources =
    type IValidationSources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds anything with GetAwaiter that gives a Result.
        [<NoEagerConstraintApplication>]
        member inline _.Source(awaitable: CriticalAwaitable<'L, 'A, Result<'a, 'E>>) =
            Validated.one<_, 'a, 'E>(AwaiterPattern.Critical<'A, Result<'a, 'E>>(awaitable.GetAwaiter()))

/// Anything with GetAwaiter that gives a validation.
[<AutoOpen>]
module ValidationStructuralListSources =
    type IValidationSources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds anything with GetAwaiter that gives a validation.
        [<NoEagerConstraintApplication>]
        member inline _.Source(awaitable: CriticalAwaitable<'L, 'A, Result<'a, 'E list>>) =
            Validated.many<_, 'a, 'E>(
                AwaiterPattern.Critical<'A, Result<'a, 'E list>>(awaitable.GetAwaiter())
            )

/// Types with sources of their own.
[<AutoOpen>]
module TypedSources =
    type ISources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a Task.
        member inline _.Source(task: Task) = UnitTaskSource<unit, 'Affinity> task

        /// Binds a ValueTask.
        member inline _.Source(task: ValueTask) =
            UnitValueTaskSource<unit, 'Affinity> task

        /// Binds a ValueTask with a result.
        member inline _.Source(task: ValueTask<'a>) = ValueTaskSource<'a, 'Affinity> task

        /// Binds Task.Yield().
        member inline _.Source(_: YieldAwaitable) = YieldSource<unit, 'Affinity>()

        /// Starts and binds an async, on the calling thread.
        member inline _.Source(work: Async<'a>) =
            TaskSource<'a, 'Affinity>(Async.StartImmediateAsTask work)

        /// Starts and binds a task.
        member inline _.Source(start: unit -> Task<'a>) = TaskSource<'a, 'Affinity>(start ())

        /// The collection of a `for`, without an enumerator.
        member inline _.Source(range: Range) : Range = range

        /// The asynchronous sequence of a `for`.
        member inline _.Source(items: IAsyncEnumerable<'a>) : IAsyncEnumerable<'a> = items

        /// The asynchronous sequence of a `for`, with its ConfigureAwait.
        member inline _.Source
            (items: ConfiguredCancelableAsyncEnumerable<'a>)
            : ConfiguredCancelableAsyncEnumerable<'a> =
            items

/// Task<'T>, before its base type Task.
[<AutoOpen>]
module TaskSources =
    type ISources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a Task with a result.
        member inline _.Source(task: Task<'a>) = TaskSource<'a, 'Affinity> task

/// Types with sources of their own.
[<AutoOpen>]
module ResultTypedSources =
    type IResultSources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a Result.
        member inline _.Source(result: Result<'a, 'E>) =
            ResultOf<_, 'a, 'E>(GivenResult<'a, 'E> result)

        /// Binds a Task of a Result.
        member inline _.Source(task: Task<Result<'a, 'E>>) =
            ResultOf<_, 'a, 'E>(TaskSource<Result<'a, 'E>, 'Affinity> task)

        /// Binds a ValueTask of a Result.
        member inline _.Source(task: ValueTask<Result<'a, 'E>>) =
            ResultOf<_, 'a, 'E>(ValueTaskSource<Result<'a, 'E>, 'Affinity> task)

        /// Starts and binds an async of a Result, on the calling thread.
        member inline _.Source(work: Async<Result<'a, 'E>>) =
            ResultOf<_, 'a, 'E>(TaskSource<Result<'a, 'E>, 'Affinity>(Async.StartImmediateAsTask work))

        /// Starts and binds a task of a Result.
        member inline _.Source(start: unit -> Task<Result<'a, 'E>>) =
            ResultOf<_, 'a, 'E>(TaskSource<Result<'a, 'E>, 'Affinity>(start ()))

        /// Refuses an option, at compile time.
        [<CompilerMessage(Refused.OptionMessage, Refused.OptionNumber, IsError = true)>]
        member _.Source(_option: 'a option) : TaskSource<'a, 'Affinity> = raise (NotSupportedException())

        /// Refuses an option, at compile time.
        [<CompilerMessage(Refused.OptionMessage, Refused.OptionNumber, IsError = true)>]
        member _.Source(_option: 'a voption) : TaskSource<'a, 'Affinity> = raise (NotSupportedException())

/// Types with sources of their own, of Results with one Error.
[<AutoOpen>]
module ValidationTypedSources =
    type IValidationSources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a Result.
        member inline _.Source(result: Result<'a, 'E>) =
            Validated.one<_, 'a, 'E>(GivenResult<'a, 'E> result)

        /// Binds a Task of a Result.
        member inline _.Source(task: Task<Result<'a, 'E>>) =
            Validated.one<_, 'a, 'E>(TaskSource<Result<'a, 'E>, 'Affinity> task)

        /// Binds a ValueTask of a Result.
        member inline _.Source(task: ValueTask<Result<'a, 'E>>) =
            Validated.one<_, 'a, 'E>(ValueTaskSource<Result<'a, 'E>, 'Affinity> task)

        /// Starts and binds an async of a Result, on the calling thread.
        member inline _.Source(work: Async<Result<'a, 'E>>) =
            Validated.one<_, 'a, 'E>(TaskSource<Result<'a, 'E>, 'Affinity>(Async.StartImmediateAsTask work))

        /// Starts and binds a task of a Result.
        member inline _.Source(start: unit -> Task<Result<'a, 'E>>) =
            Validated.one<_, 'a, 'E>(TaskSource<Result<'a, 'E>, 'Affinity>(start ()))

/// Types with sources of their own, of validations.
[<AutoOpen>]
module ValidationListSources =
    type IValidationSources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds a validation.
        member inline _.Source(result: Result<'a, 'E list>) =
            Validated.many<_, 'a, 'E>(GivenResult<'a, 'E list> result)

        /// Binds a Task of a validation.
        member inline _.Source(task: Task<Result<'a, 'E list>>) =
            Validated.many<_, 'a, 'E>(TaskSource<Result<'a, 'E list>, 'Affinity> task)

        /// Binds a ValueTask of a validation.
        member inline _.Source(task: ValueTask<Result<'a, 'E list>>) =
            Validated.many<_, 'a, 'E>(ValueTaskSource<Result<'a, 'E list>, 'Affinity> task)

        /// Starts and binds an async of a validation, on the calling thread.
        member inline _.Source(work: Async<Result<'a, 'E list>>) =
            Validated.many<_, 'a, 'E>(
                TaskSource<Result<'a, 'E list>, 'Affinity>(Async.StartImmediateAsTask work)
            )

        /// Starts and binds a task of a validation.
        member inline _.Source(start: unit -> Task<Result<'a, 'E list>>) =
            Validated.many<_, 'a, 'E>(TaskSource<Result<'a, 'E list>, 'Affinity>(start ()))
