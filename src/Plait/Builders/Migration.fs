// Layer: builders, over the combinators. Builders and functions under the names of other libraries. Users open them
// Layer: builders, over the combinators. Builders and functions under the names of other libraries. Users open them
// explicitly, so that code changes its library by changing an `open`. The builder behind such a name keeps every
// promise of the original; its documentation lists the differences. docs/how-to/migrate-*.md list every name of each
// library. Long, because F# has one module of that name in one file.
namespace Plait

open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait.Kernel

/// The builders under the names of Ply, TaskBuilder.fs, IcedTasks and FsToolkit.ErrorHandling. Open the module of the library that the code was
/// written for in place of that library's namespace.
module Migration =

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

            /// Bound by another `uply` without a Task in between. Exceptions are in the result; a write to an
            /// AsyncLocal before the first wait may stay with the caller, as in Ply.
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
        /// `map`, `bind`, `apply`, `zip` and `ofUnit` are pooled and awaited once, as in IcedTasks on .NET 6 and
        /// later.
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

    /// The names of FsToolkit.ErrorHandling around `taskResult`: `open Plait.Migration.FsToolkit` for
    /// `open FsToolkit.ErrorHandling`.
    module FsToolkit =

        /// A Task<Result<'T, 'E>>; the same as `Plait.TaskResultBuilders.taskResult`. An Error ends the code, as in
        /// FsToolkit.ErrorHandling; `and!` waits for all operations before it gives the first Error.
        let taskResult = taskResult

        /// Functions that make a Result of a value, by an error, and functions over Results that FSharp.Core has not.
        [<RequireQualifiedAccess>]
        module Result =

            /// Ok where the value is true.
            let requireTrue (error: 'E) (value: bool) : Result<unit, 'E> = if value then Ok() else Error error

            /// Ok where the value is false.
            let requireFalse (error: 'E) (value: bool) : Result<unit, 'E> =
                if value then Error error else Ok()

            /// The value of the option; the same as `Option.orError`.
            let requireSome (error: 'E) (option: 'T option) : Result<'T, 'E> = Option.orError error option

            /// The value of the option; the same as `ValueOption.orError`.
            let requireValueSome (error: 'E) (option: 'T voption) : Result<'T, 'E> =
                ValueOption.orError error option

            /// Ok where the option has no value.
            let requireNone (error: 'E) (option: 'T option) : Result<unit, 'E> =
                requireTrue error option.IsNone

            /// Ok where the option has no value.
            let requireValueNone (error: 'E) (option: 'T voption) : Result<unit, 'E> =
                requireTrue error option.IsNone

            /// The value, where it is not null.
            let requireNotNull (error: 'E) (value: 'T) : Result<'T, 'E> =
                if isNull (box value) then Error error else Ok value

            /// Ok where both are equal.
            let requireEqual (left: 'T) (right: 'T) (error: 'E) : Result<unit, 'E> =
                requireTrue error (left = right)

            /// Ok where the value is the other one.
            let requireEqualTo (other: 'T) (error: 'E) (value: 'T) : Result<unit, 'E> =
                requireTrue error (value = other)

            /// Ok where there is no item.
            let requireEmpty (error: 'E) (items: seq<'T>) : Result<unit, 'E> =
                requireTrue error (Seq.isEmpty items)

            /// Ok where there is an item.
            let requireNotEmpty (error: 'E) (items: seq<'T>) : Result<unit, 'E> =
                requireFalse error (Seq.isEmpty items)

            /// The first item.
            let requireHead (error: 'E) (items: seq<'T>) : Result<'T, 'E> =
                Option.orError error (Seq.tryHead items)

            /// The error in place of the one there is.
            let setError (error: 'E) (result: Result<'T, 'F>) : Result<'T, 'E> =
                Result.mapError (fun _ -> error) result

            /// The error in place of none.
            let withError (error: 'E) (result: Result<'T, unit>) : Result<'T, 'E> = setError error result

            /// Ok without its value.
            let ignore (result: Result<'T, 'E>) : Result<unit, 'E> = Result.map ignore result

            /// The other Result in place of an Error.
            let orElse (other: Result<'T, 'F>) (result: Result<'T, 'E>) : Result<'T, 'F> =
                match result with
                | Ok value -> Ok value
                | Error _ -> other

            /// The Result of the function in place of an Error.
            let orElseWith (other: 'E -> Result<'T, 'F>) (result: Result<'T, 'E>) : Result<'T, 'F> =
                match result with
                | Ok value -> Ok value
                | Error error -> other error

            /// Runs the action with the value of an Ok.
            let tee (action: 'T -> unit) (result: Result<'T, 'E>) : Result<'T, 'E> =
                Result.iter action result
                result

            /// Runs the action with the error of an Error.
            let teeError (action: 'E -> unit) (result: Result<'T, 'E>) : Result<'T, 'E> =
                match result with
                | Ok _ -> ()
                | Error error -> action error

                result

        /// Functions over Task<Result<'T, 'E>>. Each awaits every Task that it is given; an exception is not an Error, but
        /// for `ofTask` and `catch`.
        [<RequireQualifiedAccess>]
        module TaskResult =

            let private over (mapping: Result<'T, 'E> -> 'U) (operation: Task<Result<'T, 'E>>) : Task<'U> =
                Task.map mapping operation

            /// An Ok.
            let ok (value: 'T) : Task<Result<'T, 'E>> = Task.FromResult(Ok value)

            /// An Ok.
            let retn (value: 'T) : Task<Result<'T, 'E>> = ok value

            /// An Ok.
            let singleton (value: 'T) : Task<Result<'T, 'E>> = ok value

            /// An Error.
            let error (error: 'E) : Task<Result<'T, 'E>> = Task.FromResult(Error error)

            /// An Error.
            let returnError (value: 'E) : Task<Result<'T, 'E>> = error value

            /// A Result as a completed Task.
            let ofResult (result: Result<'T, 'E>) : Task<Result<'T, 'E>> = Task.FromResult result

            /// The result of the Task, or the exception that it failed with, as an Error.
            let ofTask (operation: Task<'T>) : Task<Result<'T, exn>> =
                taskResult {
                    try
                        return! operation
                    with error ->
                        return! Error error
                }

            /// The result of the async, which is started on the calling thread, or the exception that it failed with.
            let ofAsync (work: Async<'T>) : Task<Result<'T, exn>> =
                ofTask (Async.StartImmediateAsTask work)

            /// Maps the value of an Ok.
            let map (mapping: 'T -> 'U) (operation: Task<Result<'T, 'E>>) : Task<Result<'U, 'E>> =
                over (Result.map mapping) operation

            /// Maps the error of an Error.
            let mapError (mapping: 'E -> 'F) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'F>> =
                over (Result.mapError mapping) operation

            /// The operation that the binder returns for the value of an Ok.
            let bind
                (binder: 'T -> Task<Result<'U, 'E>>)
                (operation: Task<Result<'T, 'E>>)
                : Task<Result<'U, 'E>> =
                taskResult {
                    let! value = operation
                    return! binder value
                }

            /// One value of both.
            let foldResult (onOk: 'T -> 'U) (onError: 'E -> 'U) (operation: Task<Result<'T, 'E>>) : Task<'U> =
                over
                    (fun result ->
                        match result with
                        | Ok value -> onOk value
                        | Error error -> onError error)
                    operation

            /// Both values, or the first Error. Both Tasks are awaited.
            let zip (left: Task<Result<'T, 'E>>) (right: Task<Result<'U, 'E>>) : Task<Result<'T * 'U, 'E>> =
                taskResult {
                    let! left = left
                    and! right = right
                    return left, right
                }

            /// Maps two values, or gives the first Error. Both Tasks are awaited.
            let map2
                (mapping: 'T -> 'U -> 'V)
                (left: Task<Result<'T, 'E>>)
                (right: Task<Result<'U, 'E>>)
                : Task<Result<'V, 'E>> =
                map (fun (left, right) -> mapping left right) (zip left right)

            /// Maps three values, or gives the first Error. All Tasks are awaited.
            let map3
                (mapping: 'T -> 'U -> 'V -> 'W)
                (first: Task<Result<'T, 'E>>)
                (second: Task<Result<'U, 'E>>)
                (third: Task<Result<'V, 'E>>)
                : Task<Result<'W, 'E>> =
                map
                    (fun ((first, second), third) -> mapping first second third)
                    (zip (zip first second) third)

            /// Applies a function to a value, or gives the first Error. Both Tasks are awaited.
            let apply
                (mapping: Task<Result<'T -> 'U, 'E>>)
                (operation: Task<Result<'T, 'E>>)
                : Task<Result<'U, 'E>> =
                map2 id mapping operation

            /// Ok without its value.
            let ignore (operation: Task<Result<'T, 'E>>) : Task<Result<unit, 'E>> =
                over Result.ignore operation

            /// The other operation in place of an Error.
            let orElseWith
                (other: 'E -> Task<Result<'T, 'F>>)
                (operation: Task<Result<'T, 'E>>)
                : Task<Result<'T, 'F>> =
                pooledTask {
                    match! operation with
                    | Ok value -> return Ok value
                    | Error error -> return! other error
                }

            /// The other operation in place of an Error.
            let orElse
                (other: Task<Result<'T, 'F>>)
                (operation: Task<Result<'T, 'E>>)
                : Task<Result<'T, 'F>> =
                orElseWith (fun _ -> other) operation

            /// Ok where the value is true.
            let requireTrue (error: 'E) (value: Task<bool>) : Task<Result<unit, 'E>> =
                Task.map (Result.requireTrue error) value

            /// Ok where the value is false.
            let requireFalse (error: 'E) (value: Task<bool>) : Task<Result<unit, 'E>> =
                Task.map (Result.requireFalse error) value

            /// The value of the option.
            let requireSome (error: 'E) (option: Task<'T option>) : Task<Result<'T, 'E>> =
                Task.map (Result.requireSome error) option

            /// The value of the option.
            let requireValueSome (error: 'E) (option: Task<'T voption>) : Task<Result<'T, 'E>> =
                Task.map (Result.requireValueSome error) option

            /// Ok where the option has no value.
            let requireNone (error: 'E) (option: Task<'T option>) : Task<Result<unit, 'E>> =
                Task.map (Result.requireNone error) option

            /// Ok where the option has no value.
            let requireValueNone (error: 'E) (option: Task<'T voption>) : Task<Result<unit, 'E>> =
                Task.map (Result.requireValueNone error) option

            /// The value, where it is not null.
            let requireNotNull (error: 'E) (value: Task<'T>) : Task<Result<'T, 'E>> =
                Task.map (Result.requireNotNull error) value

            /// Ok where both are equal.
            let requireEqual (left: 'T) (right: Task<'T>) (error: 'E) : Task<Result<unit, 'E>> =
                Task.map (fun right -> Result.requireEqual left right error) right

            /// Ok where the value is the other one.
            let requireEqualTo (other: 'T) (error: 'E) (value: Task<'T>) : Task<Result<unit, 'E>> =
                Task.map (Result.requireEqualTo other error) value

            /// Ok where there is no item.
            let requireEmpty (error: 'E) (items: Task<#seq<'T>>) : Task<Result<unit, 'E>> =
                Task.map (fun items -> Result.requireEmpty error items) items

            /// Ok where there is an item.
            let requireNotEmpty (error: 'E) (items: Task<#seq<'T>>) : Task<Result<unit, 'E>> =
                Task.map (fun items -> Result.requireNotEmpty error items) items

            /// The first item.
            let requireHead (error: 'E) (items: Task<#seq<'T>>) : Task<Result<'T, 'E>> =
                Task.map (fun items -> Result.requireHead error items) items

            /// The error in place of the one there is.
            let setError (error: 'E) (operation: Task<Result<'T, 'F>>) : Task<Result<'T, 'E>> =
                over (Result.setError error) operation

            /// The error in place of none.
            let withError (error: 'E) (operation: Task<Result<'T, unit>>) : Task<Result<'T, 'E>> =
                over (Result.withError error) operation

            /// The value, or the other one in place of an Error.
            let defaultValue (value: 'T) (operation: Task<Result<'T, 'E>>) : Task<'T> =
                over (Result.defaultValue value) operation

            /// The value, or that of the function in place of an Error.
            let defaultWith (value: 'E -> 'T) (operation: Task<Result<'T, 'E>>) : Task<'T> =
                over (Result.defaultWith value) operation

            /// The error, or the other one in place of an Ok.
            let defaultError (error: 'E) (operation: Task<Result<'T, 'E>>) : Task<'E> =
                foldResult (fun _ -> error) id operation

            /// Waits, and leaves an Error out.
            let ignoreError (operation: Task<Result<unit, 'E>>) : Task<unit> = defaultValue () operation

            /// Runs the action with the value of an Ok.
            let tee (action: 'T -> unit) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'E>> =
                over (Result.tee action) operation

            /// Runs the action with the value of an Ok that the predicate is true for.
            let teeIf
                (predicate: 'T -> bool)
                (action: 'T -> unit)
                (operation: Task<Result<'T, 'E>>)
                : Task<Result<'T, 'E>> =
                tee
                    (fun value ->
                        if predicate value then
                            action value)
                    operation

            /// Runs the action with the error of an Error.
            let teeError (action: 'E -> unit) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'E>> =
                over (Result.teeError action) operation

            /// Runs the action with the error of an Error that the predicate is true for.
            let teeErrorIf
                (predicate: 'E -> bool)
                (action: 'E -> unit)
                (operation: Task<Result<'T, 'E>>)
                : Task<Result<'T, 'E>> =
                teeError
                    (fun error ->
                        if predicate error then
                            action error)
                    operation

            /// The value, where the check of it is an Ok, else the Error of the check.
            let check
                (check: 'T -> Task<Result<unit, 'E>>)
                (operation: Task<Result<'T, 'E>>)
                : Task<Result<'T, 'E>> =
                taskResult {
                    let! value = operation
                    do! check value
                    return value
                }

            /// An exception as an Error.
            let catch (handler: exn -> 'E) (operation: Task<Result<'T, 'E>>) : Task<Result<'T, 'E>> =
                taskResult {
                    try
                        return! operation
                    with error ->
                        return! Error(handler error)
                }

        /// Loops over lists that end at the first Error, one item after another.
        [<RequireQualifiedAccess>]
        module List =

            /// The values for the items, or the first Error, after which no item is begun.
            let traverseTaskResultM
                (mapping: 'T -> Task<Result<'U, 'E>>)
                (items: 'T list)
                : Task<Result<'U list, 'E>> =
                taskResult {
                    let mutable values = []

                    for item in items do
                        let! value = mapping item
                        values <- value :: values

                    return List.rev values
                }

            /// The values of the operations, or the first Error.
            let sequenceTaskResultM (operations: Task<Result<'T, 'E>> list) : Task<Result<'T list, 'E>> =
                traverseTaskResultM id operations

            /// The values for the items, or the Errors of all items.
            let traverseTaskResultA
                (mapping: 'T -> Task<Result<'U, 'E>>)
                (items: 'T list)
                : Task<Result<'U list, 'E list>> =
                pooledTask {
                    let mutable values = []
                    let mutable errors = []

                    for item in items do
                        match! mapping item with
                        | Ok value -> values <- value :: values
                        | Error error -> errors <- error :: errors

                    return if errors.IsEmpty then Ok(List.rev values) else Error(List.rev errors)
                }

            /// The values of the operations, or the Errors of all of them.
            let sequenceTaskResultA (operations: Task<Result<'T, 'E>> list) : Task<Result<'T list, 'E list>> =
                traverseTaskResultA id operations
