// Layer: machine. The members of the builders that replace FSharp.Core's `task`. They have no `Source`, because with
// one an unannotated `for x in xs` would need a source of xs, where `task` infers a sequence: see
// docs/decisions/0009. Every awaitable has its own Bind instead, in the order in which `task` prefers them: Task<'T>
// first, then anything with GetAwaiter.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.ComponentModel
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices

/// Every member of the `task` builders but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type TaskMembers() =
    inherit MachineMembers<OnCaptured>()

    /// `let!` of a task, and of what has no type yet.
    member inline this.Bind(task: Task<'a>, rest: 'a -> Code<'T, 'U>) : Code<'T, 'U> =
        this.Await(TaskSource<'a, OnCaptured> task, rest)

    /// `return!` of a task.
    member inline this.ReturnFrom(task: Task<'T>) : Code<'T, 'T> =
        this.Forward(TaskSource<'T, OnCaptured> task)

    /// `and!` of two tasks.
    member inline _.MergeSources(first: Task<'a>, second: Task<'b>) =
        Pair<_, _, 'a, 'b>(TaskSource<'a, OnCaptured> first, TaskSource<'b, OnCaptured> second)

    /// `for` over any sequence; without an enumerator object over an array, a list or a ResizeArray.
    member inline _.For(items: seq<'a>, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
        Code<'T, unit>(fun machine ->
            (ResumableCode.Using(
                SequenceCursor<'a>.Over items,
                (fun cursor ->
                    ResumableCode.While(
                        (fun () -> cursor.MoveNext()),
                        Code<'T, unit>(fun machine -> (body cursor.Current).Invoke(&machine))
                    ))
            ))
                .Invoke(&machine))

/// The members for what can neither be awaited nor looped over: chosen if nothing else fits, and compile-time errors.
///
/// Every overload that takes what is bound has a say in the type of the name it is bound to, even if another one is chosen
/// in the end. So those with a body have constraints that awaitables, pairs and sequences do not meet: `comparison` for
/// plain values (Task, ValueTask, Async, functions and Pair have none), IFormattable for numbers. And the type of the name is
/// any: were it that of the value, a value of no type would no longer be a task. Without NoEagerConstraintApplication such a
/// value would take over the constraint.
[<AutoOpen>]
module TaskRefusal =
    type TaskMembers with

        /// Refuses `let!` of a plain value, at compile time.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        [<NoEagerConstraintApplication>]
        member inline _.Bind<'x, 'y, 'T, 'U when 'x: comparison>
            (_value: 'x, _rest: 'y -> Code<'T, 'U>)
            : Code<'T, 'U> =
            raise (NotSupportedException())

        /// Refuses `return!` of the value, at compile time.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        member inline _.ReturnFrom(_value: 'x) : Code<'T, 'T> = raise (NotSupportedException())

        /// Refuses `for` over a number, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        [<NoEagerConstraintApplication>]
        member inline _.For
            (_number: 'x, _body: 'y -> Code<'T, unit>)
            : Code<'T, unit> when 'x :> IFormattable =
            raise (NotSupportedException())

        /// Refuses `for` over a task, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        member inline _.For(_task: Task, _body: 'y -> Code<'T, unit>) : Code<'T, unit> =
            raise (NotSupportedException())

/// Awaiters that only know OnCompleted, and types that have ConfigureAwait and no GetAwaiter.
[<AutoOpen>]
module TaskLastResorts =
    type TaskMembers with

        /// `let!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline this.Bind< ^L, ^A, 'a, 'T, 'U
            when ^L: (member GetAwaiter: unit -> ^A)
            and ^A :> INotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'a)>
            (awaitable: ^L, rest: 'a -> Code<'T, 'U>)
            : Code<'T, 'U> =
            this.Await(AwaiterPattern.Any< ^A, 'a>(^L: (member GetAwaiter: unit -> ^A) awaitable), rest)

        /// `let!` of anything with ConfigureAwait, continuing on the captured context.
        [<NoEagerConstraintApplication>]
        member inline this.Bind< ^L, ^C, ^A, 'a, 'T, 'U
            when ^L: (member ConfigureAwait: bool -> ^C)
            and ^C: (member GetAwaiter: unit -> ^A)
            and ^A :> ICriticalNotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'a)>
            (configurable: ^L, rest: 'a -> Code<'T, 'U>)
            : Code<'T, 'U> =
            let configured = (^L: (member ConfigureAwait: bool -> ^C) (configurable, true))

            this.Await(AwaiterPattern.Critical< ^A, 'a>(^C: (member GetAwaiter: unit -> ^A) configured), rest)

        /// `return!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline this.ReturnFrom< ^L, ^A, 'T
            when ^L: (member GetAwaiter: unit -> ^A)
            and ^A :> INotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'T)>
            (awaitable: ^L)
            : Code<'T, 'T> =
            this.Forward(AwaiterPattern.Any< ^A, 'T>(^L: (member GetAwaiter: unit -> ^A) awaitable))

        /// `return!` of anything with ConfigureAwait, continuing on the captured context.
        [<NoEagerConstraintApplication>]
        member inline this.ReturnFrom< ^L, ^C, ^A, 'T
            when ^L: (member ConfigureAwait: bool -> ^C)
            and ^C: (member GetAwaiter: unit -> ^A)
            and ^A :> ICriticalNotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'T)>
            (configurable: ^L)
            : Code<'T, 'T> =
            let configured = (^L: (member ConfigureAwait: bool -> ^C) (configurable, true))

            this.Forward(AwaiterPattern.Critical< ^A, 'T>(^C: (member GetAwaiter: unit -> ^A) configured))

/// Anything with GetAwaiter.
[<AutoOpen>]
module TaskStructurals =
    type TaskMembers with

        /// `let!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline this.Bind< ^L, ^A, 'a, 'T, 'U
            when ^L: (member GetAwaiter: unit -> ^A)
            and ^A :> ICriticalNotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'a)>
            (awaitable: ^L, rest: 'a -> Code<'T, 'U>)
            : Code<'T, 'U> =
            this.Await(AwaiterPattern.Critical< ^A, 'a>(^L: (member GetAwaiter: unit -> ^A) awaitable), rest)

        /// `return!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline this.ReturnFrom< ^L, ^A, 'T
            when ^L: (member GetAwaiter: unit -> ^A)
            and ^A :> ICriticalNotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'T)>
            (awaitable: ^L)
            : Code<'T, 'T> =
            this.Forward(AwaiterPattern.Critical< ^A, 'T>(^L: (member GetAwaiter: unit -> ^A) awaitable))

/// Types with a source of their own, which is faster than their awaiter; and types without an awaiter: asyncs,
/// functions that start a task, ranges and asynchronous sequences.
[<AutoOpen>]
module TaskTyped =
    type TaskMembers with

        /// `let!` of a value task.
        member inline this.Bind(task: ValueTask<'a>, rest: 'a -> Code<'T, 'U>) : Code<'T, 'U> =
            this.Await(ValueTaskSource<'a, OnCaptured> task, rest)

        /// `return!` of a value task.
        member inline this.ReturnFrom(task: ValueTask<'T>) : Code<'T, 'T> =
            this.Forward(ValueTaskSource<'T, OnCaptured> task)

        /// `let!` of a value task without a result.
        member inline this.Bind(task: ValueTask, rest: unit -> Code<'T, 'U>) : Code<'T, 'U> =
            this.Await(UnitValueTaskSource<unit, OnCaptured> task, rest)

        /// `return!` of a value task without a result.
        member inline this.ReturnFrom(task: ValueTask) : Code<unit, unit> =
            this.Forward(UnitValueTaskSource<unit, OnCaptured> task)

        /// Starts and waits for an async, on the calling thread.
        member inline this.Bind(work: Async<'a>, rest: 'a -> Code<'T, 'U>) : Code<'T, 'U> =
            this.Await(TaskSource<'a, OnCaptured>(Async.StartImmediateAsTask work), rest)

        /// Starts and returns an async, on the calling thread.
        member inline this.ReturnFrom(work: Async<'T>) : Code<'T, 'T> =
            this.Forward(TaskSource<'T, OnCaptured>(Async.StartImmediateAsTask work))

        /// Starts and waits for a task.
        member inline this.Bind(start: unit -> Task<'a>, rest: 'a -> Code<'T, 'U>) : Code<'T, 'U> =
            this.Await(TaskSource<'a, OnCaptured>(start ()), rest)

        /// Starts and returns a task.
        member inline this.ReturnFrom(start: unit -> Task<'T>) : Code<'T, 'T> =
            this.Forward(TaskSource<'T, OnCaptured>(start ()))

        /// `for` over a System.Range: `for i in Range(1, 4)` runs for 1, 2 and 3.
        member inline this.For(range: Range, body: int -> Code<'T, unit>) : Code<'T, unit> =
            this.EachIndex(range, body)

        /// `for` over an asynchronous sequence.
        member inline this.For(items: IAsyncEnumerable<'a>, body: 'a -> Code<'T, unit>) : Code<'T, unit> =
            this.EachAsync(items, body)

        /// `for` over an asynchronous sequence with ConfigureAwait or WithCancellation.
        member inline this.For
            (items: ConfiguredCancelableAsyncEnumerable<'a>, body: 'a -> Code<'T, unit>)
            : Code<'T, unit> =
            this.EachConfigured(items, body)
