// The figures of a load run that reports give, and the words for what became of requests.
module Plait.Load.AttackFigures


open System


/// The word for a fate in texts and files.
let fateName (fate: Fate) : string =
    match fate with
    | Fate.Right -> "right"
    | Fate.WrongStatus -> "wrong status"
    | Fate.WrongBody -> "wrong body"
    | Fate.Refused -> "refused"
    | Fate.Reset -> "reset"
    | Fate.Closed -> "closed"
    | Fate.TimedOut -> "timed out"
    | Fate.Garbage -> "garbage"
    | Fate.Tls -> "tls"
    | Fate.Unsent -> "unsent"
    | other -> $"fate {int other}"

/// All fates, in their order.
let fates: Fate list = Enum.GetValues<Fate>() |> List.ofArray |> List.sort

/// The time in which requests were due: the duration, unless the run ended before.
let attackTime (outcome: Outcome) : TimeSpan =
    if outcome.Stopped || outcome.Elapsed < outcome.Plan.Duration then
        outcome.Elapsed
    else
        outcome.Plan.Duration

let private per (count: int64) (span: TimeSpan) =
    if span > TimeSpan.Zero then float count / span.TotalSeconds else 0.0

/// Requests a second that were due.
let rate (outcome: Outcome) : float =
    per outcome.Requests (attackTime outcome)

/// Right responses a second, until the last one was there.
let throughput (outcome: Outcome) : float = per outcome.Right outcome.Elapsed

/// The share of requests that were answered rightly, 0 to 1.
let success (outcome: Outcome) : float =
    if outcome.Requests = 0L then 0.0 else float outcome.Right / float outcome.Requests
