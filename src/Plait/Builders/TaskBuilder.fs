// Layer: builders. The replacements of FSharp.Core's `task` and `backgroundTask`. Users open them explicitly.
namespace Plait

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// Async code that returns a Task<'T>; replaces FSharp.Core's builder of that name.
type TaskBuilder() =
    inherit TaskMembers()

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<'T, 'T>) : Task<'T> =
        Machine.Run<'T, Task<'T>, AsTask<'T>, Safe> code

/// Async code that returns a Task.
type TaskUnitBuilder() =
    inherit TaskMembers()

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<unit, unit>) : Task =
        Machine.Run<unit, Task, AsTaskUnit, Safe> code

/// As `task`, but never on the caller's SynchronizationContext or TaskScheduler.
type BackgroundTaskBuilder() =
    inherit TaskMembers()

    /// Starts the operation: on the thread pool if the calling thread has a context, else on the calling thread.
    member inline _.Run(code: Code<'T, 'T>) : Task<'T> =
        Machine.RunBackground<'T, Task<'T>, AsTask<'T>, Safe> code

/// As `taskUnit`, but never on the caller's SynchronizationContext or TaskScheduler.
type BackgroundTaskUnitBuilder() =
    inherit TaskMembers()

    /// Starts the operation: on the thread pool if the calling thread has a context, else on the calling thread.
    member inline _.Run(code: Code<unit, unit>) : Task =
        Machine.RunBackground<unit, Task, AsTaskUnit, Safe> code

/// Builders that replace FSharp.Core's: whatever compiles with those compiles with these. They allocate only the
/// Task, and the error of an asynchronous disposal is not lost.
module Tasks =

    /// Async code that returns a Task<'T> and allocates nothing else: its state machine is pooled.
    let task = TaskBuilder()

    /// Async code that returns a Task and allocates nothing else: its state machine is pooled.
    let taskUnit = TaskUnitBuilder()

    /// `task` that never runs on the caller's SynchronizationContext or TaskScheduler.
    let backgroundTask = BackgroundTaskBuilder()

    /// `taskUnit` that never runs on the caller's SynchronizationContext or TaskScheduler.
    let backgroundTaskUnit = BackgroundTaskUnitBuilder()
