// The effect: Ply's `uply`, its own struct without the execution bubble.
namespace Plait.Candidate

open System.Threading.Tasks

/// The type that evaluation returns.
type Effect<'a> = Ply.Ply<'a>

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects.
    let effect = FSharp.Control.Tasks.Affine.Unsafe.uply

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> = effect { return! running }

    /// It has started already.
    let start (work: Effect<'a>) : ValueTask<'a> = Ply.TplPrimitives.runPly work
