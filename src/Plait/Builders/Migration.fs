// Layer: builders, over the combinators. Builders under the names of Ply, TaskBuilder.fs and IcedTasks. Users open the module of the
// library that the code was written for, in place of that library's namespace: so code changes its library by changing an `open`.
// The builder behind such a name keeps every promise of the original; its documentation lists the differences.
// docs/how-to/migrate-*.md list every name of each library.
namespace Plait.Migration

open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait
open Plait.Kernel

/// Ply's names: `open Plait.Migration.Ply` for `open FSharp.Control.Tasks`.
module Ply =

    /// The type that `uply` returns. Await it once. (Ply ran the rest again at every read of a pending `Result`.)
    type Ply<'T> = Strand<'T>

    /// A completed value, in place of the constructor of Ply<'T>.
    let Ply<'T> (result: 'T) : Ply<'T> = Strand.Of result

    /// A Task<'T>; the same as `Plait.Tasks.task`.
    let task = Tasks.task

    /// A Task; the same as `Plait.Tasks.taskUnit`.
    let unitTask = Tasks.taskUnit

    /// A ValueTask<'T> that may be awaited many times: where it waits there is a Task inside, as in Ply.
    let vtask = valueTask

    /// A ValueTask that may be awaited many times: where it waits there is a Task inside, as in Ply.
    let unitVtask = valueTaskUnit

    /// Ply's unsafe names: `open Plait.Migration.Ply.Unsafe` for `open FSharp.Control.Tasks.Affine.Unsafe`. Ply keeps
    /// exceptions in the result here and lets contexts leak. The machines of this library are exact under these names:
    /// no context leaks. Where contexts may leak, `Plait.Unsafe` has cheaper ones.
    module Unsafe =

        /// Bound by another `uply` without a Task in between. Exceptions are in the result; a write to an AsyncLocal
        /// before the first wait may stay with the caller, as in Ply.
        let uply = Plait.Unsafe.strand

        /// A Task, exact.
        let uunitTask = Tasks.taskUnit

        /// A ValueTask<'T>, exact: 0 bytes while nothing waits.
        let uvtask = valueTask

        /// A ValueTask, exact: 0 bytes while nothing waits.
        let uunitVtask = valueTaskUnit

    /// The names of `Plait.Migration.Ply` where Ply has them too.
    module Affine =

        /// The same as `Plait.Migration.Ply.task`.
        let task = task

        /// The same as `Plait.Migration.Ply.unitTask`.
        let unitTask = unitTask

        /// The same as `Plait.Migration.Ply.vtask`.
        let vtask = vtask

        /// The same as `Plait.Migration.Ply.unitVtask`.
        let unitVtask = unitVtask

        /// The names of `Plait.Migration.Ply.Unsafe` where Ply has them too.
        module Unsafe =

            /// The same as `Plait.Migration.Ply.Unsafe.uply`.
            let uply = Unsafe.uply

            /// The same as `Plait.Migration.Ply.Unsafe.uunitTask`.
            let uunitTask = Unsafe.uunitTask

            /// The same as `Plait.Migration.Ply.Unsafe.uvtask`.
            let uvtask = Unsafe.uvtask

            /// The same as `Plait.Migration.Ply.Unsafe.uunitVtask`.
            let uunitVtask = Unsafe.uunitVtask

    /// Ply's names off the captured context: `open Plait.Migration.Ply.NonAffine` for
    /// `open FSharp.Control.Tasks.NonAffine`.
    module NonAffine =

        /// `task` off the captured context. The sequence of a `for` needs a known type here.
        let task = Plait.NonAffine.Tasks.task

        /// `unitTask` off the captured context. The sequence of a `for` needs a known type here.
        let unitTask = Plait.NonAffine.Tasks.taskUnit

        /// `vtask` off the captured context.
        let vtask = Plait.NonAffine.valueTask

        /// `unitVtask` off the captured context.
        let unitVtask = Plait.NonAffine.valueTaskUnit

        /// Ply's unsafe names off the captured context. All are exact: no context leaks.
        module Unsafe =

            /// `uply` off the captured context, exact.
            let uply = Plait.NonAffine.strand

            /// `uunitTask` off the captured context, exact.
            let uunitTask = Plait.NonAffine.Tasks.taskUnit

            /// `uvtask` off the captured context, exact.
            let uvtask = Plait.NonAffine.valueTask

            /// `uunitVtask` off the captured context, exact.
            let uunitVtask = Plait.NonAffine.valueTaskUnit

    /// The types of Ply's builders, to derive from, and the builders for code that opens
    /// `FSharp.Control.Tasks.Builders`, as Ply had it before 0.3.
    module Builders =

        /// The type of `task`.
        type TaskBuilder = Plait.TaskBuilder

        /// The type of `unitTask`.
        type UnitTaskBuilder = TaskUnitBuilder

        /// The type of `vtask`.
        type ValueTaskBuilder = Plait.ValueTaskBuilder

        /// The type of `unitVtask`.
        type UnitValueTaskBuilder = ValueTaskUnitBuilder

        /// The same as `Plait.Migration.Ply.task`.
        let task = task

        /// The same as `Plait.Migration.Ply.unitTask`.
        let unitTask = unitTask

        /// The same as `Plait.Migration.Ply.vtask`.
        let vtask = vtask

        /// The same as `Plait.Migration.Ply.unitVtask`.
        let unitVtask = unitVtask

        /// The types of Ply's unsafe builders, and the builders, for code that opens
        /// `FSharp.Control.Tasks.Builders.Unsafe`.
        module Unsafe =

            /// The type of `uply`.
            type UnsafePlyBuilder = UnsafeStrandBuilder<OnCaptured>

            /// The type of `uunitTask`.
            type UnsafeUnitTaskBuilder = TaskUnitBuilder

            /// The type of `uvtask`.
            type UnsafeValueTaskBuilder = Plait.ValueTaskBuilder

            /// The type of `uunitVtask`.
            type UnsafeUnitValueTaskBuilder = ValueTaskUnitBuilder

            /// The same as `Plait.Migration.Ply.Unsafe.uply`.
            let uply = Affine.Unsafe.uply

            /// The same as `Plait.Migration.Ply.Unsafe.uunitTask`.
            let uunitTask = Affine.Unsafe.uunitTask

            /// The same as `Plait.Migration.Ply.Unsafe.uvtask`.
            let uvtask = Affine.Unsafe.uvtask

            /// The same as `Plait.Migration.Ply.Unsafe.uunitVtask`.
            let uunitVtask = Affine.Unsafe.uunitVtask

        /// The types of Ply's builders off the captured context.
        module NonAffine =

            /// The type of `task`.
            type TaskBuilder = PooledTaskBuilder<Anywhere, Safe>

            /// The type of `unitTask`.
            type UnitTaskBuilder = PooledTaskUnitBuilder<Anywhere, Safe>

            /// The type of `vtask`.
            type ValueTaskBuilder = Plait.ValueTaskBuilder<Anywhere, Safe>

            /// The type of `unitVtask`.
            type UnitValueTaskBuilder = ValueTaskUnitBuilder<Anywhere, Safe>

            /// The types of Ply's unsafe builders off the captured context.
            module Unsafe =

                /// The type of `uply`.
                type UnsafePlyBuilder = StrandBuilder<Anywhere>

                /// The type of `uunitTask`.
                type UnsafeUnitTaskBuilder = PooledTaskUnitBuilder<Anywhere, Safe>

                /// The type of `uvtask`.
                type UnsafeValueTaskBuilder = Plait.ValueTaskBuilder<Anywhere, Safe>

                /// The type of `uunitVtask`.
                type UnsafeUnitValueTaskBuilder = ValueTaskUnitBuilder<Anywhere, Safe>

/// The names of TaskBuilder.fs: `open Plait.Migration.TaskBuilder` for `open FSharp.Control.Tasks.V2` and
/// `open FSharp.Control.Tasks.V2.ContextSensitive`.
module TaskBuilder =

    /// A Task<'T>; the same as `Plait.Tasks.task`. `return!` of a Task as the last step gives a Task of its own here.
    let task = Tasks.task

    /// The Task itself: one that gives nothing needs no wrapper. TaskBuilder.fs has it for old code only.
    let unitTask (task: Task) : Task = task

    /// Off the captured context: `open Plait.Migration.TaskBuilder.ContextInsensitive` for
    /// `open FSharp.Control.Tasks.V2.ContextInsensitive`.
    module ContextInsensitive =

        /// `task` off the captured context. The sequence of a `for` needs a known type here.
        let task = Plait.NonAffine.Tasks.task

        /// The Task off the captured context. TaskBuilder.fs has it for old code only.
        let unitTask (task: Task) : ConfiguredTaskAwaitable = task.ConfigureAwait false

/// The names of IcedTasks for hot results: `open Plait.Migration.IcedTasks` for `open IcedTasks`. The names for cold
/// and cancellable functions, asyncEx and parallelAsync are not here.
module IcedTasks =

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

    /// A ValueTask<'T> that may be awaited many times: where it waits there is a Task inside. `and!` waits for all
    /// before the first error is thrown.
    let valueTask = valueTask

    /// The short name of `valueTask`.
    let vTask = valueTask

    /// A ValueTask that may be awaited many times: where it waits there is a Task inside.
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
