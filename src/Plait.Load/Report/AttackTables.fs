// Tables of load runs for the page: percentiles, and what became of the requests. One run or several.
module Plait.Load.AttackTables

open Plait.Report

open System.Globalization


let private invariant = CultureInfo.InvariantCulture


/// The table of percentiles: a row for each, a column for each clock.
let percentiles (columns: (string * Histogram) list) : Panel =
    let rows: (string * (Histogram -> float)) list =
        [
            "shortest", (fun histogram -> Duration.milliseconds histogram.Min)

            for percent in AttackToFile.percents |> List.filter (fun percent -> percent < 100.0) do
                percent.ToString("0.###", invariant) + " %",
                (fun histogram -> Duration.milliseconds (histogram.Percentile percent))

            "longest", (fun histogram -> Duration.milliseconds histogram.Max)
            "mean", (fun histogram -> histogram.Mean / 1e6)
            "standard deviation", (fun histogram -> histogram.Deviation / 1e6)
        ]

    Panel.table
        "percentile-table"
        "Percentiles"
        "In milliseconds, of right responses; lag of every request that was sent. Histograms keep three digits, the ends exactly."
        [
            Column.words "share"
            for title, _ in columns do
                Column.figure $"{title} (ms)" 3
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
                Column.words "run"

            Column.words "fate"
            Column.figure "requests" 0
            Column.figure "share (%)" 3
            Column.words "what was wrong first"
        ]
        [
            for run, outcome in outcomes do
                for fate in AttackFigures.fates do
                    match Map.tryFind fate outcome.Fates with
                    | Some count when count > 0L ->
                        [
                            if outcomes.Length > 1 then
                                Panel.text run

                            Panel.text (AttackFigures.fateName fate)
                            Panel.number (float count)
                            Panel.number (100.0 * float count / float outcome.Requests)
                            match Map.tryFind fate outcome.Complaints with
                            | Some complaint -> Panel.text complaint
                            | None -> Panel.nothing
                        ]
                    | _ -> ()
        ]
