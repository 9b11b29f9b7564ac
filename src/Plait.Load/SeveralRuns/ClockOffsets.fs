// Pure: the difference of the clocks of two machines, by the Dates of the server that both loaded. The server must be one process with
// one clock, which the files do not show. A Date has whole seconds. Its change to the next second is an event: it lies between the
// sending of the last request with the old Date and the arrival of the first response with the new one. The times of one event by two
// clocks give bounds of their difference.
module Plait.Load.ClockOffsets

open System

/// The bounds of a difference, in nanoseconds.
[<Struct>]
type Bounds =
    {
        Low: int64
        High: int64
    }

    /// The clocks may be equal.
    member this.HasZero = this.Low <= 0L && this.High >= 0L
    member this.Width = this.High - this.Low
    member this.Middle = this.Low + this.Width / 2L

/// The widest bounds by which the seconds of two runs are put together.
let maxWidth = 1_000_000_000L

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
                dates[at].Unix, { Low = origin + min one other; High = origin + max one other }
        ]

/// How far the clock of the second run is ahead of that of the first; None: their Dates do not show it.
let between (first: Outcome) (second: Outcome) : Bounds option =
    let ones, others =
        changes first.StartedUtc first.Dates, changes second.StartedUtc second.Dates

    let seen =
        [
            for KeyValue(date, one) in ones do
                match Map.tryFind date others with
                | Some other -> { Low = other.Low - one.High; High = other.High - one.Low }
                | None -> ()
        ]

    if seen.IsEmpty then
        None
    else
        let least, most =
            seen |> List.map _.Low |> List.max, seen |> List.map _.High |> List.min
        // If several servers answered, or a clock was set meanwhile, the bounds contradict each other: the difference is between them.
        Some { Low = min least most; High = max least most }
