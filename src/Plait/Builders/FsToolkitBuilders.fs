// Layer: builders, over the combinators. The names of FsToolkit.ErrorHandling of its builders of Tasks of Results, and a Choice in them.
namespace Plait.Migration.FsToolkit

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

open System.Threading.Tasks
open Plait
open Plait.Kernel

/// A Task of a Result.
type TaskResult<'T, 'E> = Task<Result<'T, 'E>>

/// A Task of a Result with a list of Errors.
type TaskValidation<'T, 'E> = Task<Result<'T, 'E list>>

/// The type of `taskResult`.
type TaskResultBuilder = Plait.TaskResultBuilder

/// The type of `taskValidation`.
type TaskValidationBuilder = Plait.TaskValidationBuilder

/// As `taskResult`, but never on the caller's SynchronizationContext or TaskScheduler.
type BackgroundTaskResultBuilder() =
    inherit TaskResultBuilder<OnCaptured, Safe>()

    /// Starts the operation: on the thread pool if the calling thread has a context, else on the calling thread.
    member inline this.Run(code: ResultCode<'T, 'E, 'T>) : Task<Result<'T, 'E>> =
        ResultMachine.Run<'T, 'E, _, AsTask<_>, Safe>(
            this.Plain.Bind(OffContextSource<unit>(), (fun () -> code))
        )

/// The builders of FsToolkit.ErrorHandling that give Tasks of Results.
[<AutoOpen>]
module FsToolkitBuilders =

    /// A Task<Result<'T, 'E>>; the same as `Plait.TaskResultBuilders.taskResult`. An Error ends the code, as in
    /// FsToolkit.ErrorHandling; `and!` waits for all operations before it gives the first Error.
    let taskResult = taskResult

    /// `taskResult` that never runs on the caller's context.
    let backgroundTaskResult = BackgroundTaskResultBuilder()

    /// A Task<Result<'T, 'E list>>; the same as `Plait.ValidationBuilders.taskValidation`.
    let taskValidation = taskValidation

/// A Choice in the builders of results.
[<AutoOpen>]
module ChoiceSources =
    type IResultSources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds the first case of a Choice; the second is an Error.
        member inline _.Source(choice: Choice<'a, 'E>) =
            ResultOf<_, 'a, 'E>(GivenResult<'a, 'E>(Result.ofChoice choice))

/// A Choice in the builders of validations.
[<AutoOpen>]
module ValidationChoiceSources =
    type IValidationSources<'Affinity when 'Affinity :> IAffinity> with

        /// Binds the first case of a Choice; the second is an Error.
        member inline _.Source(choice: Choice<'a, 'E>) =
            Validated.one<_, 'a, 'E>(GivenResult<'a, 'E>(Result.ofChoice choice))
