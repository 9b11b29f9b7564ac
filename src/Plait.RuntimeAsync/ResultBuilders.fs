// Layer: builders. The builders of results and of validations: a name and a Run each.
namespace Plait.RuntimeAsync.Kernel

open System.Threading.Tasks
open Plait.Kernel

/// Async code that returns a Task<Result<'T, 'E>>.
type RuntimeTaskResultBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeResultMembers<'Affinity>()

    /// Starts the operation on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> Result<'T, 'E>) : Task<Result<'T, 'E>> =
        AsyncMethod.task body

/// Async code that returns a ValueTask<Result<'T, 'E>>.
type RuntimeValueTaskResultBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeResultMembers<'Affinity>()

    /// Starts the operation on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> Result<'T, 'E>) : ValueTask<Result<'T, 'E>> =
        AsyncMethod.valueTask body

/// Async code that returns a Task<Result<'T, 'E list>>.
type RuntimeTaskValidationBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeValidationMembers<'Affinity>()

    /// Starts the operation on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> Result<'T, 'E list>) : Task<Result<'T, 'E list>> =
        AsyncMethod.task body

/// Async code that returns a ValueTask<Result<'T, 'E list>>.
type RuntimeValueTaskValidationBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeValidationMembers<'Affinity>()

    /// Starts the operation on the calling thread.
    member inline _.Run
        ([<InlineIfLambda>] body: unit -> Result<'T, 'E list>)
        : ValueTask<Result<'T, 'E list>> =
        AsyncMethod.valueTask body

/// Async code that returns a Task<Result<'T, 'E>>, never on the caller's SynchronizationContext or TaskScheduler.
type RuntimeBackgroundTaskResultBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeResultMembers<'Affinity>()

    /// Starts the operation on the thread pool if the calling thread has a context, else on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> Result<'T, 'E>) : Task<Result<'T, 'E>> =
        AsyncMethod.task (fun () -> AsyncMethod.offContext body)

/// `taskResult` on the captured context.
type AffineRuntimeTaskResultBuilder() =
    inherit RuntimeTaskResultBuilder<OnCaptured>()
    interface IOnContextResults

/// `valueTaskResult` on the captured context.
type AffineRuntimeValueTaskResultBuilder() =
    inherit RuntimeValueTaskResultBuilder<OnCaptured>()
    interface IOnContextResults

/// `backgroundTaskResult` whose awaits continue on the captured context.
type AffineRuntimeBackgroundTaskResultBuilder() =
    inherit RuntimeBackgroundTaskResultBuilder<OnCaptured>()
    interface IOnContextResults

/// `taskValidation` on the captured context.
type AffineRuntimeTaskValidationBuilder() =
    inherit RuntimeTaskValidationBuilder<OnCaptured>()
    interface IOnContextResults

/// `valueTaskValidation` on the captured context.
type AffineRuntimeValueTaskValidationBuilder() =
    inherit RuntimeValueTaskValidationBuilder<OnCaptured>()
    interface IOnContextResults

/// `taskResult` off the captured context.
type NonAffineRuntimeTaskResultBuilder() =
    inherit RuntimeTaskResultBuilder<Anywhere>()
    interface IOffContextResults

/// `valueTaskResult` off the captured context.
type NonAffineRuntimeValueTaskResultBuilder() =
    inherit RuntimeValueTaskResultBuilder<Anywhere>()
    interface IOffContextResults

/// `backgroundTaskResult` off the captured context.
type NonAffineRuntimeBackgroundTaskResultBuilder() =
    inherit RuntimeBackgroundTaskResultBuilder<Anywhere>()
    interface IOffContextResults

/// `taskValidation` off the captured context.
type NonAffineRuntimeTaskValidationBuilder() =
    inherit RuntimeTaskValidationBuilder<Anywhere>()
    interface IOffContextResults

/// `valueTaskValidation` off the captured context.
type NonAffineRuntimeValueTaskValidationBuilder() =
    inherit RuntimeValueTaskValidationBuilder<Anywhere>()
    interface IOffContextResults

/// `taskResult` for any depth of recursion.
type GuardedRuntimeTaskResultBuilder() =
    inherit RuntimeResultMembers<OnCaptured>()
    interface IOnContextResults

    /// Starts the operation, on another stack if that of the calling thread is nearly used up.
    member inline _.Run([<InlineIfLambda>] body: unit -> Result<'T, 'E>) : Task<Result<'T, 'E>> =
        AsyncMethod.task (fun () -> AsyncMethod.guarded body)

/// `valueTaskResult` for any depth of recursion.
type GuardedRuntimeValueTaskResultBuilder() =
    inherit RuntimeResultMembers<OnCaptured>()
    interface IOnContextResults

    /// Starts the operation, on another stack if that of the calling thread is nearly used up.
    member inline _.Run([<InlineIfLambda>] body: unit -> Result<'T, 'E>) : ValueTask<Result<'T, 'E>> =
        AsyncMethod.valueTask (fun () -> AsyncMethod.guarded body)

/// `backgroundTaskResult` for any depth of recursion.
type GuardedRuntimeBackgroundTaskResultBuilder() =
    inherit RuntimeResultMembers<OnCaptured>()
    interface IOnContextResults

    /// Starts the operation, on another stack if that of the calling thread is nearly used up.
    member inline _.Run([<InlineIfLambda>] body: unit -> Result<'T, 'E>) : Task<Result<'T, 'E>> =
        AsyncMethod.task (fun () -> AsyncMethod.guarded (fun () -> AsyncMethod.offContext body))

/// `taskValidation` for any depth of recursion.
type GuardedRuntimeTaskValidationBuilder() =
    inherit RuntimeValidationMembers<OnCaptured>()
    interface IOnContextResults

    /// Starts the operation, on another stack if that of the calling thread is nearly used up.
    member inline _.Run([<InlineIfLambda>] body: unit -> Result<'T, 'E list>) : Task<Result<'T, 'E list>> =
        AsyncMethod.task (fun () -> AsyncMethod.guarded body)

/// `valueTaskValidation` for any depth of recursion.
type GuardedRuntimeValueTaskValidationBuilder() =
    inherit RuntimeValidationMembers<OnCaptured>()
    interface IOnContextResults

    /// Starts the operation, on another stack if that of the calling thread is nearly used up.
    member inline _.Run
        ([<InlineIfLambda>] body: unit -> Result<'T, 'E list>)
        : ValueTask<Result<'T, 'E list>> =
        AsyncMethod.valueTask (fun () -> AsyncMethod.guarded body)
