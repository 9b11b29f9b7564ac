// Layer: builders. The builders under the same names with less care, opened on purpose.
namespace Plait

open Plait.Kernel

/// The builders without the bubble: what the body writes to an AsyncLocal before its first suspension may stay with the
/// caller. Everything behind a suspension is as in `Plait`.
module Unsafe =

    /// `strand` without the contexts; exceptions are still part of the result.
    let strand = UnsafeStrandBuilder<OnCaptured>()

    /// `pooledValueTask` without the contexts; synchronous exceptions surface at the call.
    let pooledValueTask = PooledValueTaskBuilder<OnCaptured, Bare>()

    /// `pooledValueTaskUnit` without the contexts; synchronous exceptions surface at the call.
    let pooledValueTaskUnit = PooledValueTaskUnitBuilder<OnCaptured, Bare>()

    /// `pooledTask` without the contexts; synchronous exceptions surface at the call.
    let pooledTask = PooledTaskBuilder<OnCaptured, Bare>()

    /// `pooledTaskUnit` without the contexts; synchronous exceptions surface at the call.
    let pooledTaskUnit = PooledTaskUnitBuilder<OnCaptured, Bare>()

    /// `valueTask` without the contexts; synchronous exceptions surface at the call.
    let valueTask = ValueTaskBuilder<OnCaptured, Bare>()

    /// `valueTaskUnit` without the contexts; synchronous exceptions surface at the call.
    let valueTaskUnit = ValueTaskUnitBuilder<OnCaptured, Bare>()

    /// The strand with nothing kept.
    module Bare =

        /// `strand` with nothing kept: no contexts; synchronous exceptions surface at the call; synchronous `return!`
        /// runs in constant stack in optimised builds.
        let strand = BareStrandBuilder<OnCaptured>()
