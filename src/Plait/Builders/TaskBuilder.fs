// Layer: builders. The replacements of FSharp.Core's `task` and `backgroundTask`. Users open them explicitly.
namespace Plait

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// Async code that returns a Task<'T>; replaces FSharp.Core's builder of that name.
type TaskBuilder() =
    inherit TaskMembers()

    /// Starts the operation on the calling thread.
    member inline _.Run(code: TaskCode<'T, 'T>) : Task<'T> =
        TaskMachine.Run<'T, Task<'T>, OnCallingThread> code

/// Async code that returns a Task.
type TaskUnitBuilder() =
    inherit TaskMembers()

    /// Starts the operation on the calling thread.
    member inline _.Run(code: TaskCode<unit, unit>) : Task =
        TaskMachine.Run<unit, Task, OnCallingThread> code

/// As `task`, but never on the caller's SynchronizationContext or TaskScheduler.
type BackgroundTaskBuilder() =
    inherit TaskMembers()

    /// Starts the operation: on the thread pool if the calling thread has a context, else on the calling thread.
    member inline _.Run(code: TaskCode<'T, 'T>) : Task<'T> =
        TaskMachine.Run<'T, Task<'T>, OffCallersContext> code

/// As `taskUnit`, but never on the caller's SynchronizationContext or TaskScheduler.
type BackgroundTaskUnitBuilder() =
    inherit TaskMembers()

    /// Starts the operation: on the thread pool if the calling thread has a context, else on the calling thread.
    member inline _.Run(code: TaskCode<unit, unit>) : Task =
        TaskMachine.Run<unit, Task, OffCallersContext> code

/// Builders that replace FSharp.Core's: code that compiles with those compiles with these. They bind strands too and more
/// kinds of sequences, and the error of an asynchronous disposal is not lost. An operation that suspends allocates a Task
/// with its state machine inside, as FSharp.Core's does.
module Tasks =

    /// Async code that returns a Task<'T>. Where bytes count more than time: `pooledTask`.
    let task = TaskBuilder()

    /// Async code that returns a Task. Where bytes count more than time: `pooledTaskUnit`.
    let taskUnit = TaskUnitBuilder()

    /// `task` that never runs on the caller's SynchronizationContext or TaskScheduler.
    let backgroundTask = BackgroundTaskBuilder()

    /// `taskUnit` that never runs on the caller's SynchronizationContext or TaskScheduler.
    let backgroundTaskUnit = BackgroundTaskUnitBuilder()
