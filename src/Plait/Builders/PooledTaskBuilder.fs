// Layer: builders. `pooledTask` and `pooledTaskUnit`: a Task over a pooled machine.
namespace Plait

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// `pooledTask` with a choice of context and safety.
type PooledTaskBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit MachineBuilder<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(task: Task<'a>) = TaskSource<'a, 'Affinity> task

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<'T, 'T>) : Task<'T> =
        Machine.Run<'T, Task<'T>, AsTask<'T>, 'Safety> code

/// Async code that returns a Task<'T> and allocates nothing else: its state machine is pooled. May be awaited many
/// times.
type PooledTaskBuilder() =
    inherit PooledTaskBuilder<OnCaptured, Safe>()

/// The builder, available after `open Plait`.
[<AutoOpen>]
module PooledTaskBuilders =

    /// Async code that returns a Task<'T> and allocates nothing else: its state machine is pooled. May be awaited
    /// many times.
    let pooledTask = PooledTaskBuilder()

/// `pooledTaskUnit` with a choice of context and safety.
type PooledTaskUnitBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit MachineBuilder<'Affinity>()

    /// The type of an unannotated `do!`: not Task, because a Task without a result would fit no better than this one.
    member inline _.Source(task: Task<'a>) = TaskSource<'a, 'Affinity> task

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<unit, unit>) : Task =
        Machine.Run<unit, Task, AsTaskUnit, 'Safety> code

/// Async code that returns a Task and allocates nothing else: its state machine is pooled. May be awaited many times.
type PooledTaskUnitBuilder() =
    inherit PooledTaskUnitBuilder<OnCaptured, Safe>()

/// The builder, available after `open Plait`.
[<AutoOpen>]
module PooledTaskUnitBuilders =

    /// Async code that returns a Task and allocates nothing else: its state machine is pooled. May be awaited many
    /// times.
    let pooledTaskUnit = PooledTaskUnitBuilder()
