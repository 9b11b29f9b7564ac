// Layer: builders. Builders of the same names that do not restore the caller's contexts. Users open them explicitly.
namespace Plait

open Plait.Kernel

/// The builders without the execution bubble: a write of the body to an AsyncLocal before its first suspension may
/// reach the caller. After a suspension everything is as in `Plait`.
module Unsafe =

    /// `strand` that does not restore the caller's contexts; exceptions are still part of the result.
    let strand = UnsafeStrandBuilder<OnCaptured>()

    /// `pooledValueTask` that does not restore the caller's contexts; exceptions are still part of the result.
    let pooledValueTask = PooledValueTaskBuilder<OnCaptured, UnrestoredContexts>()

    /// `pooledValueTaskUnit` that does not restore the caller's contexts; exceptions are still part of the result.
    let pooledValueTaskUnit =
        PooledValueTaskUnitBuilder<OnCaptured, UnrestoredContexts>()

    /// `pooledTask` that does not restore the caller's contexts; exceptions are still part of the result.
    let pooledTask = PooledTaskBuilder<OnCaptured, UnrestoredContexts>()

    /// `pooledTaskUnit` that does not restore the caller's contexts; exceptions are still part of the result.
    let pooledTaskUnit = PooledTaskUnitBuilder<OnCaptured, UnrestoredContexts>()

    /// `valueTask` that does not restore the caller's contexts; exceptions are still part of the result.
    let valueTask = ValueTaskBuilder<OnCaptured, UnrestoredContexts>()

    /// `valueTaskUnit` that does not restore the caller's contexts; exceptions are still part of the result.
    let valueTaskUnit = ValueTaskUnitBuilder<OnCaptured, UnrestoredContexts>()

    /// The strand that neither restores contexts nor catches exceptions.
    module Bare =

        /// `strand` that neither restores contexts nor catches exceptions: an exception before the first suspension
        /// is thrown at the call. A synchronous `return!` runs in constant stack in optimised builds.
        let strand = BareStrandBuilder<OnCaptured>()
