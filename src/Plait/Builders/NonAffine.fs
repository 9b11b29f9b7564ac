// Layer: builders. The builders under the same names whose waits go on anywhere, opened on purpose.
namespace Plait

open Plait.Kernel

/// The builders for code that belongs to no SynchronizationContext or TaskScheduler: every wait goes on off the captured
/// one, as with ConfigureAwait(false) in C#. What has only ConfigureAwait and no GetAwaiter is asked for that.
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

    /// The builders of `Plait.Tasks`. A sequence that `for` runs over must have a type here.
    module Tasks =

        /// `task` off the captured context.
        let task = pooledTask

        /// `taskUnit` off the captured context.
        let taskUnit = pooledTaskUnit
