// Ends a run in which no server takes connections: a second shows as much as a minute.
namespace Plait.Tool

open System.Threading

open Plait.Load

/// Watches the seconds of a run, and asks for its end when every request so far was refused. `stop`: the user's wish to end it.
type internal RefusedRun(stop: CancellationToken) =
    let halted = CancellationTokenSource.CreateLinkedTokenSource stop
    let mutable hasOther = false

    /// The run must end when this is cancelled.
    member _.Stop = halted.Token

    /// Every request was refused, and so the run was ended.
    member val IsEnded = false with get, set

    /// A second is over.
    member this.Tell(second: Second) : unit =
        let others =
            second.Failures |> Map.exists (fun result _ -> result <> RequestResult.Refused)

        hasOther <- hasOther || second.Right > 0L || others

        if
            not hasOther
            && second.Failed > 0L
            && second.InFlight = 0
            && not halted.IsCancellationRequested
        then
            this.IsEnded <- true
            halted.Cancel()

    interface System.IDisposable with
        member _.Dispose() = halted.Dispose()
