// The effect: Plait's `pooledValueTask`, a pooled state machine behind a ValueTask.
namespace Plait.Candidate

open System.Threading.Tasks
open Plait

/// The type that evaluation returns.
type Effect<'a> = ValueTask<'a>

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects.
    let effect = pooledValueTask

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> = effect { return! running }

    /// It has started already.
    let start (work: Effect<'a>) : ValueTask<'a> = work
