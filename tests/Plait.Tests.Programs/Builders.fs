// The builders under test. Each module has the same names: `co`, which is the builder, `Co`, the type that it returns, and
// its promises. A program is written with these names, and opens the module of one builder.
module Plait.Tests.Programs.Builders

#nowarn "3511" // the dynamic builders are not compiled as state machines, on purpose

open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

open Plait
open Plait.Kernel

module PooledValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = pooledValueTask
    let promise = Promise.Full "pooledValueTask"

/// A Run that the compiler cannot look into.
type DynamicPooledValueTaskBuilder() =
    inherit PooledValueTaskBuilder()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Run(code: Code<'T, 'T>) : ValueTask<'T> = base.Run code

module DynamicPooledValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = DynamicPooledValueTaskBuilder()
    let promise = Promise.Full "pooledValueTask dynamic"

module UnsafePooledValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = Plait.Unsafe.pooledValueTask
    let promise = { Promise.Full "Unsafe.pooledValueTask" with Contained = false }

module PooledValueTaskUnits =
    type Co = ValueTask
    let co = pooledValueTaskUnit
    let promise = Promise.Full "pooledValueTaskUnit"

module Strand =
    type Co = Strand<unit>
    type Co<'T> = Strand<'T>
    let co = strand
    let promise = Promise.Full "strand"

module UnsafeStrand =
    type Co = Strand<unit>
    type Co<'T> = Strand<'T>
    let co = Plait.Unsafe.strand
    let promise = { Promise.Full "Unsafe.strand" with Contained = false }

module BareStrand =
    type Co = Strand<unit>
    type Co<'T> = Strand<'T>
    let co = Plait.Unsafe.Bare.strand

    let promise =
        { Promise.Full "Unsafe.Bare.strand" with Captures = false; Contained = false }

module GuardedStrand =
    type Co = Strand<unit>
    type Co<'T> = Strand<'T>
    let co = Plait.Guarded.strand
    let promise = Promise.Full "Guarded.strand"

module PooledTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = pooledTask
    let promise = Promise.Full "pooledTask"

module PooledTaskUnits =
    type Co = Task
    let co = pooledTaskUnit
    let promise = Promise.Full "pooledTaskUnit"

module ValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = valueTask
    let promise = Promise.Full "valueTask"

module ValueTaskUnits =
    type Co = ValueTask
    let co = valueTaskUnit
    let promise = Promise.Full "valueTaskUnit"

module PlaitTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.Tasks.task
    let promise = Promise.Full "Tasks.task"

module PlaitTaskUnits =
    type Co = Task
    let co = Plait.Tasks.taskUnit
    let promise = Promise.Full "Tasks.taskUnit"

/// A `task` whose Run the compiler cannot look into.
type DynamicTaskBuilder() =
    inherit TaskBuilder()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Run(code: TaskCode<'T, 'T>) : Task<'T> = base.Run code

module DynamicTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = DynamicTaskBuilder()
    let promise = Promise.Full "Tasks.task dynamic"

module BackgroundTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.Tasks.backgroundTask
    let promise = { Promise.Full "Tasks.backgroundTask" with Affine = false }

module PooledValueTaskResults =
    type Co<'T> = ValueTask<Result<'T, string>>
    type Co = Co<unit>
    let co = pooledValueTaskResult
    let promise = Promise.Full "pooledValueTaskResult"
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

/// A Run that the compiler cannot look into.
type DynamicPooledValueTaskResultBuilder() =
    inherit PooledValueTaskResultBuilder()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Run(code: ResultCode<'T, 'E, 'T>) : ValueTask<Result<'T, 'E>> = base.Run code

module DynamicPooledValueTaskResults =
    type Co<'T> = ValueTask<Result<'T, string>>
    type Co = Co<unit>
    let co = DynamicPooledValueTaskResultBuilder()
    let promise = Promise.Full "pooledValueTaskResult dynamic"
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module TaskResults =
    type Co<'T> = Task<Result<'T, string>>
    type Co = Co<unit>
    let co = taskResult
    let promise = Promise.Full "taskResult"
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module StrandResults =
    type Co<'T> = Strand<Result<'T, string>>
    type Co = Co<unit>
    let co = strandResult
    let promise = Promise.Full "strandResult"
    let resultTask (co: Co<'T>) : Task<'T> = valueOf (asTask co)

module PooledValueTaskValidations =
    type Co<'T> = ValueTask<Result<'T, string list>>
    let co = pooledValueTaskValidation
    let name = "pooledValueTaskValidation"

module TaskValidations =
    type Co<'T> = Task<Result<'T, string list>>
    let co = taskValidation
    let name = "taskValidation"

module StrandValidations =
    type Co<'T> = Strand<Result<'T, string list>>
    let co = strandValidation
    let name = "strandValidation"

module Streams =
    let co = stream
    let name = "stream"

/// A Run that the compiler cannot look into.
type DynamicStreamBuilder() =
    inherit StreamBuilder()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Run(code: StreamCode<'T>) : IAsyncEnumerable<'T> = base.Run code

module DynamicStreams =
    let co = DynamicStreamBuilder()
    let name = "stream dynamic"

/// Builders whose Run the compiler cannot look into.
type DynamicCancellableTaskBuilder() =
    inherit CancellableTaskBuilder()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Run(code: Deferred<'T, 'T>) : CancellableTask<'T> = base.Run code

type DynamicBackgroundCancellableTaskBuilder() =
    inherit BackgroundCancellableTaskBuilder()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Run(code: Deferred<'T, 'T>) : CancellableTask<'T> = base.Run code

module Cancellables =
    let co = cancellableTask
    let name = "cancellableTask"
    let start (operation: CancellableTask<'T>) = operation

module DynamicCancellables =
    let co = DynamicCancellableTaskBuilder()
    let name = "cancellableTask dynamic"
    let start (operation: CancellableTask<'T>) = operation

module BackgroundCancellables =
    let co = backgroundCancellableTask
    let name = "backgroundCancellableTask"
    let start (operation: CancellableTask<'T>) = operation

module DynamicBackgroundCancellables =
    let co = DynamicBackgroundCancellableTaskBuilder()
    let name = "backgroundCancellableTask dynamic"
    let start (operation: CancellableTask<'T>) = operation

module CancellableValues =
    let co = cancellableValueTask
    let name = "cancellableValueTask"

    let start (operation: CancellableValueTask<'T>) : CancellableTask<'T> =
        fun token -> (operation token).AsTask()

module BackgroundCancellableValues =
    let co = backgroundCancellableValueTask
    let name = "backgroundCancellableValueTask"

    let start (operation: CancellableValueTask<'T>) : CancellableTask<'T> =
        fun token -> (operation token).AsTask()

/// `cancellableValueTask` whose functions are called at once.
type StartedCancellableValueTaskBuilder() =
    inherit CancellableValueTaskBuilder()

    member inline this.Run([<InlineIfLambda>] code: Deferred<'T, 'T>) : ValueTask<'T> =
        this.Cancellable<'T, ValueTask<'T>, AsPooledValueTask<'T>, Safe> code CancellationToken.None

module CancellableValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = StartedCancellableValueTaskBuilder()
    let promise = Promise.Full "cancellableValueTask"

/// `cancellableTask` whose functions are called at once.
type StartedCancellableTaskBuilder() =
    inherit CancellableTaskBuilder()

    member inline this.Run([<InlineIfLambda>] code: Deferred<'T, 'T>) : Task<'T> =
        this.Cancellable<'T, Task<'T>, AsTask<'T>, Safe> code CancellationToken.None

module CancellableTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = StartedCancellableTaskBuilder()
    let promise = Promise.Full "cancellableTask"

/// `coldTask` whose functions are called at once.
type StartedColdTaskBuilder() =
    inherit ColdTaskBuilder()

    member inline this.Run([<InlineIfLambda>] code: Deferred<'T, 'T>) : Task<'T> =
        this.Cold<'T, Task<'T>, AsTask<'T>, Safe> code ()

module ColdTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = StartedColdTaskBuilder()
    let promise = Promise.Full "coldTask"

/// FSharp.Core's own, to compare with.
module FSharpTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = task
    let promise = Promise.Full "task"

// Builders of which only the operations that C# consumes are compiled.

module UnsafePooledTasks =
    let co = Plait.Unsafe.pooledTask

module UnsafeValueTasks =
    let co = Plait.Unsafe.valueTask

module NonAffineStrand =
    let co = Plait.NonAffine.strand

module NonAffinePooledValueTasks =
    let co = Plait.NonAffine.pooledValueTask

module NonAffinePooledTasks =
    let co = Plait.NonAffine.pooledTask

module NonAffineValueTasks =
    let co = Plait.NonAffine.valueTask

module NonAffinePlaitTasks =
    let co = Plait.NonAffine.Tasks.task

module BackgroundTaskUnits =
    let co = Plait.Tasks.backgroundTaskUnit

module UnsafePooledValueTaskUnits =
    let co = Plait.Unsafe.pooledValueTaskUnit

module UnsafePooledTaskUnits =
    let co = Plait.Unsafe.pooledTaskUnit

module UnsafeValueTaskUnits =
    let co = Plait.Unsafe.valueTaskUnit

module NonAffinePooledValueTaskUnits =
    let co = Plait.NonAffine.pooledValueTaskUnit

module NonAffinePooledTaskUnits =
    let co = Plait.NonAffine.pooledTaskUnit

module NonAffineValueTaskUnits =
    let co = Plait.NonAffine.valueTaskUnit

module NonAffinePlaitTaskUnits =
    let co = Plait.NonAffine.Tasks.taskUnit
