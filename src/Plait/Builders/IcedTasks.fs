// Layer: builders, over the combinators. The names of IcedTasks, as Migration.fs has those of other libraries: a namespace, opened
// by `open Plait.Migration.IcedTasks` for `open IcedTasks`. docs/how-to/migrate-from-icedtasks.md lists every name.
namespace Plait.Migration.IcedTasks

open System
open System.Threading.Tasks
open Plait
open Plait.Kernel

/// An exception or null.
type ExceptionNull = exn | null

/// An IDisposable or null.
type IDisposableNull = IDisposable | null

/// An IAsyncDisposable or null.
type IAsyncDisposableNull = IAsyncDisposable | null

/// The type of `valueTask` and `vTask`.
type ValueTaskBuilder = Plait.ValueTaskBuilder

/// The type of `valueTaskUnit` and `vTaskUnit`.
type ValueTaskUnitBuilder = Plait.ValueTaskUnitBuilder

/// The type of `poolingValueTask` and `pvTask`.
type PoolingValueTaskBuilder = PooledValueTaskBuilder

/// The type of `taskUnit`.
type TaskUnitBuilder = Plait.TaskUnitBuilder

/// The type of `backgroundTaskUnit`.
type BackgroundTaskUnitBuilder = Plait.BackgroundTaskUnitBuilder

/// Functions over ValueTask<'T>. Each consumes every operation that it is given exactly once. The results of
/// `map`, `bind`, `apply`, `zip` and `ofUnit` are pooled and awaited once, as in IcedTasks on .NET 6 and later.
[<RequireQualifiedAccess>]
module ValueTask =

    /// A completed operation.
    let singleton (item: 'T) : ValueTask<'T> = PooledValueTask.result item

    /// The operation that the binder returns for the result.
    let bind (binder: 'T -> ValueTask<'U>) (operation: ValueTask<'T>) : ValueTask<'U> =
        PooledValueTask.bind binder operation

    /// Maps the result.
    let map (mapper: 'T -> 'U) (operation: ValueTask<'T>) : ValueTask<'U> =
        PooledValueTask.map mapper operation

    /// Awaits a function and its argument, then applies the function.
    let apply (applicable: ValueTask<'T -> 'U>) (operation: ValueTask<'T>) : ValueTask<'U> =
        PooledValueTask.apply applicable operation

    /// Both results. Both operations are awaited, even if the first fails; then the first error in order is the
    /// result.
    let zip (left: ValueTask<'T>) (right: ValueTask<'U>) : ValueTask<'T * 'U> =
        Combine.Map(
            (fun (struct (left, right)) -> left, right),
            Pair<_, _, 'T, 'U>(Awaited.Anywhere left, Awaited.Anywhere right),
            AsPooledValueTask<'T * 'U>()
        )

    /// Turns an operation without a value into one with the value unit.
    let ofUnit (operation: ValueTask) : ValueTask<unit> = PooledValueTask.ofUnit operation

    /// The Task as a ValueTask<'T>, which may be awaited as often as the Task. Null: ArgumentNullException.
    let ofTask (task: Task<'T>) : ValueTask<'T> = ValueTask<'T> task

    /// The Task as a ValueTask, which may be awaited as often as the Task. Null: ArgumentNullException.
    let ofTaskUnit (task: Task) : ValueTask = ValueTask task

    /// A Task with the same result, exception or cancellation: the one inside, where there is one.
    let toTask (operation: ValueTask<'T>) : Task<'T> = operation.AsTask()

    /// A Task with the same exception or cancellation, or none: the one inside, where there is one.
    let toTaskUnit (operation: ValueTask) : Task = operation.AsTask()

    /// The operation without its value. An error is kept. It may be awaited many times: an operation that has not
    /// completed successfully gets a Task, where it has none.
    let toUnit (operation: ValueTask<'T>) : ValueTask =
        if operation.IsCompletedSuccessfully then
            operation.Result |> ignore // a pooled operation is given back when it is read
            ValueTask()
        else
            ValueTask(operation.AsTask())

/// The builders of IcedTasks, and its additions to `async`, `Async` and FSharp.Core's `task`.
[<AutoOpen>]
module IcedTasksNames =

    /// A ValueTask<'T> that may be awaited many times: one that waits has a Task inside. `and!` waits for all before the
    /// first error is thrown.
    let valueTask = valueTask

    /// The short name of `valueTask`.
    let vTask = valueTask

    /// A ValueTask that may be awaited many times: one that waits has a Task inside.
    let valueTaskUnit = valueTaskUnit

    /// The short name of `valueTaskUnit`.
    let vTaskUnit = valueTaskUnit

    /// A pooled ValueTask<'T>, awaited once as in IcedTasks. Its pool is not the BCL's: an early read is refused, and
    /// harms no other operation.
    let poolingValueTask = pooledValueTask

    /// The short name of `poolingValueTask`.
    let pvTask = pooledValueTask

    /// A Task; the same as `Plait.Tasks.taskUnit`.
    let taskUnit = Tasks.taskUnit

    /// A Task that never runs on the caller's context; the same as `Plait.Tasks.backgroundTaskUnit`.
    let backgroundTaskUnit = Tasks.backgroundTaskUnit

    /// A function that starts the code anew at each call; the same as `Plait.ColdTaskBuilders.coldTask`.
    let coldTask = coldTask

    /// `coldTask` that never runs on the caller's context. Each call runs in the context of its caller.
    let backgroundColdTask = backgroundColdTask

    /// A function of a token that starts the code anew at each call; the same as
    /// `Plait.CancellableTaskBuilders.cancellableTask`.
    let cancellableTask = cancellableTask

    /// `cancellableTask` that never runs on the caller's context. Each call runs in the context of its caller.
    let backgroundCancellableTask = backgroundCancellableTask

    /// A function of a token to a ValueTask that may be awaited many times: one that waits has a Task inside.
    let cancellableValueTask = CancellableValueTaskBuilder()

    /// A function of a token to a pooled ValueTask, awaited once as in IcedTasks; the same as
    /// `Plait.CancellableValueTaskBuilders.cancellableValueTask`.
    let cancellablePoolingValueTask =
        Plait.CancellableValueTaskBuilders.cancellableValueTask

    /// The short name of `cancellablePoolingValueTask`.
    let cancelablePVTask = cancellablePoolingValueTask

    /// An Async that binds every awaitable, awaits in `use` and in `for` over an IAsyncEnumerable, and keeps exceptions as
    /// they are.
    let asyncEx = AsyncExBuilder()

    /// An Async whose `and!` starts its sides by Async.StartChild.
    let parallelAsyncUsingStartChild = ParallelAsyncBuilderUsingStartChild()

    /// An Async whose `and!` starts its sides by Async.StartImmediateAsTask.
    let parallelAsyncUsingStartImmediateAsTask =
        ParallelAsyncBuilderUsingStartImmediateAsTask()

    /// The same as `parallelAsyncUsingStartImmediateAsTask`.
    let parallelAsync = parallelAsyncUsingStartImmediateAsTask

    type Microsoft.FSharp.Control.Async with

        /// Awaits the operation, which is consumed by the call. Errors are as with Async.AwaitTask.
        static member AwaitValueTask(operation: ValueTask<'T>) : Async<'T> =
            if operation.IsCompletedSuccessfully then
                async.Return operation.Result
            else
                Async.AwaitTask(operation.AsTask())

        /// Awaits the operation, which is consumed by the call. Errors are as with Async.AwaitTask.
        static member AwaitValueTask(operation: ValueTask) : Async<unit> =
            if operation.IsCompletedSuccessfully then
                operation.GetAwaiter().GetResult() // a pooled operation is given back when it is read
                async.Zero()
            else
                Async.AwaitTask(operation.AsTask())

        /// Starts the computation on the calling thread. The result may be awaited many times: there is a Task inside.
        static member AsValueTask(computation: Async<'T>) : ValueTask<'T> =
            ValueTask<'T>(Async.StartImmediateAsTask computation)

        /// Awaits the operation, started anew at each start. Errors are as with Async.AwaitTask.
        static member AwaitColdTask(operation: ColdTask<'T>) : Async<'T> =
            async.Delay(fun () -> Async.AwaitTask(operation ()))

        /// Awaits the operation, started anew at each start. Errors are as with Async.AwaitTask.
        static member AwaitColdTask(operation: ColdTask) : Async<unit> =
            async.Delay(fun () -> Async.AwaitTask(operation ()))

        /// Awaits the operation, started with the async's token. Errors are as with Async.AwaitTask.
        static member AwaitCancellableTask(operation: CancellableTask<'T>) : Async<'T> =
            AsyncAwait.Started(operation, Async.AwaitTask)

        /// Awaits the operation, started with the async's token. Errors are as with Async.AwaitTask.
        static member AwaitCancellableTask(operation: CancellableTask) : Async<unit> =
            AsyncAwait.Started(operation, Async.AwaitTask)

        /// Awaits the operation, started with the async's token. Errors are as with Async.AwaitTask.
        static member AwaitCancellableValueTask(operation: CancellableValueTask<'T>) : Async<'T> =
            AsyncAwait.Started(operation, Async.AwaitValueTask)

        /// Awaits the operation, started with the async's token. Errors are as with Async.AwaitTask.
        static member AwaitCancellableValueTask(operation: CancellableValueTask) : Async<unit> =
            AsyncAwait.Started(operation, Async.AwaitValueTask)

        /// The computation as a cold task, which starts it on the calling thread.
        static member AsColdTask(computation: Async<'T>) : ColdTask<'T> = Plait.ColdTask.ofAsync computation

        /// The computation as a function of a token, which starts it on the calling thread.
        static member AsCancellableTask(computation: Async<'T>) : CancellableTask<'T> =
            Plait.CancellableTask.ofAsync computation

        /// The computation as a function of a token, which starts it on the calling thread.
        static member AsCancellableValueTask(computation: Async<'T>) : CancellableValueTask<'T> =
            Plait.CancellableValueTask.ofAsync computation

        /// Runs the compensation when the computation has ended, however it did. An error of the compensation is the result.
        static member TryFinallyAsync(computation: Async<'T>, compensation: Async<unit>) : Async<'T> =
            AsyncEnd.tryFinally compensation computation

    type Microsoft.FSharp.Control.AsyncBuilder with

        /// Awaits the operation, which is started here.
        member this.Bind(operation: ColdTask<'T>, binder: 'T -> Async<'U>) : Async<'U> =
            this.Bind(Async.AwaitColdTask operation, binder)

        /// Awaits the operation, which is started here.
        member this.Bind(operation: ColdTask, binder: unit -> Async<'U>) : Async<'U> =
            this.Bind(Async.AwaitColdTask operation, binder)

        /// Awaits the operation, which is started here.
        member this.ReturnFrom(operation: ColdTask<'T>) : Async<'T> = Async.AwaitColdTask operation

        /// Awaits the operation, which is started here.
        member this.ReturnFrom(operation: ColdTask) : Async<unit> = Async.AwaitColdTask operation

        /// Awaits the operation, which is started here.
        member this.Bind(operation: CancellableTask<'T>, binder: 'T -> Async<'U>) : Async<'U> =
            this.Bind(Async.AwaitCancellableTask operation, binder)

        /// Awaits the operation, which is started here.
        member this.Bind(operation: CancellableTask, binder: unit -> Async<'U>) : Async<'U> =
            this.Bind(Async.AwaitCancellableTask operation, binder)

        /// Awaits the operation, which is started here.
        member this.ReturnFrom(operation: CancellableTask<'T>) : Async<'T> =
            Async.AwaitCancellableTask operation

        /// Awaits the operation, which is started here.
        member this.ReturnFrom(operation: CancellableTask) : Async<unit> =
            Async.AwaitCancellableTask operation

        /// Awaits the operation, which is started here.
        member this.Bind(operation: CancellableValueTask<'T>, binder: 'T -> Async<'U>) : Async<'U> =
            this.Bind(Async.AwaitCancellableValueTask operation, binder)

        /// Awaits the operation, which is started here.
        member this.Bind(operation: CancellableValueTask, binder: unit -> Async<'U>) : Async<'U> =
            this.Bind(Async.AwaitCancellableValueTask operation, binder)

        /// Awaits the operation, which is started here.
        member this.ReturnFrom(operation: CancellableValueTask<'T>) : Async<'T> =
            Async.AwaitCancellableValueTask operation

        /// Awaits the operation, which is started here.
        member this.ReturnFrom(operation: CancellableValueTask) : Async<unit> =
            Async.AwaitCancellableValueTask operation

    type Microsoft.FSharp.Control.TaskBuilderBase with

        /// Awaits the operation, which is started here.
        member inline this.Bind(operation: ColdTask<'T>, binder: 'T -> _) = this.Bind(operation (), binder)

        /// Awaits the operation, which is started here.
        member inline this.Bind(operation: ColdTask, binder: unit -> _) = this.Bind(operation (), binder)

        /// Awaits the operation, which is started here.
        member inline this.ReturnFrom(operation: ColdTask<'T>) = this.ReturnFrom(operation ())

        /// Awaits the operation, which is started here.
        member inline this.ReturnFrom(operation: ColdTask) = this.ReturnFrom(operation ())

/// `open Plait.Migration.IcedTasks.Polyfill` for `open IcedTasks.Polyfill.Task`.
module Polyfill =

    /// The type of `task`.
    type TaskBuilder = Plait.TaskBuilder

    /// The type of `backgroundTask`.
    type BackgroundTaskBuilder = Plait.BackgroundTaskBuilder

    /// A Task<'T>; the same as `Plait.Tasks.task`.
    let task = Tasks.task

    /// A Task<'T> that never runs on the caller's context; the same as `Plait.Tasks.backgroundTask`.
    let backgroundTask = Tasks.backgroundTask

    /// `open Plait.Migration.IcedTasks.Polyfill.Task`: the names of `Plait.Migration.IcedTasks.Polyfill`.
    module Task =

        /// The type of `task`.
        type TaskBuilder = Plait.TaskBuilder

        /// The type of `backgroundTask`.
        type BackgroundTaskBuilder = Plait.BackgroundTaskBuilder

        /// The same as `Plait.Tasks.task`.
        let task = Tasks.task

        /// The same as `Plait.Tasks.backgroundTask`.
        let backgroundTask = Tasks.backgroundTask

    /// `open Plait.Migration.IcedTasks.Polyfill.Async` for `open IcedTasks.Polyfill.Async`.
    module Async =

        /// The same as `asyncEx`.
        let async = asyncEx
