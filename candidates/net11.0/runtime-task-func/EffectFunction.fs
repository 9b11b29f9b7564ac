// Layer: effect. Functions as values are AsyncFuncs, whose call in runtime-async code makes no Task.
namespace Plait.Candidate

open System.Threading.Tasks
open Plait.RuntimeAsync

/// A function as a value.
type EffectFunction<'a, 'b> = AsyncFunc<'a, 'b>

/// The type that such a function returns.
type FunctionEffect<'b> = ValueTask<'b>

/// The builder of such functions.
[<AutoOpen>]
module FunctionEffectBuilder =
    /// Writes functions that are held as values.
    let functionEffect = valueTask

/// Making such values, and calling them.
module EffectFunction =
    /// Of a lambda that calls a named function.
    let inline ofNamed ([<InlineIfLambda>] f: 'a -> FunctionEffect<'b>) : EffectFunction<'a, 'b> =
        AsyncFunc.ofFun (fun argument -> f argument)

    /// Calls it.
    let inline call (f: EffectFunction<'a, 'b>) (argument: 'a) : FunctionEffect<'b> = f.Invoke argument
