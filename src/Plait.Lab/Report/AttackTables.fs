// Tables of load runs for the page: percentiles, and what became of the requests. One run or several.
module Plait.Lab.Report.AttackTables

open System.Globalization

open Plait.Lab.Load

let private ms (nanoseconds: int64) = float nanoseconds / 1e6
let private invariant = CultureInfo.InvariantCulture

let private column title digits better : Column =
    { Title = title; Digits = digits; Better = better }

/// The table of percentiles: a row for each, a column for each clock.
let percentiles (columns: (string * Histogram) list) : Panel =
    let rows: (string * (Histogram -> float)) list =
        [
            "shortest", (fun histogram -> ms histogram.Min)

            for percent in AttackToFile.percents |> List.filter (fun percent -> percent < 100.0) do
                percent.ToString("0.###", invariant) + " %",
                (fun histogram -> ms (histogram.Percentile percent))

            "longest", (fun histogram -> ms histogram.Max)
            "mean", (fun histogram -> histogram.Mean / 1e6)
            "standard deviation", (fun histogram -> histogram.Deviation / 1e6)
        ]

    Panel.table
        "percentile-table"
        "Percentiles"
        "In milliseconds, of right responses; lag of every request that was sent. Histograms keep three digits, the ends exactly."
        [
            column "share" None ""
            for title, _ in columns do
                column $"{title} (ms)" (Some 3) ""
        ]
        [
            for title, read in rows do
                [
                    Panel.text title
                    for _, histogram in columns do
                        if histogram.Count = 0L then Panel.nothing else Panel.number (read histogram)
                ]
        ]

/// The table of what became of the requests.
let fates (outcomes: (string * Outcome) list) : Panel =
    Panel.table
        "fates"
        "What became of the requests"
        "Every request that was due is in exactly one line."
        [
            if outcomes.Length > 1 then
                column "run" None ""

            column "fate" None ""
            column "requests" (Some 0) ""
            column "share (%)" (Some 3) ""
            column "what was wrong first" None ""
        ]
        [
            for run, outcome in outcomes do
                for fate in AttackText.fates do
                    match Map.tryFind fate outcome.Fates with
                    | Some count when count > 0L ->
                        [
                            if outcomes.Length > 1 then
                                Panel.text run

                            Panel.text (AttackText.fateName fate)
                            Panel.number (float count)
                            Panel.number (100.0 * float count / float outcome.Requests)
                            match Map.tryFind fate outcome.Complaints with
                            | Some complaint -> Panel.text complaint
                            | None -> Panel.nothing
                        ]
                    | _ -> ()
        ]
