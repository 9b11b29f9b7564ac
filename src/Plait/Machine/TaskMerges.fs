// Layer: machine. `and!` in the builders that replace FSharp.Core's `task`, which have no `Source`: one member for each
// pair of kinds. More than two operations are pairs of pairs. The members hang on an interface, because builders of another
// package have them too.
//
// The members are ranked, so that each pair has one meaning: the best of TaskMembers, then of the modules from the last
// to the first. A task counts 2, a type without GetAwaiter 0 and any other 1, and a module holds the pairs of one sum. A
// type that fits several kinds is of the highest one, and so an operand without a type yet is a task.
namespace Plait.Kernel

open System
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices

/// An operand of `and!` as a source, by its kind.
[<EditorBrowsable(EditorBrowsableState.Never)>]
module Operand =

    /// A task.
    let inline ofTask (task: Task<'a>) = TaskSource<'a, OnCaptured> task

    /// An async, started on the calling thread.
    let inline ofAsync (work: Async<'a>) =
        ofTask (Async.StartImmediateAsTask work)

    /// A function, called to start its task.
    let inline ofFunction (start: unit -> Task<'a>) = ofTask (start ())

    /// Anything with GetAwaiter.
    let inline ofAwaitable (awaitable: Awaitable<'L, 'A, 'a>) =
        AwaiterPattern.Any<'A, 'a>(awaitable.GetAwaiter())

    /// Anything with ConfigureAwait, continuing on the captured context.
    let inline ofConfigurable (configurable: Configurable<'L, 'C, 'A, 'a>) =
        AwaiterPattern.Any<'A, 'a>((configurable.ConfigureAwait true).GetAwaiter())

/// The overloads for operands that cannot be awaited: below every rank, and in this file, because a program that
/// opens Plait.Kernel opens the modules of one file in their order, and those of several files in another.
[<AutoOpen>]
module TaskMergesRefused =
    type IMergesSources with

        /// Refuses `and!` of the values, at compile time; its results are of any type, so that this is the only error.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        member _.MergeSources
            (_first: 'x, _second: 'y)
            : Pair<TaskSource<'a, OnCaptured>, TaskSource<'b, OnCaptured>, 'a, 'b> =
            raise (NotSupportedException())

/// `and!` of two types without GetAwaiter.
[<AutoOpen>]
module TaskMergesOfRank0 =
    type IMergesSources with

        /// `and!` of anything with ConfigureAwait and anything with ConfigureAwait.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources
            (first: Configurable<'L, 'C, 'K, 'a>, second: Configurable<'M, 'D, 'N, 'b>)
            =
            Pair(Operand.ofConfigurable first, Operand.ofConfigurable second)

/// `and!` of a type without GetAwaiter and any other but a task.
[<AutoOpen>]
module TaskMergesOfRank1 =
    type IMergesSources with

        /// `and!` of an async and anything with ConfigureAwait.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Async<'a>, second: Configurable<'M, 'D, 'N, 'b>) =
            Pair(Operand.ofAsync first, Operand.ofConfigurable second)

        /// `and!` of a function that starts a task and anything with ConfigureAwait.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: unit -> Task<'a>, second: Configurable<'M, 'D, 'N, 'b>) =
            Pair(Operand.ofFunction first, Operand.ofConfigurable second)

        /// `and!` of anything with GetAwaiter and anything with ConfigureAwait.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Awaitable<'L, 'K, 'a>, second: Configurable<'M, 'D, 'N, 'b>) =
            Pair(Operand.ofAwaitable first, Operand.ofConfigurable second)

        /// `and!` of anything with ConfigureAwait and an async.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Configurable<'L, 'C, 'K, 'a>, second: Async<'b>) =
            Pair(Operand.ofConfigurable first, Operand.ofAsync second)

        /// `and!` of anything with ConfigureAwait and a function that starts a task.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Configurable<'L, 'C, 'K, 'a>, second: unit -> Task<'b>) =
            Pair(Operand.ofConfigurable first, Operand.ofFunction second)

        /// `and!` of anything with ConfigureAwait and anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Configurable<'L, 'C, 'K, 'a>, second: Awaitable<'M, 'N, 'b>) =
            Pair(Operand.ofConfigurable first, Operand.ofAwaitable second)

        /// `and!` of anything with ConfigureAwait and others.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Configurable<'L, 'C, 'K, 'a>, second: Pair<'A, 'B, 'b, 'c>) =
            Pair(Operand.ofConfigurable first, second)

/// `and!` of others than tasks, or a task and a type without GetAwaiter.
[<AutoOpen>]
module TaskMergesOfRank2 =
    type IMergesSources with

        /// `and!` of a task and anything with ConfigureAwait.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Task<'a>, second: Configurable<'M, 'D, 'N, 'b>) =
            Pair(Operand.ofTask first, Operand.ofConfigurable second)

        /// `and!` of an async and an async.
        member inline _.MergeSources(first: Async<'a>, second: Async<'b>) =
            Pair(Operand.ofAsync first, Operand.ofAsync second)

        /// `and!` of an async and a function that starts a task.
        member inline _.MergeSources(first: Async<'a>, second: unit -> Task<'b>) =
            Pair(Operand.ofAsync first, Operand.ofFunction second)

        /// `and!` of an async and anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Async<'a>, second: Awaitable<'M, 'N, 'b>) =
            Pair(Operand.ofAsync first, Operand.ofAwaitable second)

        /// `and!` of an async and others.
        member inline _.MergeSources(first: Async<'a>, second: Pair<'A, 'B, 'b, 'c>) =
            Pair(Operand.ofAsync first, second)

        /// `and!` of a function that starts a task and an async.
        member inline _.MergeSources(first: unit -> Task<'a>, second: Async<'b>) =
            Pair(Operand.ofFunction first, Operand.ofAsync second)

        /// `and!` of a function that starts a task and a function that starts a task.
        member inline _.MergeSources(first: unit -> Task<'a>, second: unit -> Task<'b>) =
            Pair(Operand.ofFunction first, Operand.ofFunction second)

        /// `and!` of a function that starts a task and anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: unit -> Task<'a>, second: Awaitable<'M, 'N, 'b>) =
            Pair(Operand.ofFunction first, Operand.ofAwaitable second)

        /// `and!` of a function that starts a task and others.
        member inline _.MergeSources(first: unit -> Task<'a>, second: Pair<'A, 'B, 'b, 'c>) =
            Pair(Operand.ofFunction first, second)

        /// `and!` of anything with GetAwaiter and an async.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Awaitable<'L, 'K, 'a>, second: Async<'b>) =
            Pair(Operand.ofAwaitable first, Operand.ofAsync second)

        /// `and!` of anything with GetAwaiter and a function that starts a task.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Awaitable<'L, 'K, 'a>, second: unit -> Task<'b>) =
            Pair(Operand.ofAwaitable first, Operand.ofFunction second)

        /// `and!` of anything with GetAwaiter and anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Awaitable<'L, 'K, 'a>, second: Awaitable<'M, 'N, 'b>) =
            Pair(Operand.ofAwaitable first, Operand.ofAwaitable second)

        /// `and!` of anything with GetAwaiter and others.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Awaitable<'L, 'K, 'a>, second: Pair<'A, 'B, 'b, 'c>) =
            Pair(Operand.ofAwaitable first, second)

        /// `and!` of anything with ConfigureAwait and a task.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Configurable<'L, 'C, 'K, 'a>, second: Task<'b>) =
            Pair(Operand.ofConfigurable first, Operand.ofTask second)

/// `and!` of a task and another.
[<AutoOpen>]
module TaskMergesOfRank3 =
    type IMergesSources with

        /// `and!` of a task and an async.
        member inline _.MergeSources(first: Task<'a>, second: Async<'b>) =
            Pair(Operand.ofTask first, Operand.ofAsync second)

        /// `and!` of a task and a function that starts a task.
        member inline _.MergeSources(first: Task<'a>, second: unit -> Task<'b>) =
            Pair(Operand.ofTask first, Operand.ofFunction second)

        /// `and!` of a task and anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Task<'a>, second: Awaitable<'M, 'N, 'b>) =
            Pair(Operand.ofTask first, Operand.ofAwaitable second)

        /// `and!` of a task and others.
        member inline _.MergeSources(first: Task<'a>, second: Pair<'A, 'B, 'b, 'c>) =
            Pair(Operand.ofTask first, second)

        /// `and!` of an async and a task.
        member inline _.MergeSources(first: Async<'a>, second: Task<'b>) =
            Pair(Operand.ofAsync first, Operand.ofTask second)

        /// `and!` of a function that starts a task and a task.
        member inline _.MergeSources(first: unit -> Task<'a>, second: Task<'b>) =
            Pair(Operand.ofFunction first, Operand.ofTask second)

        /// `and!` of anything with GetAwaiter and a task.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources(first: Awaitable<'L, 'K, 'a>, second: Task<'b>) =
            Pair(Operand.ofAwaitable first, Operand.ofTask second)

    type TaskMembers with

        /// The results of `and!`.
        member inline this.Bind
            (pair: Pair<'A, 'B, 'a, 'b>, rest: struct ('a * 'b) -> TaskCode<'T, 'U>)
            : TaskCode<'T, 'U> =
            this.Await(SourceAwaiter<_, struct ('a * 'b)> pair, rest)
