// The seconds of a run of any length in a list of bounded length: old seconds are joined to longer stretches.
namespace Plait.Load

open System.Collections.Generic

/// Keeps at most `most` stretches of time. Above that, each addition joins one pair of neighbours, from the oldest pair on. For one
/// thread at a time.
type internal BoundedSeconds(most: int) =
    let kept = List<Second>()
    let mutable next = 0

    let joined (one: Second) (other: Second) : Second =
        { OutcomeSum.second [ one; other ] with
            Seconds = one.Seconds + other.Seconds
            InFlight = other.InFlight
        }

    /// The limit for a run: two hours of single seconds.
    static member DefaultLimit = 7200

    /// Adds the next second of the run.
    member _.Add(second: Second) : unit =
        kept.Add second

        if kept.Count > most then
            kept[next] <- joined kept[next] kept[next + 1]
            kept.RemoveAt(next + 1)
            next <- if next + 2 < kept.Count then next + 1 else 0

    member _.ToList() : Second list = List.ofSeq kept
