// Layer: members. The builders that continue off the captured context: a `Source` adds ConfigureAwait(false) to each
// operand, and then RuntimeMembers binds it. With a `Source`, F# also takes the sequence of a `for` for an operand,
// so that its type must be known there.
namespace Plait.RuntimeAsync.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices

open Plait.Kernel
open Plait.RuntimeAsync

/// A builder of `NonAffine`: it has the `Source` members below.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type IOffContext = interface end

module internal RefusedStep =

    [<Literal>]
    let Message =
        "A `step` continues on the captured context, which the builders of NonAffine leave: write `NonAffine.step`. See \
docs/how-to/functions-as-values.md in the Plait package."

    [<Literal>]
    let Number = 10412

/// The source of a value that cannot be awaited: a compile-time error.
[<AutoOpen>]
module OffContextRefusal =
    type IOffContext with

        /// Refuses a step that continues on the captured context, at compile time.
        [<CompilerMessage(RefusedStep.Message, RefusedStep.Number, IsError = true)>]
        member _.Source(_step: Step<OnCaptured, 'x>) : Step<Anywhere, 'x> = raise (NotSupportedException())

        /// Refuses the value, at compile time.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        member _.Source(_value: 'x) : Task<'x> = raise (NotSupportedException())

/// The source of a Result, which these builders do not take apart: a compile-time error.
[<AutoOpen>]
module OffContextRefusalOfResults =
    type IOffContext with

        /// Refuses the Result, at compile time.
        [<CompilerMessage(Refused.ResultMessage, Refused.ResultNumber, IsError = true)>]
        member _.Source(_result: Result<'x, 'E>) : Task<'x> = raise (NotSupportedException())

/// Types that have ConfigureAwait and no GetAwaiter.
[<AutoOpen>]
module OffContextLastResorts =
    type IOffContext with

        /// Anything with ConfigureAwait.
        [<NoEagerConstraintApplication>]
        member inline _.Source(configurable: Configurable<'L, 'C, 'A, 'a>) = configurable.ConfigureAwait false

/// Anything with GetAwaiter; sequences for `for`; steps.
[<AutoOpen>]
module OffContextStructurals =
    type IOffContext with

        /// Anything with GetAwaiter; its awaiter chooses where it continues.
        [<NoEagerConstraintApplication>]
        member inline _.Source(awaitable: Awaitable<'L, 'A, 'a>) = awaitable

        /// The sequence of a `for`.
        member inline _.Source(items: seq<'a>) : seq<'a> = items

        // below the functions that start a task: a lambda could be either
        /// A step: each of its awaits has its own choice of context.
        member inline _.Source([<InlineIfLambda>] step: Step<Anywhere, 'a>) : Step<Anywhere, 'a> = step

/// Types by name.
[<AutoOpen>]
module OffContextTyped =
    type IOffContext with

        /// A task without a result.
        member inline _.Source(task: Task) = task.ConfigureAwait false

        /// A strand.
        member inline _.Source(strand: Plait.Strand<'a>) = strand.ConfigureAwait false

        /// A value task.
        member inline _.Source(task: ValueTask<'a>) = task.ConfigureAwait false

        /// A value task without a result.
        member inline _.Source(task: ValueTask) = task.ConfigureAwait false

        /// Task.Yield(), to the thread pool.
        member inline _.Source(_: YieldAwaitable) = ThreadPoolYield()

        /// An async, started on the calling thread.
        member inline _.Source(work: Async<'a>) =
            (Async.StartImmediateAsTask work).ConfigureAwait false

        /// A function, called to start its task.
        member inline _.Source(start: unit -> Task<'a>) = (start ()).ConfigureAwait false

        /// The numbers of a `for`.
        member inline _.Source(range: Range) : Range = range

        /// The asynchronous sequence of a `for`.
        member inline _.Source(items: IAsyncEnumerable<'a>) = items.ConfigureAwait false

        /// The asynchronous sequence of a `for`, with its ConfigureAwait.
        member inline _.Source(items: ConfiguredCancelableAsyncEnumerable<'a>) = items

/// Task<'T>, before its base type Task.
[<AutoOpen>]
module OffContextTasks =
    type IOffContext with

        /// A task, and an operand without a type yet.
        member inline _.Source(task: Task<'a>) = task.ConfigureAwait false
