// A load run as text in the shape of vegeta's report, with what vegeta does not tell: both clocks, how late the generator was,
// and what became of every request. Scripts that read vegeta's report read this one.
module Plait.Lab.Report.AttackText

open System
open System.Globalization

open Plait.Lab
open Plait.Lab.Load

let private invariant = CultureInfo.InvariantCulture
let private two (value: float) = value.ToString("F2", invariant)

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

let private latencies (histogram: Histogram) =
    // The mean is that of the classes' middles, which may lie beyond the ends when there are few.
    let mean =
        if histogram.Count = 0L then
            0L
        else
            Math.Clamp(int64 histogram.Mean, histogram.Min, histogram.Max)

    [
        histogram.Min
        mean
        histogram.Percentile 50.0
        histogram.Percentile 90.0
        histogram.Percentile 95.0
        histogram.Percentile 99.0
        histogram.Max
    ]
    |> List.map Duration.show
    |> String.concat ", "

let private bytes (total: int64) (requests: int64) =
    let mean = if requests = 0L then 0.0 else float total / float requests
    $"{total}, {two mean}"

/// Lines of cells with two spaces between the columns.
let private columns (rows: string list list) : string list =
    let width at =
        rows
        |> List.map (fun row -> if at + 1 < row.Length then row[at].Length else 0)
        |> List.max

    let widths =
        [ for at in 0 .. (rows |> List.map _.Length |> List.max) - 1 -> width at ]

    rows
    |> List.map (fun row ->
        row
        |> List.mapi (fun at cell -> if at + 1 < row.Length then cell.PadRight(widths[at] + 2) else cell)
        |> String.concat ""
        |> _.TrimEnd())

let private figures = "[min, mean, 50, 90, 95, 99, max]"

/// What became of the requests that were not answered rightly, and why.
let private errors (outcome: Outcome) =
    [
        for fate in fates do
            match Map.tryFind fate outcome.Fates with
            | Some count when count > 0L && fate <> Fate.Right ->
                match Map.tryFind fate outcome.Complaints with
                | Some complaint -> $"{fateName fate}: {count} ({complaint})"
                | None -> $"{fateName fate}: {count}"
            | _ -> ()
    ]

/// The report, with a line feed at the end.
let write (outcome: Outcome) : string =
    let attack = attackTime outcome
    let wait = outcome.Elapsed - attack

    let counted (pairs: (string * int64) list) =
        pairs |> List.map (fun (name, count) -> $"{name}:{count}") |> String.concat "  "

    [
        yield!
            columns
                [
                    [
                        "Requests"
                        "[total, rate, throughput]"
                        $"{outcome.Requests}, {two (rate outcome)}, {two (throughput outcome)}"
                    ]
                    [
                        "Duration"
                        "[total, attack, wait]"
                        [ outcome.Elapsed; attack; wait ] |> List.map Duration.showSpan |> String.concat ", "
                    ]
                    [ "Latencies"; figures; latencies outcome.Intended ]
                    [ "  from send"; figures; latencies outcome.Actual ]
                    [ "  lag"; figures; latencies outcome.Lag ]
                    [ "  own lag"; figures; latencies outcome.OwnLag ]
                    [ "Bytes In"; "[total, mean]"; bytes outcome.BytesIn outcome.Requests ]
                    [ "Bytes Out"; "[total, mean]"; bytes outcome.BytesOut outcome.Requests ]
                    [ "Success"; "[ratio]"; two (100.0 * success outcome) + "%" ]
                    [
                        "Status Codes"
                        "[code:count]"
                        outcome.Statuses
                        |> Map.toList
                        |> List.map (fun (status, count) -> string status, count)
                        |> counted
                    ]
                    [
                        "Fates"
                        "[name:count]"
                        outcome.Fates
                        |> Map.toList
                        |> List.map (fun (fate, count) -> fateName fate, count)
                        |> counted
                    ]
                ]
        "Error Set:"
        yield! errors outcome
        ""
        "Latencies count from the moment at which a request was due; 'from send' from its actual sending. 'lag' is the"
        "difference, for whatever reason; 'own lag' is the part of it in which the generator had a free connection."

        if outcome.Stopped then
            "Stopped before its time: these are the figures of what was done."

        for sentence in outcome.Invalid do
            $"INVALID: {sentence}"
    ]
    |> String.concat "\n"
    |> fun text -> text + "\n"

/// The buckets of a text such as "[0,1ms,2ms]", ascending, with 0 before them. `name` is for the sentence of BadInput.
let buckets (name: string) (text: string) : int64 list =
    let inner = text.Trim()

    if not (inner.StartsWith '[' && inner.EndsWith ']') || inner.Length < 3 then
        raise (BadInput $"{name}: '{text}' is no list of buckets; write it as [0,1ms,5ms,100ms]")

    let ends =
        inner.Substring(1, inner.Length - 2).Split ','
        |> List.ofArray
        |> List.map (Duration.parse name)

    if ends |> List.pairwise |> List.exists (fun (a, b) -> a >= b) then
        raise (BadInput $"{name}: the buckets of '{text}' do not ascend; write the smallest first")

    if ends.Head > 0L then 0L :: ends else ends

/// How many durations are in each bucket, as vegeta's hist report draws it. A class of the histogram that a border cuts
/// counts where its middle is.
let hist (buckets: int64 list) (histogram: Histogram) : string =
    let borders = Array.ofList buckets
    let counts = Array.zeroCreate<int64> borders.Length

    for bucket in histogram.Buckets do
        let middle = bucket.Lowest + (bucket.Highest - bucket.Lowest) / 2L

        let at =
            borders |> Array.findIndexBack (fun border -> border <= middle || border = 0L)

        counts[at] <- counts[at] + bucket.Count

    let bare (nanoseconds: int64) = Duration.show nanoseconds

    columns
        [
            [ "Bucket"; ""; "#"; "%"; "Histogram" ]
            for at in 0 .. borders.Length - 1 do
                let share =
                    if histogram.Count = 0L then 0.0 else float counts[at] / float histogram.Count

                let until = if at + 1 < borders.Length then bare borders[at + 1] else "+Inf"

                [
                    $"[{bare borders[at]},"
                    $"{until}]"
                    string counts[at]
                    two (100.0 * share) + "%"
                    String('#', int (share * 75.0))
                ]
        ]
    |> String.concat "\n"
    |> fun text -> text + "\n"
