// A library function of an evaluator whose evaluation is an effect.
using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;
using Plait.Lab.Language;

namespace Plait.Candidate;

/// <summary>A library function.</summary>
/// <param name="Signature">Its declaration.</param>
internal abstract record BuiltIn(Signature Signature);

/// <summary>A function that is called without a wrapper: it only computes.</summary>
internal sealed record SyncBuiltIn(
    Signature Signature,
    FSharpFunc<FSharpList<Dval>, FSharpResult<Dval, Unit>> Run) : BuiltIn(Signature);

/// <summary>A function that is called as an effect.</summary>
internal sealed record AsyncBuiltIn(
    Signature Signature,
    Func<FSharpList<Dval>, ValueTask<FSharpResult<Dval, Unit>>> Run) : BuiltIn(Signature);
