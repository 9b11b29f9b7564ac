// Layer: builders. `valueTask`: a ValueTask<'T> that holds a Task if it suspended.
namespace Plait

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

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
