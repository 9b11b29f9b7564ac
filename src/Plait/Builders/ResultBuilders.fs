// Layer: builders. The builders of results: `let!` takes the value of an Ok, and an Error ends the code.
namespace Plait

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

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

/// `strandResult` with a choice of context.
type StrandResultBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit ResultStrandMembers<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(strand: Strand<Result<'a, 'E>>) =
        ResultOf<Strand<Result<'a, 'E>>, 'a, 'E> strand

    /// Starts the strand on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> Strand<Result<'T, 'E>>) : Strand<Result<'T, 'E>> =
        StrandStart.Run body

/// A strand of a Result: `let!` takes the value of an Ok, and an Error ends the code.
type StrandResultBuilder() =
    inherit StrandResultBuilder<OnCaptured>()

/// The builder, available after `open Plait`.
[<AutoOpen>]
module StrandResultBuilders =

    /// <summary>Async code as a <see cref="T:Plait.Strand`1" /> of a Result: <c>let!</c> takes the value of an Ok, of
    /// anything that is awaited and of a Result itself, and an Error ends the code without an exception. Costs little more
    /// than plain code if nothing suspends, and one small object per suspension.</summary>
    let strandResult = StrandResultBuilder()
