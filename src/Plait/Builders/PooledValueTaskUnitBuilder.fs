// Layer: builders. `pooledValueTaskUnit`: ValueTask over a pooled machine.
namespace Plait

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

open System.Threading.Tasks
open Plait.Kernel

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
