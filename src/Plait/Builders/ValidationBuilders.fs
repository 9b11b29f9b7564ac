// Layer: builders. The builders of results whose `and!` collects the Errors of all its operations: they end in a list of Errors.
namespace Plait

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// `pooledValueTaskValidation` with a choice of context and safety.
type PooledValueTaskValidationBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>()
    =
    inherit ValidationMachineBuilder<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(task: ValueTask<Result<'a, 'E list>>) =
        Validated.many<_, 'a, 'E>(ValueTaskSource<Result<'a, 'E list>, 'Affinity> task)

    /// Starts the operation on the calling thread.
    member inline _.Run(code: ResultCode<'T, 'E list, 'T>) : ValueTask<Result<'T, 'E list>> =
        ResultMachine.Run<'T, 'E list, _, AsPooledValueTask<_>, 'Safety> code

/// `pooledValueTaskResult` whose `and!` collects the Errors.
type PooledValueTaskValidationBuilder() =
    inherit PooledValueTaskValidationBuilder<OnCaptured, Safe>()

/// `taskValidation` with a choice of context and safety.
type TaskValidationBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit ValidationMachineBuilder<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(task: Task<Result<'a, 'E list>>) =
        Validated.many<_, 'a, 'E>(TaskSource<Result<'a, 'E list>, 'Affinity> task)

    /// Starts the operation on the calling thread.
    member inline _.Run(code: ResultCode<'T, 'E list, 'T>) : Task<Result<'T, 'E list>> =
        ResultMachine.Run<'T, 'E list, _, AsTask<_>, 'Safety> code

/// `taskResult` whose `and!` collects the Errors.
type TaskValidationBuilder() =
    inherit TaskValidationBuilder<OnCaptured, Safe>()

/// `strandValidation` with a choice of context.
type StrandValidationBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit ValidationStrandMembers<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(strand: Strand<Result<'a, 'E list>>) = Validated.many<_, 'a, 'E> strand

    /// Starts the strand on the calling thread.
    member inline _.Run
        ([<InlineIfLambda>] body: unit -> Strand<Result<'T, 'E list>>)
        : Strand<Result<'T, 'E list>> =
        StrandStart.Run body

/// `strandResult` whose `and!` collects the Errors.
type StrandValidationBuilder() =
    inherit StrandValidationBuilder<OnCaptured>()

/// The builders, available after `open Plait`.
[<AutoOpen>]
module ValidationBuilders =

    /// `pooledValueTaskResult` that ends in a list of Errors: `and!` collects those of all its operations. An operation with
    /// one Error is bound as a validation with that Error in its list.
    let pooledValueTaskValidation = PooledValueTaskValidationBuilder()

    /// `taskResult` that ends in a list of Errors: `and!` collects those of all its operations. An operation with one Error
    /// is bound as a validation with that Error in its list.
    let taskValidation = TaskValidationBuilder()

    /// `strandResult` that ends in a list of Errors: `and!` collects those of all its operations. An operation with one Error
    /// is bound as a validation with that Error in its list.
    let strandValidation = StrandValidationBuilder()
