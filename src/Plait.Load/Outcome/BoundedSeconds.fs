// The seconds of a run, however long it goes on, in a bounded room: the old ones are joined.
namespace Plait.Load

open System.Collections.Generic

/// Keeps at most so many stretches of time. When there is one more, two that follow each other become one: each pair in turn, from
/// the beginning on, so that no addition takes longer than another. For one thread at a time.
type internal BoundedSeconds(most: int) =
    let kept = List<Second>()
    let mutable next = 0

    let joined (one: Second) (other: Second) : Second =
        { OutcomeSum.second [ one; other ] with
            Seconds = one.Seconds + other.Seconds
            InFlight = other.InFlight
        }

    /// How many are kept of a run: two hours of single seconds.
    static member DefaultLimit = 7200

    /// The second behind all those before.
    member _.Add(second: Second) : unit =
        kept.Add second

        if kept.Count > most then
            kept[next] <- joined kept[next] kept[next + 1]
            kept.RemoveAt(next + 1)
            next <- if next + 2 < kept.Count then next + 1 else 0

    member _.ToList() : Second list = List.ofSeq kept
