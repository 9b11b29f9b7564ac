// Layer: evaluator, wrapped. A library function of an evaluator whose evaluation is an effect.
namespace Plait.Candidate

open Plait.Lab.Language

/// How a function is called.
type Implementation =
    /// Without a wrapper: it only computes.
    | Sync of PureFunction
    /// As an effect.
    | Async of EffectFunction<Dval list, Result<Dval, unit>>

/// A library function.
type BuiltIn =
    {
        /// Its declaration.
        Signature: Signature
        /// How it is called.
        Implementation: Implementation
    }

/// All library functions by name.
type Functions = Map<FnId, BuiltIn>
