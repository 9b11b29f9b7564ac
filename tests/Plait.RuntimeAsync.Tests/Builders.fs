// The builders under test, in the form of Plait.Tests.Programs/Builders.fs.
module Plait.Tests.Programs.Builders

open System.Threading.Tasks

/// The promises of a builder of this package. `affine`: it continues on the captured context.
let private promised (name: string) (affine: bool) : Promise =
    { Name = name; Captures = true; Contained = true; Affine = affine }

module RuntimeTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.Builders.task

    let promise = promised "RuntimeAsync.task" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co

module RuntimeValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = Plait.RuntimeAsync.Builders.valueTask

    let promise = promised "RuntimeAsync.valueTask" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

module RuntimeBackgroundTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.Builders.backgroundTask

    let promise = promised "RuntimeAsync.backgroundTask" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co

module NonAffineRuntimeTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.NonAffine.task

    let promise = promised "RuntimeAsync.NonAffine.task" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co

module NonAffineRuntimeValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = Plait.RuntimeAsync.NonAffine.valueTask

    let promise = promised "RuntimeAsync.NonAffine.valueTask" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

module GuardedRuntimeTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.Guarded.task

    let promise = promised "RuntimeAsync.Guarded.task" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co

module GuardedRuntimeValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = Plait.RuntimeAsync.Guarded.valueTask

    let promise = promised "RuntimeAsync.Guarded.valueTask" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

module RuntimeTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.Builders.taskUnit

    let promise = promised "RuntimeAsync.taskUnit" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co

module RuntimeValueTaskUnits =
    type Co = ValueTask
    let co = Plait.RuntimeAsync.Builders.valueTaskUnit

    let promise = promised "RuntimeAsync.valueTaskUnit" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()

module RuntimeBackgroundTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.Builders.backgroundTaskUnit

    let promise = promised "RuntimeAsync.backgroundTaskUnit" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co

module NonAffineRuntimeTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.NonAffine.taskUnit

    let promise = promised "RuntimeAsync.NonAffine.taskUnit" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co

module NonAffineRuntimeValueTaskUnits =
    type Co = ValueTask
    let co = Plait.RuntimeAsync.NonAffine.valueTaskUnit

    let promise = promised "RuntimeAsync.NonAffine.valueTaskUnit" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()

module NonAffineRuntimeBackgroundTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.NonAffine.backgroundTask

    let promise = promised "RuntimeAsync.NonAffine.backgroundTask" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co

module NonAffineRuntimeBackgroundTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.NonAffine.backgroundTaskUnit

    let promise = promised "RuntimeAsync.NonAffine.backgroundTaskUnit" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co

module GuardedRuntimeTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.Guarded.taskUnit

    let promise = promised "RuntimeAsync.Guarded.taskUnit" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co

module GuardedRuntimeValueTaskUnits =
    type Co = ValueTask
    let co = Plait.RuntimeAsync.Guarded.valueTaskUnit

    let promise = promised "RuntimeAsync.Guarded.valueTaskUnit" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()

module GuardedRuntimeBackgroundTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.Guarded.backgroundTask

    let promise = promised "RuntimeAsync.Guarded.backgroundTask" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co

module GuardedRuntimeBackgroundTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.Guarded.backgroundTaskUnit

    let promise = promised "RuntimeAsync.Guarded.backgroundTaskUnit" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co

/// The value of an operation that gives an Ok.
let private valueOf (operation: Task<Result<'T, string>>) : Task<'T> =
    task {
        match! operation with
        | Ok value -> return value
        | Error error -> return failwith $"There is an Error: {error}"
    }

module RuntimeTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Builders.taskResult

    let promise = promised "RuntimeAsync.taskResult" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let asResult (co: Co<'T>) : Task<Result<'T, string>> = co
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asResult co)

module RuntimeValueTaskResults =
    type Co<'T> = ValueTask<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Builders.valueTaskResult

    let promise = promised "RuntimeAsync.valueTaskResult" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let asResult (co: Co<'T>) : Task<Result<'T, string>> = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asResult co)

module NonAffineRuntimeTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.NonAffine.taskResult

    let promise = promised "RuntimeAsync.NonAffine.taskResult" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let asResult (co: Co<'T>) : Task<Result<'T, string>> = co
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asResult co)

module NonAffineRuntimeValueTaskResults =
    type Co<'T> = ValueTask<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.NonAffine.valueTaskResult

    let promise = promised "RuntimeAsync.NonAffine.valueTaskResult" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let asResult (co: Co<'T>) : Task<Result<'T, string>> = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asResult co)

module GuardedRuntimeTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Guarded.taskResult

    let promise = promised "RuntimeAsync.Guarded.taskResult" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let asResult (co: Co<'T>) : Task<Result<'T, string>> = co
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asResult co)

module GuardedRuntimeValueTaskResults =
    type Co<'T> = ValueTask<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Guarded.valueTaskResult

    let promise = promised "RuntimeAsync.Guarded.valueTaskResult" true

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let asResult (co: Co<'T>) : Task<Result<'T, string>> = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asResult co)

module RuntimeBackgroundTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Builders.backgroundTaskResult

    let promise = promised "RuntimeAsync.backgroundTaskResult" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let asResult (co: Co<'T>) : Task<Result<'T, string>> = co
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asResult co)

module NonAffineRuntimeBackgroundTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.NonAffine.backgroundTaskResult

    let promise = promised "RuntimeAsync.NonAffine.backgroundTaskResult" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let asResult (co: Co<'T>) : Task<Result<'T, string>> = co
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asResult co)

module GuardedRuntimeBackgroundTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Guarded.backgroundTaskResult

    let promise = promised "RuntimeAsync.Guarded.backgroundTaskResult" false

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let asResult (co: Co<'T>) : Task<Result<'T, string>> = co
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asResult co)

module RuntimeTaskValidations =
    type Co<'T> = Task<Result<'T, string list>>
    let co = Plait.RuntimeAsync.Builders.taskValidation
    let name = "RuntimeAsync.taskValidation"
    let asResult (co: Co<'T>) : Task<Result<'T, string list>> = co

module RuntimeValueTaskValidations =
    type Co<'T> = ValueTask<Result<'T, string list>>
    let co = Plait.RuntimeAsync.Builders.valueTaskValidation
    let name = "RuntimeAsync.valueTaskValidation"
    let asResult (co: Co<'T>) : Task<Result<'T, string list>> = co.AsTask()

module NonAffineRuntimeTaskValidations =
    type Co<'T> = Task<Result<'T, string list>>
    let co = Plait.RuntimeAsync.NonAffine.taskValidation
    let name = "RuntimeAsync.NonAffine.taskValidation"
    let asResult (co: Co<'T>) : Task<Result<'T, string list>> = co

module NonAffineRuntimeValueTaskValidations =
    type Co<'T> = ValueTask<Result<'T, string list>>
    let co = Plait.RuntimeAsync.NonAffine.valueTaskValidation
    let name = "RuntimeAsync.NonAffine.valueTaskValidation"
    let asResult (co: Co<'T>) : Task<Result<'T, string list>> = co.AsTask()

/// Plait's own, as the preview of the language compiles it.
module PooledValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = Plait.PooledValueTaskBuilders.pooledValueTask
    let promise = promised "pooledValueTask" true
    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

/// Plait's own, as the preview of the language compiles it.
module Strand =
    type Co = Plait.Strand<unit>
    type Co<'T> = Plait.Strand<'T>
    let co = Plait.StrandBuilders.strand
    let promise = promised "strand" true
    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

module GuardedRuntimeTaskValidations =
    type Co<'T> = Task<Result<'T, string list>>
    let co = Plait.RuntimeAsync.Guarded.taskValidation
    let name = "RuntimeAsync.Guarded.taskValidation"
    let asResult (co: Co<'T>) : Task<Result<'T, string list>> = co

module GuardedRuntimeValueTaskValidations =
    type Co<'T> = ValueTask<Result<'T, string list>>
    let co = Plait.RuntimeAsync.Guarded.valueTaskValidation
    let name = "RuntimeAsync.Guarded.valueTaskValidation"
    let asResult (co: Co<'T>) : Task<Result<'T, string list>> = co.AsTask()

/// Plait's own, to compare with.
module TaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.TaskResultBuilders.taskResult
    let promise = { RuntimeTaskResults.promise with Name = "taskResult" }
    let asResult (co: Co<'T>) : Task<Result<'T, string>> = co

/// Plait's own, to compare with.
module TaskValidations =
    type Co<'T> = Task<Result<'T, string list>>
    let co = Plait.ValidationBuilders.taskValidation
    let name = "taskValidation"
    let asResult (co: Co<'T>) : Task<Result<'T, string list>> = co

/// FSharp.Core's own, to compare with.
module FSharpTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = task
    let promise = promised "task" true
    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co
