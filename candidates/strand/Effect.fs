// The effect: Plait's `strand`, as exact as a C# async method.
namespace Plait.Candidate

open System.Threading.Tasks
open Plait

/// The type that evaluation returns.
type Effect<'a> = Strand<'a>

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects.
    let effect = strand

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> = effect { return! running }

    /// It has started already.
    let start (work: Effect<'a>) : ValueTask<'a> = work.AsValueTask()
