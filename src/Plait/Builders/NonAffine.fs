// Layer: builders. Builders of the same names that continue off the captured context. Users open them explicitly.
namespace Plait

open Plait.Kernel

/// The builders for code that belongs to no SynchronizationContext or TaskScheduler: every await continues off the
/// captured one, as with ConfigureAwait(false) in C#. A type that has ConfigureAwait but no GetAwaiter is awaited by
/// ConfigureAwait(false).
module NonAffine =

    /// `strand` off the captured context.
    let strand = StrandBuilder<Anywhere>()

    /// `pooledValueTask` off the captured context.
    let pooledValueTask = PooledValueTaskBuilder<Anywhere, Safe>()

    /// `pooledValueTaskUnit` off the captured context.
    let pooledValueTaskUnit = PooledValueTaskUnitBuilder<Anywhere, Safe>()

    /// `pooledTask` off the captured context.
    let pooledTask = PooledTaskBuilder<Anywhere, Safe>()

    /// `pooledTaskUnit` off the captured context.
    let pooledTaskUnit = PooledTaskUnitBuilder<Anywhere, Safe>()

    /// `valueTask` off the captured context.
    let valueTask = ValueTaskBuilder<Anywhere, Safe>()

    /// `valueTaskUnit` off the captured context.
    let valueTaskUnit = ValueTaskUnitBuilder<Anywhere, Safe>()

    /// `strandResult` off the captured context.
    let strandResult = StrandResultBuilder<Anywhere>()

    /// `pooledValueTaskResult` off the captured context.
    let pooledValueTaskResult = PooledValueTaskResultBuilder<Anywhere, Safe>()

    /// `taskResult` off the captured context.
    let taskResult = TaskResultBuilder<Anywhere, Safe>()

    /// `strandValidation` off the captured context.
    let strandValidation = StrandValidationBuilder<Anywhere>()

    /// `pooledValueTaskValidation` off the captured context.
    let pooledValueTaskValidation = PooledValueTaskValidationBuilder<Anywhere, Safe>()

    /// `taskValidation` off the captured context.
    let taskValidation = TaskValidationBuilder<Anywhere, Safe>()

    /// `stream` off the captured context.
    let stream = StreamBuilder<Anywhere>()

    /// The builders of `Plait.Tasks`. The sequence of a `for` needs a known type here.
    module Tasks =

        /// `task` off the captured context.
        let task = pooledTask

        /// `taskUnit` off the captured context.
        let taskUnit = pooledTaskUnit
