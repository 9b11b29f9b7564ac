// Layer: builders. The namespaces that users open: values, under the names of the builders that they replace.
namespace Plait.RuntimeAsync

open Plait.Kernel
open Plait.RuntimeAsync.Kernel

/// The builders whose code the runtime of .NET 11 suspends itself: each function is one async method, as an `async` method of C#
/// on .NET 11 is, and a call that completes allocates its Task alone.
[<AutoOpen>]
module Builders =

    /// Async code that returns a Task<'T>.
    let task = RuntimeTaskBuilder<OnCaptured>()

    /// Async code that returns a Task.
    let taskUnit = RuntimeTaskUnitBuilder<OnCaptured>()

    /// Async code that returns a ValueTask<'T>.
    let valueTask = RuntimeValueTaskBuilder<OnCaptured>()

    /// Async code that returns a ValueTask.
    let valueTaskUnit = RuntimeValueTaskUnitBuilder<OnCaptured>()

    /// Async code that returns a Task<'T>, never on the caller's SynchronizationContext or TaskScheduler.
    let backgroundTask = RuntimeBackgroundTaskBuilder<OnCaptured>()

    /// Async code that returns a Task, never on the caller's SynchronizationContext or TaskScheduler.
    let backgroundTaskUnit = RuntimeBackgroundTaskUnitBuilder<OnCaptured>()

    /// <summary>Async code that returns a Task of a Result: <c>let!</c> takes the value of an Ok, of anything that is
    /// awaited and of a Result itself, and an Error ends the code without an exception.</summary>
    let taskResult = AffineRuntimeTaskResultBuilder()

    /// <summary>Async code that returns a ValueTask of a Result: <c>let!</c> takes the value of an Ok, of anything that
    /// is awaited and of a Result itself, and an Error ends the code without an exception.</summary>
    let valueTaskResult = AffineRuntimeValueTaskResultBuilder()

    /// `taskResult` that never runs on the caller's SynchronizationContext or TaskScheduler.
    let backgroundTaskResult = AffineRuntimeBackgroundTaskResultBuilder()

    /// `taskResult` that ends in a list of Errors: `and!` collects those of all its operations. An operation with one Error
    /// is bound as a validation with that Error in its list.
    let taskValidation = AffineRuntimeTaskValidationBuilder()

    /// `valueTaskResult` that ends in a list of Errors: `and!` collects those of all its operations. An operation with one
    /// Error is bound as a validation with that Error in its list.
    let valueTaskValidation = AffineRuntimeValueTaskValidationBuilder()

/// The builders for code that belongs to no SynchronizationContext or TaskScheduler: every await continues off the captured one,
/// as with ConfigureAwait(false) in C#. A type that has ConfigureAwait but no GetAwaiter is awaited by ConfigureAwait(false).
module NonAffine =

    /// `task` off the captured context.
    let task = NonAffineRuntimeTaskBuilder()

    /// `taskUnit` off the captured context.
    let taskUnit = NonAffineRuntimeTaskUnitBuilder()

    /// `valueTask` off the captured context.
    let valueTask = NonAffineRuntimeValueTaskBuilder()

    /// `valueTaskUnit` off the captured context.
    let valueTaskUnit = NonAffineRuntimeValueTaskUnitBuilder()

    /// `backgroundTask` off the captured context.
    let backgroundTask = NonAffineRuntimeBackgroundTaskBuilder()

    /// `backgroundTaskUnit` off the captured context.
    let backgroundTaskUnit = NonAffineRuntimeBackgroundTaskUnitBuilder()

    /// `taskResult` off the captured context.
    let taskResult = NonAffineRuntimeTaskResultBuilder()

    /// `valueTaskResult` off the captured context.
    let valueTaskResult = NonAffineRuntimeValueTaskResultBuilder()

    /// `backgroundTaskResult` off the captured context.
    let backgroundTaskResult = NonAffineRuntimeBackgroundTaskResultBuilder()

    /// `taskValidation` off the captured context.
    let taskValidation = NonAffineRuntimeTaskValidationBuilder()

    /// `valueTaskValidation` off the captured context.
    let valueTaskValidation = NonAffineRuntimeValueTaskValidationBuilder()

    /// `step` off the captured context, for the builders of this module.
    let step = NonAffineStepBuilder()

/// The builders for recursion without a bound, such as an interpreter's: if the stack is nearly used up, the method continues on
/// another one. A call costs one more call of the runtime, which compares the stack's limit.
module Guarded =

    /// `task` for any depth of recursion.
    let task = GuardedRuntimeTaskBuilder()

    /// `taskUnit` for any depth of recursion.
    let taskUnit = GuardedRuntimeTaskUnitBuilder()

    /// `valueTask` for any depth of recursion.
    let valueTask = GuardedRuntimeValueTaskBuilder()

    /// `valueTaskUnit` for any depth of recursion.
    let valueTaskUnit = GuardedRuntimeValueTaskUnitBuilder()

    /// `backgroundTask` for any depth of recursion.
    let backgroundTask = GuardedRuntimeBackgroundTaskBuilder()

    /// `backgroundTaskUnit` for any depth of recursion.
    let backgroundTaskUnit = GuardedRuntimeBackgroundTaskUnitBuilder()

    /// `taskResult` for any depth of recursion.
    let taskResult = GuardedRuntimeTaskResultBuilder()

    /// `valueTaskResult` for any depth of recursion.
    let valueTaskResult = GuardedRuntimeValueTaskResultBuilder()

    /// `backgroundTaskResult` for any depth of recursion.
    let backgroundTaskResult = GuardedRuntimeBackgroundTaskResultBuilder()

    /// `taskValidation` for any depth of recursion.
    let taskValidation = GuardedRuntimeTaskValidationBuilder()

    /// `valueTaskValidation` for any depth of recursion.
    let valueTaskValidation = GuardedRuntimeValueTaskValidationBuilder()
