// Layer: builders, over the combinators. IcedTasks' builders of asyncs: one that binds awaitables, one whose `and!` is
// parallel.
namespace Plait.Migration.IcedTasks

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Microsoft.FSharp.Core.CompilerServices
open Plait.Kernel

/// The end of an async.
[<EditorBrowsable(EditorBrowsableState.Never)>]
module AsyncEnd =

    /// Runs the compensation when the computation has ended, however it did; it is not cancelled. Its error is the result.
    let tryFinally (compensation: Async<unit>) (computation: Async<'T>) : Async<'T> =
        async.Bind(
            Async.CancellationToken,
            fun token ->
                Async.FromContinuations(fun (succeeded, failed, cancelled) ->
                    let compensate ending =
                        Async.StartWithContinuations(
                            compensation,
                            ending,
                            failed,
                            failed,
                            CancellationToken.None
                        )

                    Async.StartWithContinuations(
                        computation,
                        (fun value -> compensate (fun () -> succeeded value)),
                        (fun error -> compensate (fun () -> failed error)),
                        (fun error -> compensate (fun () -> cancelled error)),
                        token
                    ))
        )

/// The members of an awaiter.
[<AbstractClass; Sealed>]
type Awaiter =

    /// Whether the result can be taken.
    static member inline IsCompleted(awaiter: Awaiter<'A, 'a>) : bool = awaiter.get_IsCompleted ()

    /// Takes the result.
    static member inline GetResult(awaiter: Awaiter<'A, 'a>) : 'a = awaiter.GetResult()

    /// Calls the continuation when the result can be taken.
    static member inline OnCompleted(awaiter: Awaiter<'A, 'a>, continuation: Action) : unit =
        awaiter.OnCompleted continuation

    /// Calls the continuation when the result can be taken, without the execution context.
    static member inline UnsafeOnCompleted
        (awaiter: 'A, continuation: Action)
        : unit when 'A :> ICriticalNotifyCompletion =
        awaiter.UnsafeOnCompleted continuation

/// The awaiter of an awaitable.
[<AbstractClass; Sealed>]
type Awaitable =

    /// The awaiter.
    static member inline GetAwaiter(awaitable: Awaitable<'L, 'A, 'a>) : 'A = awaitable.GetAwaiter()

    /// The awaiter of a Task<'T>.
    static member inline GetTaskAwaiter(task: Task<'T>) : TaskAwaiter<'T> = task.GetAwaiter()

/// Operations as asyncs, which raise the exception of the operation.
[<AbstractClass; Sealed>]
type AsyncEx =

    /// Awaits an awaiter.
    static member inline AwaitAwaiter< ^A, 'a when CriticalAwaiter< ^A, 'a >>(awaiter: ^A) : Async<'a> =
        Async.FromContinuations(fun (succeeded, failed, _) ->
            let settle () =
                AsyncAwait.Settle(
                    (fun () -> (^A: (member GetResult: unit -> 'a) awaiter)),
                    succeeded,
                    failed
                )

            if (^A: (member get_IsCompleted: unit -> bool) awaiter) then
                settle ()
            else
                awaiter.UnsafeOnCompleted(fun () -> settle ()))

    /// Awaits anything with GetAwaiter.
    static member inline AwaitAwaitable<'L, 'A, 'a when CriticalAwaitable<'L, 'A, 'a>>
        (awaitable: 'L)
        : Async<'a> =
        AsyncEx.AwaitAwaiter<'A, 'a>(awaitable.GetAwaiter())

    /// Awaits a Task.
    static member AwaitTask(task: Task) : Async<unit> = AsyncAwait.Task task

    /// Awaits a Task<'T>.
    static member AwaitTask(task: Task<'T>) : Async<'T> = AsyncAwait.Task task

    /// Awaits a ValueTask<'T>, which is consumed by the call.
    static member AwaitValueTask(operation: ValueTask<'T>) : Async<'T> =
        if operation.IsCompletedSuccessfully then
            async.Return operation.Result
        else
            AsyncAwait.Task(operation.AsTask())

    /// Awaits a ValueTask, which is consumed by the call.
    static member AwaitValueTask(operation: ValueTask) : Async<unit> =
        if operation.IsCompletedSuccessfully then
            operation.GetAwaiter().GetResult() // a pooled operation is given back when it is read
            async.Zero()
        else
            AsyncAwait.Task(operation.AsTask())

    /// Awaits the operation, started anew at each start.
    static member AwaitColdTask(operation: unit -> Task<'T>) : Async<'T> =
        async.Delay(fun () -> AsyncAwait.Task(operation ()))

    /// Awaits the operation, started anew at each start.
    static member AwaitColdTask(operation: unit -> Task) : Async<unit> =
        async.Delay(fun () -> AsyncAwait.Task(operation ()))

    /// Awaits the operation, started with the async's token.
    static member AwaitCancellableTask(operation: CancellationToken -> Task<'T>) : Async<'T> =
        AsyncAwait.Started(operation, AsyncEx.AwaitTask)

    /// Awaits the operation, started with the async's token.
    static member AwaitCancellableTask(operation: CancellationToken -> Task) : Async<unit> =
        AsyncAwait.Started(operation, AsyncEx.AwaitTask)

    /// Awaits the operation, started with the async's token.
    static member AwaitCancellableValueTask(operation: CancellationToken -> ValueTask<'T>) : Async<'T> =
        AsyncAwait.Started(operation, AsyncEx.AwaitValueTask)

    /// Awaits the operation, started with the async's token.
    static member AwaitCancellableValueTask(operation: CancellationToken -> ValueTask) : Async<unit> =
        AsyncAwait.Started(operation, AsyncEx.AwaitValueTask)

/// An Async that binds every awaitable, awaits in `use` and in `for` over an IAsyncEnumerable.
type AsyncExBuilder() =

    /// Nothing.
    member _.Zero() : Async<unit> = async.Zero()

    /// Defers a part.
    member _.Delay(part: unit -> Async<'T>) : Async<'T> = async.Delay part

    /// The result.
    member _.Return(value: 'T) : Async<'T> = async.Return value

    /// `return!`.
    member _.ReturnFrom(computation: Async<'T>) : Async<'T> = computation

    /// `let!`.
    member _.Bind(computation: Async<'T>, binder: 'T -> Async<'U>) : Async<'U> =
        async.Bind(computation, binder)

    /// One statement after another.
    member _.Combine(first: Async<unit>, second: Async<'T>) : Async<'T> = async.Combine(first, second)

    /// `while`.
    member _.While(condition: unit -> bool, body: Async<unit>) : Async<unit> = async.While(condition, body)

    /// `for`.
    member _.For(items: seq<'T>, body: 'T -> Async<unit>) : Async<unit> = async.For(items, body)

    /// `for` over an asynchronous sequence, which gets the token.
    member this.For(items: IAsyncEnumerable<'T>, body: 'T -> Async<unit>) : Async<unit> =
        async.Bind(
            Async.CancellationToken,
            fun token ->
                let cursor = items.GetAsyncEnumerator token
                let mutable more = true

                async.Delay(fun () -> AsyncEx.AwaitValueTask(cursor.MoveNextAsync()))
                |> fun move ->
                    async.While(
                        (fun () -> more),
                        async.Bind(
                            move,
                            fun moved ->
                                more <- moved
                                if moved then body cursor.Current else async.Zero()
                        )
                    )
                |> AsyncEnd.tryFinally (async.Delay(fun () -> AsyncEx.AwaitValueTask(cursor.DisposeAsync())))
        )

    /// `try/with`.
    member _.TryWith(computation: Async<'T>, handler: exn -> Async<'T>) : Async<'T> =
        async.TryWith(computation, handler)

    /// `try/finally`.
    member _.TryFinally(computation: Async<'T>, compensation: unit -> unit) : Async<'T> =
        async.TryFinally(computation, compensation)

    /// `use` of something that is disposed asynchronously.
    member _.Using(resource: 'r, body: 'r -> Async<'T>) : Async<'T> when 'r :> IAsyncDisposable | null =
        async.Delay(fun () -> body resource)
        |> AsyncEnd.tryFinally (
            async.Delay(fun () ->
                match box resource with
                | null -> async.Zero()
                | _ -> AsyncEx.AwaitValueTask(resource.DisposeAsync()))
        )

    /// The type of an unannotated `let!`.
    member _.Source(computation: Async<'T>) : Async<'T> = computation

/// The operands of `asyncEx` if no other member fits, and sequences.
[<AutoOpen>]
module AsyncExStructurals =
    type AsyncExBuilder with

        /// The sequence of a `for`.
        member _.Source(items: #seq<'T>) = items

        /// `use` of something that is disposed synchronously.
        member _.Using(resource: 'r, body: 'r -> Async<'T>) : Async<'T> when 'r :> IDisposable | null =
            async.Using(resource, body)

        /// Binds an awaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Source< ^A, 'a when CriticalAwaiter< ^A, 'a >>(awaiter: ^A) : Async<'a> =
            AsyncEx.AwaitAwaiter< ^A, 'a> awaiter

        /// Binds anything with GetAwaiter.
        [<NoEagerConstraintApplication>]
        member inline _.Source< ^L, ^A, 'a
            when ^L: (member GetAwaiter: unit -> ^A)
            and ^A :> ICriticalNotifyCompletion
            and ^A: (member get_IsCompleted: unit -> bool)
            and ^A: (member GetResult: unit -> 'a)>
            (awaitable: ^L)
            : Async<'a> =
            AsyncEx.AwaitAwaitable< ^L, ^A, 'a> awaitable

/// The operands of `asyncEx`.
[<AutoOpen>]
module AsyncExSources =
    type AsyncExBuilder with

        /// The asynchronous sequence of a `for`.
        member _.Source(items: #IAsyncEnumerable<'T>) = items

        /// Binds a Task.
        member _.Source(task: Task) : Async<unit> = AsyncEx.AwaitTask task

        /// Binds a Task<'T>.
        member _.Source(task: Task<'T>) : Async<'T> = AsyncEx.AwaitTask task

        /// Binds a ValueTask.
        member _.Source(operation: ValueTask) : Async<unit> = AsyncEx.AwaitValueTask operation

        /// Binds a ValueTask<'T>.
        member _.Source(operation: ValueTask<'T>) : Async<'T> = AsyncEx.AwaitValueTask operation

        /// Starts and binds a cold task.
        member _.Source(operation: unit -> Task) : Async<unit> = AsyncEx.AwaitColdTask operation

        /// Starts and binds a cold task.
        member _.Source(operation: unit -> Task<'T>) : Async<'T> = AsyncEx.AwaitColdTask operation

        /// Starts and binds a cancellable task, with the token.
        member _.Source(operation: CancellationToken -> Task) : Async<unit> =
            AsyncEx.AwaitCancellableTask operation

        /// Starts and binds a cancellable task, with the token.
        member _.Source(operation: CancellationToken -> Task<'T>) : Async<'T> =
            AsyncEx.AwaitCancellableTask operation

        /// Starts and binds a cancellable ValueTask, with the token.
        member _.Source(operation: CancellationToken -> ValueTask) : Async<unit> =
            AsyncEx.AwaitCancellableValueTask operation

        /// Starts and binds a cancellable ValueTask, with the token.
        member _.Source(operation: CancellationToken -> ValueTask<'T>) : Async<'T> =
            AsyncEx.AwaitCancellableValueTask operation

/// Two asyncs in parallel.
[<AbstractClass; Sealed>]
type ParallelAsync =

    /// Both results, of asyncs that are started by Async.StartChild.
    static member zipWithStartChild (first: Async<'T>) (second: Async<'U>) : Async<'T * 'U> =
        async.Bind(
            Async.StartChild first,
            fun first ->
                async.Bind(
                    Async.StartChild second,
                    fun second ->
                        async.Bind(
                            first,
                            fun first -> async.Bind(second, (fun second -> async.Return(first, second)))
                        )
                )
        )

    /// Both results, of asyncs that are started by Async.StartImmediateAsTask.
    static member zipUsingStartImmediateAsTask (first: Async<'T>) (second: Async<'U>) : Async<'T * 'U> =
        async.Bind(
            Async.CancellationToken,
            fun token ->
                let first = Async.StartImmediateAsTask(first, token)
                let second = Async.StartImmediateAsTask(second, token)

                async.Bind(
                    Async.AwaitTask first,
                    fun first ->
                        async.Bind(Async.AwaitTask second, (fun second -> async.Return(first, second)))
                )
        )

/// The statements of `async`.
type ParallelAsyncBuilderBase() =

    /// Nothing.
    member _.Zero() : Async<unit> = async.Zero()

    /// Defers a part.
    member _.Delay(part: unit -> Async<'T>) : Async<'T> = async.Delay part

    /// The result.
    member _.Return(value: 'T) : Async<'T> = async.Return value

    /// `return!`.
    member _.ReturnFrom(computation: Async<'T>) : Async<'T> = computation

    /// `let!`.
    member _.Bind(computation: Async<'T>, binder: 'T -> Async<'U>) : Async<'U> =
        async.Bind(computation, binder)

    /// `let!` with a plain rest.
    member _.BindReturn(computation: Async<'T>, mapping: 'T -> 'U) : Async<'U> =
        async.Bind(computation, (fun value -> async.Return(mapping value)))

    /// `use`.
    member _.Using(resource: 'r, body: 'r -> Async<'T>) : Async<'T> when 'r :> IDisposable | null =
        async.Using(resource, body)

    /// `while`.
    member _.While(condition: unit -> bool, body: Async<unit>) : Async<unit> = async.While(condition, body)

    /// `for`.
    member _.For(items: seq<'T>, body: 'T -> Async<unit>) : Async<unit> = async.For(items, body)

    /// One statement after another.
    member _.Combine(first: Async<unit>, second: Async<'T>) : Async<'T> = async.Combine(first, second)

    /// `try/finally`.
    member _.TryFinally(computation: Async<'T>, compensation: unit -> unit) : Async<'T> =
        async.TryFinally(computation, compensation)

    /// `try/with`.
    member _.TryWith(computation: Async<'T>, handler: exn -> Async<'T>) : Async<'T> =
        async.TryWith(computation, handler)

/// An Async whose `and!` starts its sides by Async.StartChild.
type ParallelAsyncBuilderUsingStartChild() =
    inherit ParallelAsyncBuilderBase()

    /// `and!`.
    member _.MergeSources(first: Async<'T>, second: Async<'U>) : Async<'T * 'U> =
        ParallelAsync.zipWithStartChild first second

/// An Async whose `and!` starts its sides by Async.StartImmediateAsTask.
type ParallelAsyncBuilderUsingStartImmediateAsTask() =
    inherit ParallelAsyncBuilderBase()

    /// `and!`.
    member _.MergeSources(first: Async<'T>, second: Async<'U>) : Async<'T * 'U> =
        ParallelAsync.zipUsingStartImmediateAsTask first second
