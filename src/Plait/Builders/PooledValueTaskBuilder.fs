// Layer: builders. `pooledValueTask` and `pooledValueTaskUnit`: a ValueTask over a pooled machine.
namespace Plait

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// `pooledValueTask` with a choice of context and safety.
type PooledValueTaskBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit MachineBuilder<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(task: ValueTask<'a>) = ValueTaskSource<'a, 'Affinity> task

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<'T, 'T>) : ValueTask<'T> =
        Machine.Run<'T, ValueTask<'T>, AsPooledValueTask<'T>, 'Safety> code

/// Async code that returns a ValueTask<'T> and allocates nothing, whether it suspends or not. Await it once.
type PooledValueTaskBuilder() =
    inherit PooledValueTaskBuilder<OnCaptured, Safe>()

/// The builders, available after `open Plait`.
[<AutoOpen>]
module PooledValueTaskBuilders =

    /// <summary>Async code as a <see cref="T:System.Threading.Tasks.ValueTask`1" /> that allocates nothing once its
    /// pool is warm, whether it suspends or not. Await it once.</summary>
    let pooledValueTask = PooledValueTaskBuilder()

/// `pooledValueTaskUnit` with a choice of context and safety.
type PooledValueTaskUnitBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit MachineBuilder<'Affinity>()

    /// The type of an unannotated `do!`.
    member inline _.Source(task: ValueTask) =
        UnitValueTaskSource<unit, 'Affinity> task

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<unit, unit>) : ValueTask =
        Machine.Run<unit, ValueTask, AsPooledValueTaskUnit, 'Safety> code

/// Async code that returns a ValueTask and allocates nothing, whether it suspends or not. Await it once.
type PooledValueTaskUnitBuilder() =
    inherit PooledValueTaskUnitBuilder<OnCaptured, Safe>()

/// The builders, available after `open Plait`.
[<AutoOpen>]
module PooledValueTaskUnitBuilders =

    /// <summary>Async code as a <see cref="T:System.Threading.Tasks.ValueTask" /> that allocates nothing once its pool
    /// is warm, whether it suspends or not. Await it once.</summary>
    let pooledValueTaskUnit = PooledValueTaskUnitBuilder()
