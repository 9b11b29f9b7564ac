// Layer: builders. `pooledTaskUnit`: Task over a pooled machine.
namespace Plait

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// `pooledTaskUnit` with a choice of context and safety.
type PooledTaskUnitBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit MachineBuilder<'Affinity>()

    /// The default of an unannotated `do!`: a Task without a result would not do, as it fits no better than this one.
    member inline _.Source(task: Task<'a>) = TaskSource<'a, 'Affinity> task

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<unit, unit>) : Task =
        Machine.Run<unit, Task, AsTaskUnit, 'Safety> code

/// Async code as a Task, which is all that it allocates: the machine behind it is pooled. May be awaited many times.
type PooledTaskUnitBuilder() =
    inherit PooledTaskUnitBuilder<OnCaptured, Safe>()

/// The builder value that `open Plait` brings.
[<AutoOpen>]
module PooledTaskUnitBuilders =

    /// Async code as a Task, which is all that it allocates: the machine behind it is pooled. May be awaited many times.
    let pooledTaskUnit = PooledTaskUnitBuilder()
