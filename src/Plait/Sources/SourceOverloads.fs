// Layer: sources. What every builder can bind, written once for both kernels.
//
// Overloads are ranked, so that an unannotated `let!` means one thing and a type that fits several shapes takes the
// best: a builder's own `Source` (its default), TaskSources, TypedSources, StructuralSources, LastResortSources; what is
// none of them ends in Refusal, which is an error with a message instead of the list of all overloads.
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
returns an awaiter. For a plain value, use `let` and `return` without the `!`. See docs/errors/not-awaitable.md."

    [<Literal>]
    let Number = 10410

/// What cannot be awaited: chosen where nothing else fits, and never compiled.
[<AutoOpen>]
module Refusal =
    type ISources<'Affinity when 'Affinity :> IAffinity> with

        /// Refuses the value, at compile time.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        member _.Source(_value: 'x) : TaskSource<'x, 'Affinity> = raise (NotSupportedException())

/// An awaiter that only knows OnCompleted, and types that have ConfigureAwait and no GetAwaiter.
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

/// Anything with GetAwaiter, by shape; sequences for `for`.
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

        /// What `for` runs over.
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

        /// What `for` runs over, with no enumerator.
        member inline _.Source(items: 'a[]) : 'a[] = items

        /// What `for` runs over, with no enumerator.
        member inline _.Source(items: 'a list) : 'a list = items

        /// What `for` runs over, with no enumerator object.
        member inline _.Source(items: ResizeArray<'a>) : ResizeArray<'a> = items

        /// What `for` runs over, with no enumerator.
        member inline _.Source(range: Range) : Range = range

        /// What `for` runs over, waiting for each item.
        member inline _.Source(items: IAsyncEnumerable<'a>) : IAsyncEnumerable<'a> = items

        /// What `for` runs over, waiting for each item as ConfigureAwait said.
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
