// Layer: machine. The members of the builders that replace FSharp.Core's `task`. They have no `Source`, because with
// one an unannotated `for x in xs` would need a source of xs, where `task` infers a sequence: see
// docs/decisions/0009. Every awaitable has its own Bind instead, in the order in which `task` prefers them: Task<'T>
// first, then anything with GetAwaiter. All of them wait by awaiters, which the machine's Task supports.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Microsoft.FSharp.Core.CompilerServices.StateMachineHelpers

/// A builder without `Source` whose `and!` has the members of TaskMerges.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type IMergesSources = interface end

/// Every member of the `task` builders but Run.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type TaskMembers() =
    inherit MachineStatements()
    interface IMergesSources

    /// Defers a part.
    member inline _.Delay(part: unit -> TaskCode<'T, 'U>) : TaskCode<'T, 'U> =
        TaskCode<'T, 'U>(fun machine -> (part ()).Invoke &machine)

    /// Nothing.
    [<DefaultValue>]
    member inline _.Zero() : TaskCode<'T, unit> = ResumableCode.Zero()

    /// One statement after another.
    member inline _.Combine(first: TaskCode<'T, unit>, second: TaskCode<'T, 'U>) : TaskCode<'T, 'U> =
        ResumableCode.Combine(first, second)

    /// The result.
    member inline _.Return(value: 'T) : TaskCode<'T, 'T> =
        TaskCode<'T, 'T>(fun machine ->
            machine.Data.Result <- value
            true)

    /// Waits by an awaiter, then runs the rest.
    member inline _.Await< ^A, 'a, 'T, 'U when CriticalAwaiter< ^A, 'a >>
        (awaiter: ^A, rest: 'a -> TaskCode<'T, 'U>)
        : TaskCode<'T, 'U> =
        TaskCode<'T, 'U>(fun machine ->
            if __useResumableCode then
                // the machine keeps an awaiter only where it suspends
                let mutable __stack_awaiter = awaiter
                let mutable __stack_done = true
                let mutable __stack_result = Unchecked.defaultof<'a>

                if (^A: (member get_IsCompleted: unit -> bool) __stack_awaiter) then
                    __stack_result <- (^A: (member GetResult: unit -> 'a) __stack_awaiter)
                else
                    let mutable kept = __stack_awaiter
                    let __stack_resumed = ResumableCode.Yield().Invoke(&machine)

                    if __stack_resumed then
                        __stack_result <- (^A: (member GetResult: unit -> 'a) kept)
                        kept <- Unchecked.defaultof< ^A>

                    __stack_done <- __stack_resumed

                if __stack_done then
                    (rest __stack_result).Invoke(&machine)
                else
                    machine.Data.Builder.AwaitUnsafeOnCompleted(&__stack_awaiter, &machine)
                    false
            elif (^A: (member get_IsCompleted: unit -> bool) awaiter) then
                (rest (^A: (member GetResult: unit -> 'a) awaiter)).Invoke(&machine)
            else
                TaskMachine.Suspend(
                    &machine,
                    awaiter,
                    ResumptionFunc<TaskData<'T>>(fun machine ->
                        (rest (^A: (member GetResult: unit -> 'a) awaiter)).Invoke(&machine))
                ))

    /// Waits by an awaiter, whose result is the result.
    member inline this.Forward< ^A, 'T when CriticalAwaiter< ^A, 'T >>(awaiter: ^A) : TaskCode<'T, 'T> =
        this.Await(awaiter, (fun value -> this.Return value))

    /// `try/finally` whose end may suspend.
    member inline this.TryFinallyAsync
        (body: TaskCode<'T, 'U>, [<InlineIfLambda>] compensation: unit -> ValueTask)
        : TaskCode<'T, 'U> =
        this.Finish(
            body,
            (fun () -> this.Await((compensation ()).GetAwaiter(), (fun () -> ResumableCode.Zero())))
        )

    /// `use` of something that is disposed asynchronously.
    member inline this.Using
        (resource: 'r, body: 'r -> TaskCode<'T, 'U>)
        : TaskCode<'T, 'U> when 'r :> IAsyncDisposable | null =
        this.TryFinallyAsync(
            TaskCode<'T, 'U>(fun machine -> (body resource).Invoke(&machine)),
            (fun () -> if isNull (box resource) then ValueTask() else resource.DisposeAsync())
        )

    /// `let!` of a task, and of an operand without a type yet.
    member inline this.Bind(task: Task<'a>, rest: 'a -> TaskCode<'T, 'U>) : TaskCode<'T, 'U> =
        this.Await(task.GetAwaiter(), rest)

    /// `return!` of a task.
    member inline this.ReturnFrom(task: Task<'T>) : TaskCode<'T, 'T> = this.Forward(task.GetAwaiter())

    /// `and!` of two tasks.
    member inline _.MergeSources(first: Task<'a>, second: Task<'b>) =
        Pair<_, _, 'a, 'b>(TaskSource<'a, OnCaptured> first, TaskSource<'b, OnCaptured> second)

    /// `for` over any sequence; without an enumerator object over an array, a list or a ResizeArray.
    member inline _.For(items: seq<'a>, body: 'a -> TaskCode<'T, unit>) : TaskCode<'T, unit> =
        TaskCode<'T, unit>(fun machine ->
            (ResumableCode.Using(
                SequenceCursor<'a>.Over items,
                (fun cursor ->
                    ResumableCode.While(
                        (fun () -> cursor.MoveNext()),
                        TaskCode<'T, unit>(fun machine -> (body cursor.Current).Invoke(&machine))
                    ))
            ))
                .Invoke(&machine))

/// Members reached only where the intrinsic ones do not fit.
[<AutoOpen>]
module TaskFallbacks =
    type TaskMembers with

        /// `use` of something that is disposed synchronously; a type with both interfaces takes the other.
        member inline _.Using
            (resource: 'r, body: 'r -> TaskCode<'T, 'U>)
            : TaskCode<'T, 'U> when 'r :> IDisposable | null =
            ResumableCode.Using(resource, body)

/// The members for an operand that can neither be awaited nor looped over: chosen if no other fits, and compile-time errors.
///
/// Every overload that takes the operand affects the type of the bound name, even if another one is chosen in the end.
/// So those with a body have constraints that awaitables, pairs and sequences do not meet: `comparison` for plain values
/// (Task, ValueTask, Async, functions and Pair have none), IFormattable for numbers. And the type of the name is any: were it
/// that of the value, a value of no type would no longer be a task. Without NoEagerConstraintApplication such a value would
/// take over the constraint.
[<AutoOpen>]
module TaskRefusal =
    type TaskMembers with

        /// Refuses `let!` of a plain value, at compile time.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        [<NoEagerConstraintApplication>]
        member inline _.Bind<'x, 'y, 'T, 'U when 'x: comparison>
            (_value: 'x, _rest: 'y -> TaskCode<'T, 'U>)
            : TaskCode<'T, 'U> =
            raise (NotSupportedException())

        /// Refuses `return!` of the value, at compile time.
        [<CompilerMessage(Refused.Message, Refused.Number, IsError = true)>]
        member inline _.ReturnFrom(_value: 'x) : TaskCode<'T, 'T> = raise (NotSupportedException())

        /// Refuses `let!` of a function that has not got all of its arguments, at compile time.
        [<CompilerMessage(Refused.FunctionMessage, Refused.FunctionNumber, IsError = true)>]
        member inline _.Bind(_function: 'x -> 'z, _rest: 'y -> TaskCode<'T, 'U>) : TaskCode<'T, 'U> =
            raise (NotSupportedException())

        /// Refuses `for` over a number, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        [<NoEagerConstraintApplication>]
        member inline _.For
            (_number: 'x, _body: 'y -> TaskCode<'T, unit>)
            : TaskCode<'T, unit> when 'x :> IFormattable =
            raise (NotSupportedException())

        /// Refuses `for` over a task, at compile time.
        [<CompilerMessage(Refused.LoopMessage, Refused.LoopNumber, IsError = true)>]
        member inline _.For(_task: Task, _body: 'y -> TaskCode<'T, unit>) : TaskCode<'T, unit> =
            raise (NotSupportedException())

/// The members for a Result, which these builders do not take apart: compile-time errors.
[<AutoOpen>]
module TaskResultRefusal =
    type TaskMembers with

        /// Refuses `let!` of a Result, at compile time.
        [<CompilerMessage(Refused.ResultMessage, Refused.ResultNumber, IsError = true)>]
        member inline _.Bind(_result: Result<'x, 'E>, _rest: 'y -> TaskCode<'T, 'U>) : TaskCode<'T, 'U> =
            raise (NotSupportedException())

        /// Refuses `return!` of a Result, at compile time.
        [<CompilerMessage(Refused.ResultMessage, Refused.ResultNumber, IsError = true)>]
        member inline _.ReturnFrom(_result: Result<'x, 'E>) : TaskCode<'T, 'T> =
            raise (NotSupportedException())

/// Awaiters with OnCompleted alone, and types with ConfigureAwait and without GetAwaiter.
[<AutoOpen>]
module TaskLastResorts =
    type TaskMembers with

        // The constraints of a Bind stand here and have no name: the compiler's message for a wrong operand prints the parameters.
        /// `let!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline this.Bind< ^L, ^A, 'a, 'T, 'U
            when ^L: (member GetAwaiter: unit -> ^A)
            and ^A :> INotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'a)>
            (awaitable: ^L, rest: 'a -> TaskCode<'T, 'U>)
            : TaskCode<'T, 'U> =
            this.Await(
                SourceAwaiter<_, 'a>(
                    AwaiterPattern.Any< ^A, 'a>(^L: (member GetAwaiter: unit -> ^A) awaitable)
                ),
                rest
            )

        /// `let!` of anything with ConfigureAwait, continuing on the captured context.
        [<NoEagerConstraintApplication>]
        member inline this.Bind< ^L, ^C, ^A, 'a, 'T, 'U
            when ^L: (member ConfigureAwait: bool -> ^C)
            and ^C: (member GetAwaiter: unit -> ^A)
            and ^A :> ICriticalNotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'a)>
            (configurable: ^L, rest: 'a -> TaskCode<'T, 'U>)
            : TaskCode<'T, 'U> =
            let configured = (^L: (member ConfigureAwait: bool -> ^C) (configurable, true))

            this.Await((^C: (member GetAwaiter: unit -> ^A) configured), rest)

        /// `return!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline this.ReturnFrom(awaitable: Awaitable<'L, 'A, 'T>) : TaskCode<'T, 'T> =
            this.Forward(SourceAwaiter<_, 'T>(AwaiterPattern.Any<'A, 'T>(awaitable.GetAwaiter())))

        /// `return!` of anything with ConfigureAwait, continuing on the captured context.
        [<NoEagerConstraintApplication>]
        member inline this.ReturnFrom(configurable: CriticalConfigurable<'L, 'C, 'A, 'T>) : TaskCode<'T, 'T> =
            this.Forward((configurable.ConfigureAwait true).GetAwaiter())

/// Anything with GetAwaiter.
[<AutoOpen>]
module TaskStructurals =
    type TaskMembers with

        /// Starts and binds a task.
        member inline this.Bind(start: unit -> Task, rest: unit -> TaskCode<'T, 'U>) : TaskCode<'T, 'U> =
            this.Await((start ()).GetAwaiter(), rest)

        /// Starts and returns a task.
        member inline this.ReturnFrom(start: unit -> Task) : TaskCode<unit, unit> =
            this.Forward((start ()).GetAwaiter())

        /// `let!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline this.Bind< ^L, ^A, 'a, 'T, 'U
            when ^L: (member GetAwaiter: unit -> ^A)
            and ^A :> ICriticalNotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'a)>
            (awaitable: ^L, rest: 'a -> TaskCode<'T, 'U>)
            : TaskCode<'T, 'U> =
            this.Await((^L: (member GetAwaiter: unit -> ^A) awaitable), rest)

        /// `return!` of anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline this.ReturnFrom(awaitable: CriticalAwaitable<'L, 'A, 'T>) : TaskCode<'T, 'T> =
            this.Forward(awaitable.GetAwaiter())

/// Value tasks, by name and not by shape, so that they rank above; and types without an awaiter: asyncs, functions that
/// start a task, ranges and asynchronous sequences.
[<AutoOpen>]
module TaskTyped =
    type TaskMembers with

        /// `let!` of a value task.
        member inline this.Bind(task: ValueTask<'a>, rest: 'a -> TaskCode<'T, 'U>) : TaskCode<'T, 'U> =
            this.Await(task.GetAwaiter(), rest)

        /// `return!` of a value task.
        member inline this.ReturnFrom(task: ValueTask<'T>) : TaskCode<'T, 'T> =
            this.Forward(task.GetAwaiter())

        /// `let!` of a value task without a result.
        member inline this.Bind(task: ValueTask, rest: unit -> TaskCode<'T, 'U>) : TaskCode<'T, 'U> =
            this.Await(task.GetAwaiter(), rest)

        /// `return!` of a value task without a result.
        member inline this.ReturnFrom(task: ValueTask) : TaskCode<unit, unit> =
            this.Forward(task.GetAwaiter())

        /// Starts and waits for an async, on the calling thread.
        member inline this.Bind(work: Async<'a>, rest: 'a -> TaskCode<'T, 'U>) : TaskCode<'T, 'U> =
            this.Await((Async.StartImmediateAsTask work).GetAwaiter(), rest)

        /// Starts and returns an async, on the calling thread.
        member inline this.ReturnFrom(work: Async<'T>) : TaskCode<'T, 'T> =
            this.Forward((Async.StartImmediateAsTask work).GetAwaiter())

        /// Starts and waits for a task.
        member inline this.Bind(start: unit -> Task<'a>, rest: 'a -> TaskCode<'T, 'U>) : TaskCode<'T, 'U> =
            this.Await((start ()).GetAwaiter(), rest)

        /// Starts and returns a task.
        member inline this.ReturnFrom(start: unit -> Task<'T>) : TaskCode<'T, 'T> =
            this.Forward((start ()).GetAwaiter())

        /// `for` over a System.Range: `for i in Range(1, 4)` runs for 1, 2 and 3.
        member inline this.For(range: Range, body: int -> TaskCode<'T, unit>) : TaskCode<'T, unit> =
            this.EachIndex(range, body)

        /// `for` over an asynchronous sequence.
        member inline this.For
            (items: IAsyncEnumerable<'a>, body: 'a -> TaskCode<'T, unit>)
            : TaskCode<'T, unit> =
            TaskCode<'T, unit>(fun machine ->
                let cursor = PlainAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

                (this.EachItem(
                    cursor,
                    (fun rest -> this.Await(cursor.MoveNext().GetAwaiter(), rest)),
                    (fun () -> this.Await(cursor.Dispose().GetAwaiter(), (fun () -> ResumableCode.Zero()))),
                    body
                ))
                    .Invoke(&machine))

        /// `for` over an asynchronous sequence with ConfigureAwait or WithCancellation.
        member inline this.For
            (items: ConfiguredCancelableAsyncEnumerable<'a>, body: 'a -> TaskCode<'T, unit>)
            : TaskCode<'T, unit> =
            TaskCode<'T, unit>(fun machine ->
                let cursor = ConfiguredAsyncSequenceCursor<'a>(items.GetAsyncEnumerator())

                (this.EachItem(
                    cursor,
                    (fun rest -> this.Await(cursor.MoveNext().GetAwaiter(), rest)),
                    (fun () -> this.Await(cursor.Dispose().GetAwaiter(), (fun () -> ResumableCode.Zero()))),
                    body
                ))
                    .Invoke(&machine))
