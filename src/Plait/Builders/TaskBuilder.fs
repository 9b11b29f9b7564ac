// Layer: builders. The stand-ins for FSharp.Core's `task` and `backgroundTask`, opened on purpose.
namespace Plait

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// Async code as a Task<'T>; stands in for FSharp.Core's builder of that name.
type TaskBuilder() =
    inherit TaskMembers()

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<'T, 'T>) : Task<'T> =
        Machine.Run<'T, Task<'T>, AsTask<'T>, Safe> code

/// Async code as a Task.
type TaskUnitBuilder() =
    inherit TaskMembers()

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<unit, unit>) : Task =
        Machine.Run<unit, Task, AsTaskUnit, Safe> code

/// As `task`, but never on the caller's SynchronizationContext or TaskScheduler.
type BackgroundTaskBuilder() =
    inherit TaskMembers()

    /// Starts the operation: on the thread pool where the calling thread has a context, else here.
    member inline _.Run(code: Code<'T, 'T>) : Task<'T> =
        Machine.RunBackground<'T, Task<'T>, AsTask<'T>, Safe> code

/// As `taskUnit`, but never on the caller's SynchronizationContext or TaskScheduler.
type BackgroundTaskUnitBuilder() =
    inherit TaskMembers()

    /// Starts the operation: on the thread pool where the calling thread has a context, else here.
    member inline _.Run(code: Code<unit, unit>) : Task =
        Machine.RunBackground<unit, Task, AsTaskUnit, Safe> code

/// Builders that stand in for FSharp.Core's: whatever compiles under those compiles under these. They allocate the Task
/// and nothing else, and an asynchronous disposal that fails is not lost.
module Tasks =

    /// Async code as a Task<'T>, which is all that it allocates: the machine behind it is pooled.
    let task = TaskBuilder()

    /// Async code as a Task, which is all that it allocates: the machine behind it is pooled.
    let taskUnit = TaskUnitBuilder()

    /// `task` that never runs on the caller's SynchronizationContext or TaskScheduler.
    let backgroundTask = BackgroundTaskBuilder()

    /// `taskUnit` that never runs on the caller's SynchronizationContext or TaskScheduler.
    let backgroundTaskUnit = BackgroundTaskUnitBuilder()
