// Pure: the tables of the scenario that put what was published beside what was measured.
module internal Plait.Lab.Scenarios.AdapterPublishedTables

open Plait.Load
open Plait.Report

let private valid (cells: AdapterCell list) load route =
    cells
    |> List.tryFind (fun cell ->
        cell.Load = load && cell.Route = route && cell.IsValid && cell.Outcome.Right > 0L)
    |> Option.map _.Outcome

/// The open loads beside what was published for them.
let openPublished (cells: AdapterCell list) : Panel =
    let pairs =
        [ "mean", 2; "p50", 2; "p95", 2; "p99", 2; "max", 0; "> 100", 0 ]
        |> List.collect (fun (name, digits) ->
            [
                Column.figure "theirs" digits |> Column.under name
                Column.figure "ours" digits |> Column.under name
            ])

    Panel.table
        "published-open"
        $"Published, and ours: {AdapterPublished.source}"
        "Milliseconds. Theirs: three minutes by vegeta on a laptop, ASP.NET Core 2.0, timed from the actual sending. Ours: valid runs alone, by the intended clock. The author says of theirs that it could not be reproduced later."
        (Column.words "rate" :: Column.words "route" :: pairs)
        [
            for theirs in AdapterPublished.openLoop do
                let ours = valid cells (AsPublished theirs.PerSecond) theirs.Route

                let pair published (read: Outcome -> float) =
                    [ Panel.finite published; ours |> Option.map read |> Panel.optional ]

                let at percent (outcome: Outcome) =
                    Duration.milliseconds (outcome.Intended.Percentile percent)

                Panel.text $"{theirs.PerSecond:F0}/s"
                :: Panel.text theirs.Route
                :: List.concat
                    [
                        pair theirs.Mean (fun outcome -> outcome.Intended.Mean / 1e6)
                        pair theirs.P50 (at 50.0)
                        pair theirs.P95 (at 95.0)
                        pair theirs.P99 (at 99.0)
                        pair theirs.Max (fun outcome -> Duration.milliseconds outcome.Intended.Max)
                        pair (float theirs.Slow) (fun outcome -> float (AdapterCell.slow outcome))
                    ]
        ]

/// The closed loads beside what was published.
let closedPublished (cells: AdapterCell list) : Panel =
    let ours connections route =
        valid cells (ClosedBy connections) route

    let rate (outcome: Outcome option) = outcome |> Option.map _.RightPerSecond

    let median (outcome: Outcome option) =
        outcome
        |> Option.map (fun outcome -> Duration.milliseconds (outcome.Actual.Percentile 50.0))

    Panel.table
        "published-closed"
        "Closed loads: published, and ours"
        $"{AdapterPublished.source}, by netling. Ours: 16 connections, and 64."
        [
            Column.words "route"
            Column.words "published as"
            for group, digits in [ "requests/s", 0; "median ms", 3 ] do
                for title in [ "theirs"; "ours, 16"; "ours, 64" ] do
                    Column.figure title digits |> Column.under group
        ]
        [
            for route, requests, middle, where in AdapterPublished.closedLoop do
                [
                    Panel.text route
                    Panel.text where
                    Panel.finite requests
                    rate (ours 16 route) |> Panel.optional
                    rate (ours 64 route) |> Panel.optional
                    Panel.finite middle
                    median (ours 16 route) |> Panel.optional
                    median (ours 64 route) |> Panel.optional
                ]
        ]
