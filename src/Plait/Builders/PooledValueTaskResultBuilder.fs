// Layer: builders. `pooledValueTaskResult`: ValueTask<Result<'T, 'E>> over a pooled machine.
namespace Plait

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// `pooledValueTaskResult` with a choice of context and safety.
type PooledValueTaskResultBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit ResultMachineBuilder<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(task: ValueTask<Result<'a, 'E>>) =
        ResultOf<_, 'a, 'E>(ValueTaskSource<Result<'a, 'E>, 'Affinity> task)

    /// Starts the operation on the calling thread.
    member inline _.Run(code: ResultCode<'T, 'E, 'T>) : ValueTask<Result<'T, 'E>> =
        ResultMachine.Run<'T, 'E, _, AsPooledValueTask<_>, 'Safety> code

/// Async code that returns a ValueTask<Result<'T, 'E>>: `let!` takes the value of an Ok, and an Error ends the code. It
/// allocates nothing, whether it suspends or not. Await it once.
type PooledValueTaskResultBuilder() =
    inherit PooledValueTaskResultBuilder<OnCaptured, Safe>()

/// The builder, available after `open Plait`.
[<AutoOpen>]
module PooledValueTaskResultBuilders =

    /// <summary>Async code as a <see cref="T:System.Threading.Tasks.ValueTask`1" /> of a Result: <c>let!</c> takes the
    /// value of an Ok, of anything that is awaited and of a Result itself, and an Error ends the code without an
    /// exception. Allocates nothing once its pool is warm, whether it suspends or not. Await it once.</summary>
    let pooledValueTaskResult = PooledValueTaskResultBuilder()
