// Layer: builders. A name and a Run each: the intrinsic decides the type, and code before the body where it runs.
namespace Plait.RuntimeAsync.Kernel

open System.Threading.Tasks
open Plait.Kernel
open Plait.RuntimeAsync

/// Async code that returns a Task<'T>.
type RuntimeTaskBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeMembers<'Affinity>()

    /// Starts the operation on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> 'T) : Task<'T> = AsyncMethod.task body

/// Async code that returns a Task.
type RuntimeTaskUnitBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeMembers<'Affinity>()

    /// Starts the operation on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> unit) : Task = AsyncMethod.taskUnit body

/// Async code that returns a ValueTask<'T>.
type RuntimeValueTaskBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeMembers<'Affinity>()

    /// Starts the operation on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> 'T) : ValueTask<'T> = AsyncMethod.valueTask body

/// Async code that returns a ValueTask.
type RuntimeValueTaskUnitBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeMembers<'Affinity>()

    /// Starts the operation on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> unit) : ValueTask = AsyncMethod.valueTaskUnit body

/// Async code that returns a Task<'T>, never on the caller's SynchronizationContext or TaskScheduler.
type RuntimeBackgroundTaskBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeMembers<'Affinity>()

    /// Starts the operation on the thread pool if the calling thread has a context, else on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> 'T) : Task<'T> =
        AsyncMethod.task (fun () -> AsyncMethod.offContext body)

/// Async code that returns a Task, never on the caller's SynchronizationContext or TaskScheduler.
type RuntimeBackgroundTaskUnitBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit RuntimeMembers<'Affinity>()

    /// Starts the operation on the thread pool if the calling thread has a context, else on the calling thread.
    member inline _.Run([<InlineIfLambda>] body: unit -> unit) : Task =
        AsyncMethod.taskUnit (fun () -> AsyncMethod.offContext body)

/// As `task`, for any depth of recursion.
type GuardedRuntimeTaskBuilder() =
    inherit RuntimeMembers<OnCaptured>()

    /// Starts the operation, on another stack if that of the calling thread is nearly used up.
    member inline _.Run([<InlineIfLambda>] body: unit -> 'T) : Task<'T> =
        AsyncMethod.task (fun () -> AsyncMethod.guarded body)

/// As `taskUnit`, for any depth of recursion.
type GuardedRuntimeTaskUnitBuilder() =
    inherit RuntimeMembers<OnCaptured>()

    /// Starts the operation, on another stack if that of the calling thread is nearly used up.
    member inline _.Run([<InlineIfLambda>] body: unit -> unit) : Task =
        AsyncMethod.taskUnit (fun () -> AsyncMethod.guarded body)

/// As `valueTask`, for any depth of recursion.
type GuardedRuntimeValueTaskBuilder() =
    inherit RuntimeMembers<OnCaptured>()

    /// Starts the operation, on another stack if that of the calling thread is nearly used up.
    member inline _.Run([<InlineIfLambda>] body: unit -> 'T) : ValueTask<'T> =
        AsyncMethod.valueTask (fun () -> AsyncMethod.guarded body)

/// As `valueTaskUnit`, for any depth of recursion.
type GuardedRuntimeValueTaskUnitBuilder() =
    inherit RuntimeMembers<OnCaptured>()

    /// Starts the operation, on another stack if that of the calling thread is nearly used up.
    member inline _.Run([<InlineIfLambda>] body: unit -> unit) : ValueTask =
        AsyncMethod.valueTaskUnit (fun () -> AsyncMethod.guarded body)

/// As `backgroundTask`, for any depth of recursion.
type GuardedRuntimeBackgroundTaskBuilder() =
    inherit RuntimeMembers<OnCaptured>()

    /// Starts the operation, on another stack if that of the calling thread is nearly used up.
    member inline _.Run([<InlineIfLambda>] body: unit -> 'T) : Task<'T> =
        AsyncMethod.task (fun () -> AsyncMethod.guarded (fun () -> AsyncMethod.offContext body))

/// As `backgroundTaskUnit`, for any depth of recursion.
type GuardedRuntimeBackgroundTaskUnitBuilder() =
    inherit RuntimeMembers<OnCaptured>()

    /// Starts the operation, on another stack if that of the calling thread is nearly used up.
    member inline _.Run([<InlineIfLambda>] body: unit -> unit) : Task =
        AsyncMethod.taskUnit (fun () -> AsyncMethod.guarded (fun () -> AsyncMethod.offContext body))

/// `task` off the captured context.
type NonAffineRuntimeTaskBuilder() =
    inherit RuntimeTaskBuilder<Anywhere>()
    interface IOffContext

/// `taskUnit` off the captured context.
type NonAffineRuntimeTaskUnitBuilder() =
    inherit RuntimeTaskUnitBuilder<Anywhere>()
    interface IOffContext

/// `valueTask` off the captured context.
type NonAffineRuntimeValueTaskBuilder() =
    inherit RuntimeValueTaskBuilder<Anywhere>()
    interface IOffContext

/// `valueTaskUnit` off the captured context.
type NonAffineRuntimeValueTaskUnitBuilder() =
    inherit RuntimeValueTaskUnitBuilder<Anywhere>()
    interface IOffContext

/// `backgroundTask` off the captured context.
type NonAffineRuntimeBackgroundTaskBuilder() =
    inherit RuntimeBackgroundTaskBuilder<Anywhere>()
    interface IOffContext

/// `backgroundTaskUnit` off the captured context.
type NonAffineRuntimeBackgroundTaskUnitBuilder() =
    inherit RuntimeBackgroundTaskUnitBuilder<Anywhere>()
    interface IOffContext

/// `step` off the captured context.
type NonAffineStepBuilder() =
    inherit RuntimeMembers<Anywhere>()
    interface IOffContext

    /// The code, not started.
    member inline _.Run([<InlineIfLambda>] body: unit -> 'T) : Step<Anywhere, 'T> =
        Step<Anywhere, 'T>(fun () -> body ())
