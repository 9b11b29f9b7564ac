// The effect: F#'s own `async`.
namespace Plait.Candidate

open System.Threading.Tasks

/// The type that evaluation returns.
type Effect<'a> = Async<'a>

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> = Async.AwaitTask running

    /// Starts on the calling thread.
    let start (work: Effect<'a>) : ValueTask<'a> =
        ValueTask<'a>(Async.StartImmediateAsTask work)

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects.
    let effect = async
