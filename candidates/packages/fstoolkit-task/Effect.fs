// The effect: FsToolkit.ErrorHandling's `taskResult`; nothing here ends in its Error.
namespace Plait.Candidate

open System.Threading.Tasks
open FsToolkit.ErrorHandling

/// The type that evaluation returns.
type Effect<'a> = Task<Result<'a, exn>>

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects.
    let effect = taskResult

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> =
        task {
            let! value = running
            return Ok value
        }

    let private unwrap outcome =
        match outcome with
        | Ok value -> value
        | Error trouble -> raise trouble

    /// It has started already.
    let start (work: Effect<'a>) : ValueTask<'a> =
        if work.IsCompletedSuccessfully then
            ValueTask<'a>(unwrap work.Result)
        else
            ValueTask<'a>(
                task {
                    let! outcome = work
                    return unwrap outcome
                }
            )
