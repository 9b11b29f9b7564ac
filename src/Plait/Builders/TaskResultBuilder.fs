// Layer: builders. `taskResult`: Task<Result<'T, 'E>> over a pooled machine.
namespace Plait

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// `taskResult` with a choice of context and safety.
type TaskResultBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit ResultMachineBuilder<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(task: Task<Result<'a, 'E>>) =
        ResultOf<_, 'a, 'E>(TaskSource<Result<'a, 'E>, 'Affinity> task)

    /// Starts the operation on the calling thread.
    member inline _.Run(code: ResultCode<'T, 'E, 'T>) : Task<Result<'T, 'E>> =
        ResultMachine.Run<'T, 'E, _, AsTask<_>, 'Safety> code

/// Async code that returns a Task<Result<'T, 'E>>: `let!` takes the value of an Ok, and an Error ends the code. The Task is
/// all that it allocates. May be awaited many times.
type TaskResultBuilder() =
    inherit TaskResultBuilder<OnCaptured, Safe>()

/// The builder, available after `open Plait`.
[<AutoOpen>]
module TaskResultBuilders =

    /// <summary>Async code as a <see cref="T:System.Threading.Tasks.Task`1" /> of a Result: <c>let!</c> takes the value of
    /// an Ok, of anything that is awaited and of a Result itself, and an Error ends the code without an exception. The Task
    /// is all that it allocates. May be awaited many times.</summary>
    let taskResult = TaskResultBuilder()
