// The effect: IcedTasks' `valueTask`.
namespace Plait.Candidate

open System.Threading.Tasks
open IcedTasks

/// The type that evaluation returns.
type Effect<'a> = ValueTask<'a>

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects.
    let effect = IcedTasks.ValueTasks.ValueTasks.ValueTaskBuilder.valueTask

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> = effect { return! running }

    /// It has started already.
    let start (work: Effect<'a>) : ValueTask<'a> = work
