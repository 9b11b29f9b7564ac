// The effect: Ply's `vtask`.
namespace Plait.Candidate

open System.Threading.Tasks

/// The type that evaluation returns.
type Effect<'a> = ValueTask<'a>

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects.
    let effect = FSharp.Control.Tasks.Affine.vtask

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> = ValueTask<'a> running

    /// It has started already.
    let start (work: Effect<'a>) : ValueTask<'a> = work
