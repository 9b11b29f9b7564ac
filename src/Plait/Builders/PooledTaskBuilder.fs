// Layer: builders. `pooledTask`: Task<'T> over a pooled machine.
namespace Plait

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

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
