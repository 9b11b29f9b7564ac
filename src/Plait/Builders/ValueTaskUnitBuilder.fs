// Layer: builders. `valueTaskUnit`: ValueTask with a Task inside where it suspended.
namespace Plait

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// `valueTaskUnit` with a choice of context and safety.
type ValueTaskUnitBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit MachineBuilder<'Affinity>()

    /// The default of an unannotated `do!`.
    member inline _.Source(task: ValueTask) =
        UnitValueTaskSource<unit, 'Affinity> task

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<unit, unit>) : ValueTask =
        Machine.Run<unit, ValueTask, AsValueTaskUnit, 'Safety> code

/// Async code as a ValueTask that may be awaited many times: nothing is allocated unless it suspends, then one Task.
type ValueTaskUnitBuilder() =
    inherit ValueTaskUnitBuilder<OnCaptured, Safe>()

/// The builder value that `open Plait` brings.
[<AutoOpen>]
module ValueTaskUnitBuilders =

    /// Async code as a ValueTask that may be awaited many times: nothing is allocated unless it suspends, then one Task.
    let valueTaskUnit = ValueTaskUnitBuilder()
