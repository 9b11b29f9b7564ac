// Layer: members. The operands of the builders of results: a `Source` makes a step of each operand, whose value is that of an
// Ok, or of the awaited result. It starts the operation, and the step waits for it.
//
// The kinds are those of Plait's SourceOverloads, ranked as there, but not its sources: with a struct between the call of a function
// and its await the JIT would make a Task. For the same reason the types whose await the JIT knows are there twice, with and without
// ConfigureAwait(false). A kind of a validation is the kind of a result: the members of RuntimeValidationMembers tell them apart.
namespace Plait.RuntimeAsync.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices

open Plait.Kernel
open Plait.RuntimeAsync

/// A builder of results that continues on the captured context.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type IOnContextResults = interface end

/// A builder of results of `NonAffine`.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type IOffContextResults = interface end

/// A value that cannot be awaited: a compile-time error.
[<AutoOpen>]
module RuntimeResultRefusal =
    type RuntimeResultStatements<'Affinity when 'Affinity :> IAffinity> with

        /// Refuses the value, at compile time.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        member _.Source(_value: 'x) : Step<'Affinity, Result<'x, 'E>> = raise (NotSupportedException())

/// Awaiters with OnCompleted alone, and types with ConfigureAwait and without GetAwaiter.
[<AutoOpen>]
module RuntimeResultLastResorts =
    type RuntimeResultStatements<'Affinity when 'Affinity :> IAffinity> with

        /// Anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Source(awaitable: Awaitable<'L, 'A, 'a>) : Step<'Affinity, Result<'a, 'E>> =
            let awaiter = awaitable.GetAwaiter()
            ResultStep.value (fun () -> Awaiters.awaitAny<'A, 'a> awaiter)

        /// Anything with ConfigureAwait.
        [<NoEagerConstraintApplication>]
        member inline _.Source
            (configurable: CriticalConfigurable<'L, 'C, 'A, 'a>)
            : Step<'Affinity, Result<'a, 'E>> =
            let configured = configurable.ConfigureAwait 'Affinity.Captures

            let awaiter = configured.GetAwaiter()
            ResultStep.value (fun () -> Awaiters.await<'A, 'a> awaiter)

/// The same of Results.
[<AutoOpen>]
module RuntimeResultLastResortsOfResults =
    type RuntimeResultStatements<'Affinity when 'Affinity :> IAffinity> with

        /// Anything with GetAwaiter that gives a Result.
        [<NoEagerConstraintApplication>]
        member inline _.Source
            (awaitable: Awaitable<'L, 'A, Result<'a, 'E>>)
            : Step<'Affinity, Result<'a, 'E>> =
            let awaiter = awaitable.GetAwaiter()
            ResultStep.result (fun () -> Awaiters.awaitAny<'A, Result<'a, 'E>> awaiter)

        /// Anything with ConfigureAwait that gives a Result.
        [<NoEagerConstraintApplication>]
        member inline _.Source
            (configurable: CriticalConfigurable<'L, 'C, 'A, Result<'a, 'E>>)
            : Step<'Affinity, Result<'a, 'E>> =
            let configured = configurable.ConfigureAwait 'Affinity.Captures

            let awaiter = configured.GetAwaiter()
            ResultStep.result (fun () -> Awaiters.await<'A, Result<'a, 'E>> awaiter)

/// Anything with GetAwaiter; sequences for `for`; steps, below the functions that start a task: a function could be either.
[<AutoOpen>]
module RuntimeResultStructurals =
    type RuntimeResultStatements<'Affinity when 'Affinity :> IAffinity> with

        /// Anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Source(awaitable: CriticalAwaitable<'L, 'A, 'a>) : Step<'Affinity, Result<'a, 'E>> =
            let awaiter = awaitable.GetAwaiter()
            ResultStep.value (fun () -> Awaiters.await<'A, 'a> awaiter)

        /// The sequence of a `for`.
        member inline _.Source(items: seq<'a>) : seq<'a> = items

        /// A step.
        member inline _.Source
            ([<InlineIfLambda>] step: Step<'Affinity, 'a>)
            : Step<'Affinity, Result<'a, 'E>> =
            ResultStep.value (fun () -> step.Invoke())

/// The same of Results.
[<AutoOpen>]
module RuntimeResultStructuralsOfResults =
    type RuntimeResultStatements<'Affinity when 'Affinity :> IAffinity> with

        /// Anything with GetAwaiter that gives a Result.
        [<NoEagerConstraintApplication>]
        member inline _.Source
            (awaitable: CriticalAwaitable<'L, 'A, Result<'a, 'E>>)
            : Step<'Affinity, Result<'a, 'E>> =
            let awaiter = awaitable.GetAwaiter()
            ResultStep.result (fun () -> Awaiters.await<'A, Result<'a, 'E>> awaiter)

        /// A step that gives a Result.
        member inline _.Source
            ([<InlineIfLambda>] step: Step<'Affinity, Result<'a, 'E>>)
            : Step<'Affinity, Result<'a, 'E>> =
            step

/// Types by name.
[<AutoOpen>]
module RuntimeResultTyped =
    type IOnContextResults with

        /// A task without a result.
        member inline _.Source(task: Task) : Step<OnCaptured, Result<unit, 'E>> =
            ResultStep.value (fun () -> Awaiters.awaitTask task)

        /// A value task.
        member inline _.Source(task: ValueTask<'a>) : Step<OnCaptured, Result<'a, 'E>> =
            ResultStep.value (fun () -> AsyncHelpers.Await task)

        /// A value task without a result.
        member inline _.Source(task: ValueTask) : Step<OnCaptured, Result<unit, 'E>> =
            ResultStep.value (fun () -> AsyncHelpers.Await task)

    type IOffContextResults with

        /// A task without a result.
        member inline _.Source(task: Task) : Step<Anywhere, Result<unit, 'E>> =
            ResultStep.value (fun () -> Awaiters.awaitConfigured (task.ConfigureAwait false))

        /// A value task.
        member inline _.Source(task: ValueTask<'a>) : Step<Anywhere, Result<'a, 'E>> =
            ResultStep.value (fun () -> AsyncHelpers.Await(task.ConfigureAwait false))

        /// A value task without a result.
        member inline _.Source(task: ValueTask) : Step<Anywhere, Result<unit, 'E>> =
            ResultStep.value (fun () -> AsyncHelpers.Await(task.ConfigureAwait false))

        /// A strand.
        member inline _.Source(strand: Plait.Strand<'a>) : Step<Anywhere, Result<'a, 'E>> =
            let awaiter = (strand.ConfigureAwait false).GetAwaiter()
            ResultStep.value (fun () -> Awaiters.await<_, 'a> awaiter)

        /// Task.Yield(), to the thread pool.
        member inline _.Source(_: YieldAwaitable) : Step<Anywhere, Result<unit, 'E>> =
            ResultStep.value (fun () -> Awaiters.await<_, unit>(ThreadPoolYield()))

    type RuntimeResultStatements<'Affinity when 'Affinity :> IAffinity> with

        /// A task with its ConfigureAwait.
        member inline _.Source(awaitable: ConfiguredTaskAwaitable<'a>) : Step<'Affinity, Result<'a, 'E>> =
            ResultStep.value (fun () -> AsyncHelpers.Await awaitable)

        /// A task without a result, with its ConfigureAwait.
        member inline _.Source(awaitable: ConfiguredTaskAwaitable) : Step<'Affinity, Result<unit, 'E>> =
            ResultStep.value (fun () -> Awaiters.awaitConfigured awaitable)

        /// A value task with its ConfigureAwait.
        member inline _.Source
            (awaitable: ConfiguredValueTaskAwaitable<'a>)
            : Step<'Affinity, Result<'a, 'E>> =
            ResultStep.value (fun () -> AsyncHelpers.Await awaitable)

        /// A value task without a result, with its ConfigureAwait.
        member inline _.Source(awaitable: ConfiguredValueTaskAwaitable) : Step<'Affinity, Result<unit, 'E>> =
            ResultStep.value (fun () -> AsyncHelpers.Await awaitable)

        /// An async, started on the calling thread.
        member inline _.Source(work: Async<'a>) : Step<'Affinity, Result<'a, 'E>> =
            let task = Async.StartImmediateAsTask work
            ResultStep.value (fun () -> AsyncHelpers.Await(task.ConfigureAwait 'Affinity.Captures))

        /// A function, called to start its task.
        member inline _.Source(start: unit -> Task<'a>) : Step<'Affinity, Result<'a, 'E>> =
            let task = start ()
            ResultStep.value (fun () -> AsyncHelpers.Await(task.ConfigureAwait 'Affinity.Captures))

        /// The numbers of a `for`.
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
module RuntimeResultTasks =
    type IOnContextResults with

        /// A task.
        member inline _.Source(task: Task<'a>) : Step<OnCaptured, Result<'a, 'E>> =
            ResultStep.value (fun () -> AsyncHelpers.Await task)

    type IOffContextResults with

        /// A task.
        member inline _.Source(task: Task<'a>) : Step<Anywhere, Result<'a, 'E>> =
            ResultStep.value (fun () -> AsyncHelpers.Await(task.ConfigureAwait false))

/// Results by name.
[<AutoOpen>]
module RuntimeResultTypedOfResults =
    type IOnContextResults with

        /// A value task of a Result.
        member inline _.Source(task: ValueTask<Result<'a, 'E>>) : Step<OnCaptured, Result<'a, 'E>> =
            ResultStep.result (fun () -> AsyncHelpers.Await task)

    type IOffContextResults with

        /// A value task of a Result.
        member inline _.Source(task: ValueTask<Result<'a, 'E>>) : Step<Anywhere, Result<'a, 'E>> =
            ResultStep.result (fun () -> AsyncHelpers.Await(task.ConfigureAwait false))

        /// A strand of a Result.
        member inline _.Source(strand: Plait.Strand<Result<'a, 'E>>) : Step<Anywhere, Result<'a, 'E>> =
            let awaiter = (strand.ConfigureAwait false).GetAwaiter()
            ResultStep.result (fun () -> Awaiters.await<_, Result<'a, 'E>> awaiter)

    type RuntimeResultStatements<'Affinity when 'Affinity :> IAffinity> with

        /// A Result.
        member inline _.Source(result: Result<'a, 'E>) : Step<'Affinity, Result<'a, 'E>> =
            Step<'Affinity, Result<'a, 'E>>(fun () -> result)

        /// A task of a Result, with its ConfigureAwait.
        member inline _.Source
            (awaitable: ConfiguredTaskAwaitable<Result<'a, 'E>>)
            : Step<'Affinity, Result<'a, 'E>> =
            ResultStep.result (fun () -> AsyncHelpers.Await awaitable)

        /// A value task of a Result, with its ConfigureAwait.
        member inline _.Source
            (awaitable: ConfiguredValueTaskAwaitable<Result<'a, 'E>>)
            : Step<'Affinity, Result<'a, 'E>> =
            ResultStep.result (fun () -> AsyncHelpers.Await awaitable)

        /// An async of a Result, started on the calling thread.
        member inline _.Source(work: Async<Result<'a, 'E>>) : Step<'Affinity, Result<'a, 'E>> =
            let task = Async.StartImmediateAsTask work
            ResultStep.result (fun () -> AsyncHelpers.Await(task.ConfigureAwait 'Affinity.Captures))

        /// A function, called to start its task of a Result.
        member inline _.Source(start: unit -> Task<Result<'a, 'E>>) : Step<'Affinity, Result<'a, 'E>> =
            let task = start ()
            ResultStep.result (fun () -> AsyncHelpers.Await(task.ConfigureAwait 'Affinity.Captures))

        /// Refuses an option, at compile time.
        [<CompilerMessage(Refused.OptionMessage, Refused.OptionNumber, IsError = true)>]
        member _.Source(_option: 'a option) : Step<'Affinity, Result<'a, 'E>> =
            raise (NotSupportedException())

        /// Refuses an option, at compile time.
        [<CompilerMessage(Refused.OptionMessage, Refused.OptionNumber, IsError = true)>]
        member _.Source(_option: 'a voption) : Step<'Affinity, Result<'a, 'E>> =
            raise (NotSupportedException())

/// A task of a Result, before any other operand.
[<AutoOpen>]
module RuntimeResultTasksOfResults =
    type IOnContextResults with

        /// A task of a Result, and an operand without a type yet.
        member inline _.Source(task: Task<Result<'a, 'E>>) : Step<OnCaptured, Result<'a, 'E>> =
            ResultStep.result (fun () -> AsyncHelpers.Await task)

    type IOffContextResults with

        /// A task of a Result, and an operand without a type yet.
        member inline _.Source(task: Task<Result<'a, 'E>>) : Step<Anywhere, Result<'a, 'E>> =
            ResultStep.result (fun () -> AsyncHelpers.Await(task.ConfigureAwait false))
