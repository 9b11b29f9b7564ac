// The builders under test. Each module gives the same names another meaning: `co`, what it makes, and how that is
// looked at.
namespace Plait.Tests.Programs

#nowarn "3511" // Dynamic is not compiled as a state machine, on purpose

open System.Runtime.CompilerServices
open System.Threading.Tasks

open Plait
open Plait.Kernel

/// What a builder promises.
type Promise =
    {
        Name: string
        /// A synchronous exception is part of the result.
        Captures: bool
        /// The caller's AsyncLocal values are its own.
        Contained: bool
        /// It begins and goes on on the caller's SynchronizationContext or TaskScheduler.
        Affine: bool
    }

    override promise.ToString() = promise.Name

/// Builders under names that the copies leave alone.
[<AutoOpen>]
module Named =
    let unsafePooled = Plait.Unsafe.pooledValueTask
    let bare = Plait.Unsafe.Bare.strand

/// `pooledValueTask` itself.
module Direct =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>

    let promise =
        { Name = "pooledValueTask"; Captures = true; Contained = true; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

/// Another name for it.
module Reexported =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = pooledValueTask
    let promise = { Direct.promise with Name = "pooledValueTask re-exported" }
    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

/// A Run that the compiler cannot look into.
type DynamicBuilder() =
    inherit PooledValueTaskBuilder()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Run(code: Code<'T, 'T>) : ValueTask<'T> = base.Run code

module Dynamic =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = DynamicBuilder()
    let promise = { Direct.promise with Name = "pooledValueTask dynamic" }
    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

module Unsafe =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = Plait.Unsafe.pooledValueTask

    let promise =
        { Name = "Unsafe.pooledValueTask"; Captures = true; Contained = false; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

module Unit =
    type Co = ValueTask
    let co = pooledValueTaskUnit
    let promise = { Direct.promise with Name = "pooledValueTaskUnit" }
    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()

module Strand =
    type Co = Strand<unit>
    type Co<'T> = Strand<'T>
    let co = strand
    let promise = { Name = "strand"; Captures = true; Contained = true; Affine = true }
    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

module UnsafeStrand =
    type Co = Strand<unit>
    type Co<'T> = Strand<'T>
    let co = Plait.Unsafe.strand

    let promise =
        { Name = "Unsafe.strand"; Captures = true; Contained = false; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

module BareStrand =
    type Co = Strand<unit>
    type Co<'T> = Strand<'T>
    let co = Plait.Unsafe.Bare.strand

    let promise =
        { Name = "Unsafe.Bare.strand"; Captures = false; Contained = false; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

module GuardedStrand =
    type Co = Strand<unit>
    type Co<'T> = Strand<'T>
    let co = Plait.Guarded.strand

    let promise =
        { Name = "Guarded.strand"; Captures = true; Contained = true; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

module PooledTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = pooledTask

    let promise =
        { Name = "pooledTask"; Captures = true; Contained = true; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co

module PooledTaskUnits =
    type Co = Task
    let co = pooledTaskUnit

    let promise =
        { Name = "pooledTaskUnit"; Captures = true; Contained = true; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co

module ValueTasks =
    type Co = ValueTask<unit>
    type Co<'T> = ValueTask<'T>
    let co = valueTask

    let promise =
        { Name = "valueTask"; Captures = true; Contained = true; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()
    let resultTask (co: Co<'T>) : Task<'T> = co.AsTask()

module ValueTaskUnits =
    type Co = ValueTask
    let co = valueTaskUnit

    let promise =
        { Name = "valueTaskUnit"; Captures = true; Contained = true; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co.AsTask()

module PlaitTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.Tasks.task

    let promise =
        { Name = "Tasks.task"; Captures = true; Contained = true; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co

module PlaitTaskUnits =
    type Co = Task
    let co = Plait.Tasks.taskUnit

    let promise =
        { Name = "Tasks.taskUnit"; Captures = true; Contained = true; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co

/// A `task` whose Run the compiler cannot look into.
type DynamicTaskBuilder() =
    inherit TaskBuilder()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member _.Run(code: Code<'T, 'T>) : Task<'T> = base.Run code

module DynamicTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = DynamicTaskBuilder()

    let promise =
        { Name = "Tasks.task dynamic"; Captures = true; Contained = true; Affine = true }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co

module BackgroundTasks =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = Plait.Tasks.backgroundTask

    let promise =
        { Name = "Tasks.backgroundTask"; Captures = true; Contained = true; Affine = false }

    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co

/// FSharp.Core's own, to compare with.
module FSharpTask =
    type Co = Task<unit>
    type Co<'T> = Task<'T>
    let co = task
    let promise = { Name = "task"; Captures = true; Contained = true; Affine = true }
    let completed (co: Co) = co.IsCompleted
    let asTask (co: Co) : Task = co
    let resultTask (co: Co<'T>) : Task<'T> = co
