// Layer: builders. `valueTask`: ValueTask<'T> with a Task inside where it suspended.
namespace Plait

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// `valueTask` with a choice of context and safety.
type ValueTaskBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit MachineBuilder<'Affinity>()

    /// The default of an unannotated `let!`.
    member inline _.Source(task: ValueTask<'a>) = ValueTaskSource<'a, 'Affinity> task

    /// Starts the operation on the calling thread.
    member inline _.Run(code: Code<'T, 'T>) : ValueTask<'T> =
        Machine.Run<'T, ValueTask<'T>, AsValueTask<'T>, 'Safety> code

/// Async code as a ValueTask<'T> that may be awaited many times: nothing is allocated unless it suspends, then one Task.
type ValueTaskBuilder() =
    inherit ValueTaskBuilder<OnCaptured, Safe>()

/// The builder value that `open Plait` brings.
[<AutoOpen>]
module ValueTaskBuilders =

    /// Async code as a ValueTask<'T> that may be awaited many times: nothing is allocated unless it suspends, then one Task.
    let valueTask = ValueTaskBuilder()
