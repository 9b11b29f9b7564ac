// The effect: IcedTasks' `cancellableValueTask`, a function of a token.
namespace Plait.Candidate

open System.Threading.Tasks
open System.Threading
open IcedTasks

/// The type that evaluation returns.
type Effect<'a> = CancellableValueTask<'a>

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects.
    let effect = cancellableValueTask

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> = effect { return! running }

    /// Starts with a token that is never cancelled.
    let start (work: Effect<'a>) : ValueTask<'a> = work CancellationToken.None
