// Pure: how far the clocks of the machines of several runs are apart, by the Dates of the server that all of them loaded. The server
// must be one process with one clock, which the files do not show. A Date is of whole seconds, and its change to the next one is an
// event that every generator sees between the sending of a request before it and the arrival of a response after it. The same event
// by two clocks is their difference, as precisely as both saw it.
module Plait.Load.ClockOffsets

open System

/// The bounds of a difference, in nanoseconds.
[<Struct>]
type Bounds =
    {
        Least: int64
        Most: int64
    }

    /// The clocks may be equal.
    member this.HasZero = this.Least <= 0L && this.Most >= 0L
    member this.Width = this.Most - this.Least
    member this.Middle = this.Least + this.Width / 2L

/// A difference that is known less precisely is no help to put seconds together.
let mostWidth = 1_000_000_000L

let private nanoseconds (time: DateTime) =
    (time - DateTime.UnixEpoch).Ticks * 100L

/// When the server's Date changed to each of them or a later one, by the clock of the run's machine: after the last request that
/// got an earlier one was sent, and before the first response with it was there.
let private changes (started: DateTime) (dates: ServerDate list) : Map<int64, Bounds> =
    let origin = nanoseconds started
    let dates = List.toArray dates
    let sent = dates |> Array.map _.LastSent |> Array.scan max Int64.MinValue
    let done' = Array.scanBack min (dates |> Array.map _.FirstDone) Int64.MaxValue

    Map.ofList
        [
            for at in 1 .. dates.Length - 1 do
                // Several servers behind one name, each with a clock of its own: it changed at some moment between the two.
                let one, other = sent[at], done'[at]
                dates[at].Unix, { Least = origin + min one other; Most = origin + max one other }
        ]

/// How far the clock of the second run is ahead of that of the first; None: their Dates do not show it.
let between (first: Outcome) (second: Outcome) : Bounds option =
    let ones, others =
        changes first.StartedUtc first.Dates, changes second.StartedUtc second.Dates

    let seen =
        [
            for KeyValue(date, one) in ones do
                match Map.tryFind date others with
                | Some other -> { Least = other.Least - one.Most; Most = other.Most - one.Least }
                | None -> ()
        ]

    if seen.IsEmpty then
        None
    else
        let least, most =
            seen |> List.map _.Least |> List.max, seen |> List.map _.Most |> List.min
        // They contradict each other where several servers answer, or a clock was set meanwhile: it is between the two then.
        Some { Least = min least most; Most = max least most }
