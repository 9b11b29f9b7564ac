// Layer: machine. `and!` in the builders that replace FSharp.Core's `task`, which have no `Source`: one member for
// each pair of kinds. More than two operations are pairs of pairs.
namespace Plait.Kernel

open System.ComponentModel
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices

/// `and!` of types with GetAwaiter.
[<AutoOpen>]
module TaskPatternMerges =
    type TaskMembers with

        /// `and!` of anything with GetAwaiter and anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources< ^L, ^M, ^K, ^N, 'a, 'b
            when ^L: (member GetAwaiter: unit -> ^K)
            and ^K :> INotifyCompletion
            and ^K: (member get_IsCompleted: unit -> bool)
            and ^K: (member GetResult: unit -> 'a)
            and ^M: (member GetAwaiter: unit -> ^N)
            and ^N :> INotifyCompletion
            and ^N: (member get_IsCompleted: unit -> bool)
            and ^N: (member GetResult: unit -> 'b)>
            (first: ^L, second: ^M)
            =
            Pair<_, _, 'a, 'b>(
                AwaiterPattern.Any< ^K, 'a>(^L: (member GetAwaiter: unit -> ^K) first),
                AwaiterPattern.Any< ^N, 'b>(^M: (member GetAwaiter: unit -> ^N) second)
            )

/// `and!` of a type with GetAwaiter and another type.
[<AutoOpen>]
module TaskMixedMerges =
    type TaskMembers with

        /// `and!` of a task and anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources< ^M, ^N, 'a, 'b
            when ^M: (member GetAwaiter: unit -> ^N)
            and ^N :> INotifyCompletion
            and ^N: (member get_IsCompleted: unit -> bool)
            and ^N: (member GetResult: unit -> 'b)>
            (first: Task<'a>, second: ^M)
            =
            Pair<_, _, 'a, 'b>(
                TaskSource<'a, OnCaptured> first,
                AwaiterPattern.Any< ^N, 'b>(^M: (member GetAwaiter: unit -> ^N) second)
            )

        /// `and!` of anything with GetAwaiter and a task.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources< ^L, ^K, 'a, 'b
            when ^L: (member GetAwaiter: unit -> ^K)
            and ^K :> INotifyCompletion
            and ^K: (member get_IsCompleted: unit -> bool)
            and ^K: (member GetResult: unit -> 'a)>
            (first: ^L, second: Task<'b>)
            =
            Pair<_, _, 'a, 'b>(
                AwaiterPattern.Any< ^K, 'a>(^L: (member GetAwaiter: unit -> ^K) first),
                TaskSource<'b, OnCaptured> second
            )

        /// `and!` of an async and anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources< ^M, ^N, 'a, 'b
            when ^M: (member GetAwaiter: unit -> ^N)
            and ^N :> INotifyCompletion
            and ^N: (member get_IsCompleted: unit -> bool)
            and ^N: (member GetResult: unit -> 'b)>
            (first: Async<'a>, second: ^M)
            =
            Pair<_, _, 'a, 'b>(
                TaskSource<'a, OnCaptured>(Async.StartImmediateAsTask first),
                AwaiterPattern.Any< ^N, 'b>(^M: (member GetAwaiter: unit -> ^N) second)
            )

        /// `and!` of anything with GetAwaiter and an async.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources< ^L, ^K, 'a, 'b
            when ^L: (member GetAwaiter: unit -> ^K)
            and ^K :> INotifyCompletion
            and ^K: (member get_IsCompleted: unit -> bool)
            and ^K: (member GetResult: unit -> 'a)>
            (first: ^L, second: Async<'b>)
            =
            Pair<_, _, 'a, 'b>(
                AwaiterPattern.Any< ^K, 'a>(^L: (member GetAwaiter: unit -> ^K) first),
                TaskSource<'b, OnCaptured>(Async.StartImmediateAsTask second)
            )

        /// `and!` of anything with GetAwaiter and others.
        [<NoEagerConstraintApplication>]
        member inline _.MergeSources< ^L, ^K, 'a, 'b, 'c, 'A, 'B
            when ^L: (member GetAwaiter: unit -> ^K)
            and ^K :> INotifyCompletion
            and ^K: (member get_IsCompleted: unit -> bool)
            and ^K: (member GetResult: unit -> 'a)
            and 'A :> ISource<'b>
            and 'B :> ISource<'c>>
            (first: ^L, second: Pair<'A, 'B, 'b, 'c>)
            =
            Pair<_, _, 'a, struct ('b * 'c)>(
                AwaiterPattern.Any< ^K, 'a>(^L: (member GetAwaiter: unit -> ^K) first),
                second
            )

/// `and!` of tasks, asyncs and pairs.
[<AutoOpen>]
module TaskMerges =
    type TaskMembers with

        /// `and!` of an async and an async.
        member inline _.MergeSources(first: Async<'a>, second: Async<'b>) =
            Pair<_, _, 'a, 'b>(
                TaskSource<'a, OnCaptured>(Async.StartImmediateAsTask first),
                TaskSource<'b, OnCaptured>(Async.StartImmediateAsTask second)
            )

        /// `and!` of an async and a task.
        member inline _.MergeSources(first: Async<'a>, second: Task<'b>) =
            Pair<_, _, 'a, 'b>(
                TaskSource<'a, OnCaptured>(Async.StartImmediateAsTask first),
                TaskSource<'b, OnCaptured> second
            )

        /// `and!` of a task and an async.
        member inline _.MergeSources(first: Task<'a>, second: Async<'b>) =
            Pair<_, _, 'a, 'b>(
                TaskSource<'a, OnCaptured> first,
                TaskSource<'b, OnCaptured>(Async.StartImmediateAsTask second)
            )

        /// `and!` of a task and others.
        member inline _.MergeSources(first: Task<'a>, second: Pair<'A, 'B, 'b, 'c>) =
            Pair<_, _, 'a, struct ('b * 'c)>(TaskSource<'a, OnCaptured> first, second)

        /// `and!` of an async and others.
        member inline _.MergeSources(first: Async<'a>, second: Pair<'A, 'B, 'b, 'c>) =
            Pair<_, _, 'a, struct ('b * 'c)>(
                TaskSource<'a, OnCaptured>(Async.StartImmediateAsTask first),
                second
            )

        /// The results of `and!`.
        member inline this.Bind
            (pair: Pair<'A, 'B, 'a, 'b>, rest: struct ('a * 'b) -> Code<'T, 'U>)
            : Code<'T, 'U> =
            this.Await(pair, rest)
