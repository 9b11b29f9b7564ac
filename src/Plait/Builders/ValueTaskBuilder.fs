// Layer: builders. `valueTask` and `valueTaskUnit`: a ValueTask that holds a Task if it suspended.
namespace Plait

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// `valueTask` with a choice of context and safety.
type ValueTaskBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit MachineBuilder<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(task: ValueTask<'a>) = ValueTaskSource<'a, 'Affinity> task

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<'T, 'T>) : ValueTask<'T> =
        Machine.Run<'T, ValueTask<'T>, AsValueTask<'T>, 'Safety> code

/// Async code that returns a ValueTask<'T> which may be awaited many times. It allocates one Task if it suspends,
/// else nothing.
type ValueTaskBuilder() =
    inherit ValueTaskBuilder<OnCaptured, Safe>()

/// The builder, available after `open Plait`.
[<AutoOpen>]
module ValueTaskBuilders =

    /// Async code that returns a ValueTask<'T> which may be awaited many times. It allocates one Task if it suspends,
    /// else nothing.
    let valueTask = ValueTaskBuilder()

/// `valueTaskUnit` with a choice of context and safety.
type ValueTaskUnitBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit MachineBuilder<'Affinity>()

    /// The type of an unannotated `do!`.
    member inline _.Source(task: ValueTask) =
        UnitValueTaskSource<unit, 'Affinity> task

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<unit, unit>) : ValueTask =
        Machine.Run<unit, ValueTask, AsValueTaskUnit, 'Safety> code

/// Async code that returns a ValueTask which may be awaited many times. It allocates one Task if it suspends, else
/// nothing.
type ValueTaskUnitBuilder() =
    inherit ValueTaskUnitBuilder<OnCaptured, Safe>()

/// The builder, available after `open Plait`.
[<AutoOpen>]
module ValueTaskUnitBuilders =

    /// Async code that returns a ValueTask which may be awaited many times. It allocates one Task if it suspends,
    /// else nothing.
    let valueTaskUnit = ValueTaskUnitBuilder()
