// The builders under test, in the form of Plait.Tests.Programs/Builders.fs.
module Plait.Tests.Programs.Builders

open System.Threading.Tasks

module RuntimeTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.Builders.task
    let promise = Promise.Full "RuntimeAsync.task"

module RuntimeValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = Plait.RuntimeAsync.Builders.valueTask
    let promise = Promise.Full "RuntimeAsync.valueTask"

module RuntimeBackgroundTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.Builders.backgroundTask
    let promise = { Promise.Full "RuntimeAsync.backgroundTask" with Affine = false }

module NonAffineRuntimeTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.NonAffine.task
    let promise = { Promise.Full "RuntimeAsync.NonAffine.task" with Affine = false }

module NonAffineRuntimeValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = Plait.RuntimeAsync.NonAffine.valueTask

    let promise =
        { Promise.Full "RuntimeAsync.NonAffine.valueTask" with Affine = false }

module GuardedRuntimeTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.Guarded.task
    let promise = Promise.Full "RuntimeAsync.Guarded.task"

module GuardedRuntimeValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = Plait.RuntimeAsync.Guarded.valueTask
    let promise = Promise.Full "RuntimeAsync.Guarded.valueTask"

module RuntimeTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.Builders.taskUnit
    let promise = Promise.Full "RuntimeAsync.taskUnit"

module RuntimeValueTaskUnits =
    type Co = ValueTask
    let co = Plait.RuntimeAsync.Builders.valueTaskUnit
    let promise = Promise.Full "RuntimeAsync.valueTaskUnit"

module RuntimeBackgroundTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.Builders.backgroundTaskUnit
    let promise = { Promise.Full "RuntimeAsync.backgroundTaskUnit" with Affine = false }

module NonAffineRuntimeTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.NonAffine.taskUnit
    let promise = { Promise.Full "RuntimeAsync.NonAffine.taskUnit" with Affine = false }

module NonAffineRuntimeValueTaskUnits =
    type Co = ValueTask
    let co = Plait.RuntimeAsync.NonAffine.valueTaskUnit

    let promise =
        { Promise.Full "RuntimeAsync.NonAffine.valueTaskUnit" with Affine = false }

module NonAffineRuntimeBackgroundTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.NonAffine.backgroundTask

    let promise =
        { Promise.Full "RuntimeAsync.NonAffine.backgroundTask" with Affine = false }

module NonAffineRuntimeBackgroundTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.NonAffine.backgroundTaskUnit

    let promise =
        { Promise.Full "RuntimeAsync.NonAffine.backgroundTaskUnit" with Affine = false }

module GuardedRuntimeTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.Guarded.taskUnit
    let promise = Promise.Full "RuntimeAsync.Guarded.taskUnit"

module GuardedRuntimeValueTaskUnits =
    type Co = ValueTask
    let co = Plait.RuntimeAsync.Guarded.valueTaskUnit
    let promise = Promise.Full "RuntimeAsync.Guarded.valueTaskUnit"

module GuardedRuntimeBackgroundTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.RuntimeAsync.Guarded.backgroundTask

    let promise =
        { Promise.Full "RuntimeAsync.Guarded.backgroundTask" with Affine = false }

module GuardedRuntimeBackgroundTaskUnits =
    type Co = Task
    let co = Plait.RuntimeAsync.Guarded.backgroundTaskUnit

    let promise =
        { Promise.Full "RuntimeAsync.Guarded.backgroundTaskUnit" with Affine = false }

module RuntimeTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Builders.taskResult
    let promise = Promise.Full "RuntimeAsync.taskResult"
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module RuntimeValueTaskResults =
    type Co<'T> = ValueTask<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Builders.valueTaskResult
    let promise = Promise.Full "RuntimeAsync.valueTaskResult"
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module NonAffineRuntimeTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.NonAffine.taskResult

    let promise =
        { Promise.Full "RuntimeAsync.NonAffine.taskResult" with Affine = false }

    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module NonAffineRuntimeValueTaskResults =
    type Co<'T> = ValueTask<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.NonAffine.valueTaskResult

    let promise =
        { Promise.Full "RuntimeAsync.NonAffine.valueTaskResult" with Affine = false }

    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module GuardedRuntimeTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Guarded.taskResult
    let promise = Promise.Full "RuntimeAsync.Guarded.taskResult"
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module GuardedRuntimeValueTaskResults =
    type Co<'T> = ValueTask<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Guarded.valueTaskResult
    let promise = Promise.Full "RuntimeAsync.Guarded.valueTaskResult"
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module RuntimeBackgroundTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Builders.backgroundTaskResult

    let promise =
        { Promise.Full "RuntimeAsync.backgroundTaskResult" with Affine = false }

    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module NonAffineRuntimeBackgroundTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.NonAffine.backgroundTaskResult

    let promise =
        { Promise.Full "RuntimeAsync.NonAffine.backgroundTaskResult" with Affine = false }

    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module GuardedRuntimeBackgroundTaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.RuntimeAsync.Guarded.backgroundTaskResult

    let promise =
        { Promise.Full "RuntimeAsync.Guarded.backgroundTaskResult" with Affine = false }

    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module RuntimeTaskValidations =
    type Co<'T> = Task<Result<'T, string list>>
    let co = Plait.RuntimeAsync.Builders.taskValidation
    let name = "RuntimeAsync.taskValidation"

module RuntimeValueTaskValidations =
    type Co<'T> = ValueTask<Result<'T, string list>>
    let co = Plait.RuntimeAsync.Builders.valueTaskValidation
    let name = "RuntimeAsync.valueTaskValidation"

module NonAffineRuntimeTaskValidations =
    type Co<'T> = Task<Result<'T, string list>>
    let co = Plait.RuntimeAsync.NonAffine.taskValidation
    let name = "RuntimeAsync.NonAffine.taskValidation"

module NonAffineRuntimeValueTaskValidations =
    type Co<'T> = ValueTask<Result<'T, string list>>
    let co = Plait.RuntimeAsync.NonAffine.valueTaskValidation
    let name = "RuntimeAsync.NonAffine.valueTaskValidation"

/// Plait's own, as the preview of the language compiles it.
module PooledValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = Plait.PooledValueTaskBuilders.pooledValueTask
    let promise = Promise.Full "pooledValueTask"

/// Plait's own, as the preview of the language compiles it.
module Strand =
    type Co = Plait.Strand<unit>
    type Co<'T> = Plait.Strand<'T>
    let co = Plait.StrandBuilders.strand
    let promise = Promise.Full "strand"

module GuardedRuntimeTaskValidations =
    type Co<'T> = Task<Result<'T, string list>>
    let co = Plait.RuntimeAsync.Guarded.taskValidation
    let name = "RuntimeAsync.Guarded.taskValidation"

module GuardedRuntimeValueTaskValidations =
    type Co<'T> = ValueTask<Result<'T, string list>>
    let co = Plait.RuntimeAsync.Guarded.valueTaskValidation
    let name = "RuntimeAsync.Guarded.valueTaskValidation"

/// Plait's own, to compare with.
module TaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = Plait.TaskResultBuilders.taskResult
    let promise = Promise.Full "taskResult"

/// Plait's own, to compare with.
module TaskValidations =
    type Co<'T> = Task<Result<'T, string list>>
    let co = Plait.ValidationBuilders.taskValidation
    let name = "taskValidation"

/// FSharp.Core's own, to compare with.
module FSharpTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = task
    let promise = Promise.Full "task"
