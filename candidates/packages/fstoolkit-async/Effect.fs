// The effect: FsToolkit.ErrorHandling's `asyncResult`; nothing here ends in its Error.
namespace Plait.Candidate

open System.Threading.Tasks
open FsToolkit.ErrorHandling

/// The type that evaluation returns.
type Effect<'a> = Async<Result<'a, exn>>

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects.
    let effect = asyncResult

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> =
        async {
            let! value = Async.AwaitTask running
            return Ok value
        }

    /// Starts on the calling thread.
    let start (work: Effect<'a>) : ValueTask<'a> =
        let run =
            async {
                match! work with
                | Ok value -> return value
                | Error trouble -> return raise trouble
            }

        ValueTask<'a>(Async.StartImmediateAsTask run)
