// Layer: builders. The builders under the same names with less care, opened on purpose.
namespace Plait

open Plait.Kernel

/// The builders without the bubble: what the body writes to an AsyncLocal before its first suspension may stay with the
/// caller. Everything behind a suspension is as in `Plait`.
module Unsafe =

    /// `strand` without the contexts; exceptions are still part of the result.
    let strand = UnsafeStrandBuilder<OnCaptured>()

    /// `pooledValueTask` without the contexts; exceptions are still part of the result.
    let pooledValueTask = PooledValueTaskBuilder<OnCaptured, Leaking>()

    /// `pooledValueTaskUnit` without the contexts; exceptions are still part of the result.
    let pooledValueTaskUnit = PooledValueTaskUnitBuilder<OnCaptured, Leaking>()

    /// `pooledTask` without the contexts; exceptions are still part of the result.
    let pooledTask = PooledTaskBuilder<OnCaptured, Leaking>()

    /// `pooledTaskUnit` without the contexts; exceptions are still part of the result.
    let pooledTaskUnit = PooledTaskUnitBuilder<OnCaptured, Leaking>()

    /// `valueTask` without the contexts; exceptions are still part of the result.
    let valueTask = ValueTaskBuilder<OnCaptured, Leaking>()

    /// `valueTaskUnit` without the contexts; exceptions are still part of the result.
    let valueTaskUnit = ValueTaskUnitBuilder<OnCaptured, Leaking>()

    /// The strand with nothing kept.
    module Bare =

        /// `strand` with nothing kept: no contexts; synchronous exceptions surface at the call; synchronous `return!`
        /// runs in constant stack in optimised builds.
        let strand = BareStrandBuilder<OnCaptured>()
