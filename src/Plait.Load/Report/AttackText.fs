// A load run as text in the shape of vegeta's report, with what vegeta does not tell: both clocks, how late the generator was,
// and what became of every request. Scripts that read vegeta's report read this one.
module Plait.Load.AttackText

open System.Globalization

open Plait.Report

let private invariant = CultureInfo.InvariantCulture
let private two (value: float) = value.ToString("F2", invariant)

/// What vegeta tells of latencies, in its words.
let private told: (string * LoadFigure<Histogram>) list =
    [
        "min", LoadFigures.shortest
        "mean", LoadFigures.mean
        for percent in [ 50.0; 90.0; 95.0; 99.0 ] do
            string percent, LoadFigures.percentile percent
        "max", LoadFigures.longest
    ]

// Where there are none vegeta writes noughts.
let private latencies (name: string) (histogram: Histogram) : string list =
    let shown (figure: LoadFigure<Histogram>) =
        if histogram.Count = 0L then "0s" else figure.Text histogram

    let names = told |> List.map fst |> String.concat ", "
    [ name; $"[{names}]"; told |> List.map (snd >> shown) |> String.concat ", " ]

let private bytes (total: int64) (requests: int64) =
    let mean = if requests = 0L then 0.0 else float total / float requests
    $"{total}, {two mean}"

/// What became of the requests that were not answered rightly, and why.
let private errors (outcome: Outcome) =
    [
        for fate, count, complaint in Outcome.counted outcome do
            if fate <> Fate.Right then
                let why =
                    complaint |> Option.map (fun text -> $" ({text})") |> Option.defaultValue ""

                $"{Outcome.fateName fate}: {count}{why}"
    ]

/// The report, with a line feed at the end. Its table and sentences fit `width` columns; vegeta's lines are as long as
/// vegeta's.
let write (width: int) (outcome: Outcome) : string =
    let prose = Wrap.within width ""
    let wait = outcome.Elapsed - outcome.AttackTime

    let counted (pairs: (string * int64) list) =
        pairs |> List.map (fun (name, count) -> $"{name}:{count}") |> String.concat "  "

    [
        yield!
            TextTable.columns
                [
                    [
                        "Requests"
                        "[total, rate, throughput]"
                        $"{outcome.Requests}, {two outcome.RatePerSecond}, {two outcome.RightPerSecond}"
                    ]
                    [
                        "Duration"
                        "[total, attack, wait]"
                        [ outcome.Elapsed; outcome.AttackTime; wait ]
                        |> List.map Duration.showSpan
                        |> String.concat ", "
                    ]
                    latencies "Latencies" outcome.Intended
                    latencies "  from send" outcome.Actual
                    latencies "  lag" outcome.Lag
                    latencies "  own lag" outcome.GeneratorLag
                    [ "Bytes In"; "[total, mean]"; bytes outcome.BytesIn outcome.Requests ]
                    [ "Bytes Out"; "[total, mean]"; bytes outcome.BytesOut outcome.Requests ]
                    [ "Success"; "[ratio]"; two (100.0 * outcome.Success) + "%" ]
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
                        |> List.map (fun (fate, count) -> Outcome.fateName fate, count)
                        |> counted
                    ]
                ]
        "Error Set:"
        yield! errors outcome
        ""

        match StepTable.lines width outcome with
        | [] -> ()
        | lines ->
            yield!
                prose "Steps, with latencies from the intended start of the requests that were due in each:"

            yield! lines
            ""

        yield!
            prose
                "Latencies count from the moment at which a request was due; 'from send' from its actual sending. 'lag' is the difference, for whatever reason; 'own lag' is the part of it in which the generator had a free connection."

        if outcome.Stopped then
            yield! prose "Stopped before its time: these are the figures of what was done."

        for sentence in outcome.Invalid do
            yield! prose $"INVALID: {sentence}"
    ]
    |> String.concat "\n"
    |> fun text -> text + "\n"
