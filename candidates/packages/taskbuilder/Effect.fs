// The effect: the `task` of TaskBuilder.fs 2, V2.ContextSensitive.
namespace Plait.Candidate

open System.Threading.Tasks
open FSharp.Control.Tasks

/// The type that evaluation returns.
type Effect<'a> = Task<'a>

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects.
    let effect = V2.ContextSensitive.task

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> = running

    /// It has started already.
    let start (work: Effect<'a>) : ValueTask<'a> = ValueTask<'a> work
