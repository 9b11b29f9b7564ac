// Layer: sources. The overloads of `Source`: every type that builders bind, written once for both kernels.
//
// Overloads are ranked, so that an unannotated `let!` has one meaning and a type that fits several overloads takes the best
// one: a builder's own `Source`, then TaskSources, TypedSources, StructuralSources, LastResortSources. A type that fits none
// of them gets Refusal, a compile-time error with one message instead of a list of all overloads.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.ComponentModel
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Plait

/// A builder that turns awaitables into sources: it has the `Source` members of the modules below.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type ISources<'Affinity when 'Affinity :> IAffinity> = interface end

module internal Refused =

    [<Literal>]
    let Message =
        "This value cannot be awaited: it is not a Task, ValueTask, Strand or Async, and its type has no GetAwaiter that \
returns an awaiter. For a plain value, use `let` and `return` without the `!`. See \
docs/errors/not-awaitable.md in the Plait package."

    [<Literal>]
    let Number = 10410

    [<Literal>]
    let LoopMessage =
        "`for` cannot run over this value: it is not a sequence, an array, a list, a System.Range or an IAsyncEnumerable, or \
its type is not known here. Where the type is not known, annotate it: `for x in (xs: int list)`. See \
docs/errors/not-awaitable.md in the Plait package."

    [<Literal>]
    let LoopNumber = 10411

/// The overload for values that cannot be awaited: chosen if nothing else fits, and a compile-time error.
[<AutoOpen>]
module Refusal =
    type ISources<'Affinity when 'Affinity :> IAffinity> with

        /// Refuses the value, at compile time.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        member _.Source(_value: 'x) : TaskSource<'x, 'Affinity> = raise (NotSupportedException())

/// An awaiter that has only OnCompleted, and types that have ConfigureAwait and no GetAwaiter.
[<AutoOpen>]
module LastResortSources =
    type ISources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Source< ^L, ^A, 'a
            when ^L: (member GetAwaiter: unit -> ^A)
            and ^A :> INotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'a)>
            (awaitable: ^L)
            =
            AwaiterPattern.Any< ^A, 'a>(^L: (member GetAwaiter: unit -> ^A) awaitable)

        /// Binds anything with ConfigureAwait, with the builder's own choice.
        [<NoEagerConstraintApplication>]
        member inline _.Source< ^L, ^C, ^A, 'a
            when ^L: (member ConfigureAwait: bool -> ^C)
            and ^C: (member GetAwaiter: unit -> ^A)
            and ^A :> ICriticalNotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'a)>
            (configurable: ^L)
            =
            let configured =
                (^L: (member ConfigureAwait: bool -> ^C) (configurable, 'Affinity.Captures))

            AwaiterPattern.Critical< ^A, 'a>(^C: (member GetAwaiter: unit -> ^A) configured)

/// Anything with GetAwaiter; sequences for `for`.
[<AutoOpen>]
module StructuralSources =
    type ISources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Source< ^L, ^A, 'a
            when ^L: (member GetAwaiter: unit -> ^A)
            and ^A :> ICriticalNotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'a)>
            (awaitable: ^L)
            =
            AwaiterPattern.Critical< ^A, 'a>(^L: (member GetAwaiter: unit -> ^A) awaitable)

        /// The sequence of a `for`.
        member inline _.Source(items: seq<'a>) : seq<'a> = items

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
        member inline _.Source(items: 'a[]) : 'a[] = items

        /// The collection of a `for`, without an enumerator.
        member inline _.Source(items: 'a list) : 'a list = items

        /// The collection of a `for`, without an enumerator object.
        member inline _.Source(items: ResizeArray<'a>) : ResizeArray<'a> = items

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
