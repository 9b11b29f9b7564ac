// Layer: evaluator, wrapped. Functions as values are F# function values. A candidate whose folder has a file of this name is compiled
// with that one.
namespace Plait.Candidate

/// A function as a value.
type EffectFunction<'a, 'b> = 'a -> Effect<'b>

/// The type that such a function returns.
type FunctionEffect<'b> = Effect<'b>

/// The builder of such functions.
[<AutoOpen>]
module FunctionEffectBuilder =
    /// Writes functions that are held as values.
    let functionEffect = effect

/// Making such values, and calling them.
module EffectFunction =
    /// Of a lambda that calls a named function.
    let inline ofNamed ([<InlineIfLambda>] f: 'a -> FunctionEffect<'b>) : EffectFunction<'a, 'b> = f

    /// Calls it.
    let inline call (f: EffectFunction<'a, 'b>) (argument: 'a) : FunctionEffect<'b> = f argument
