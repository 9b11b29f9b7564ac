// Pure: the tables of the scenario: every load on every route, and published figures beside measured ones. Published was
// "The curious case of Async vs. Task": ASP.NET Core 2.0, an adapter over HttpClient, vegeta for three minutes a run,
// netling with 16 threads for 120 seconds.
module internal Plait.Lab.AdapterTables

open Plait.Load
open Plait.Report

let private columns capacity : LoadFigure<AdapterCell> list =
    let run (title: string) (figure: LoadFigure<Outcome>) =
        figure.From(fun (cell: AdapterCell) -> cell.Outcome).Titled title

    let latency title (figure: LoadFigure<Histogram>) =
        run title (figure.From _.Counts.Intended)

    [
        LoadFigures.words "load" (fun cell -> AdapterCell.words capacity cell.Load)
        LoadFigures.words "route" _.Route
        LoadFigures.words "valid" (fun cell ->
            if not cell.IsValid then "no"
            elif cell.Outcome.Right = 0L then "no answer"
            elif cell.Outcome.Stopped then "stopped"
            else "yes")
        run "right/s" LoadFigures.rightPerSecond
        latency "mean" LoadFigures.mean
        latency "p50" (LoadFigures.percentile 50.0)
        latency "p95" (LoadFigures.percentile 95.0)
        latency "p99" (LoadFigures.percentile 99.0)
        latency "max" LoadFigures.longest
        latency "> 100" LoadFigures.slow
        run "p99 sent" (LoadFigures.percentile(99.0).From _.Counts.Actual)
        run "failed" LoadFigures.failed
        (LoadFigures.share "serverBusy" "" 0 "the share of its core that the route used" _.ServerBusy).Titled
            "server %"
        (LoadFigures.share "cardsBusy" "" 0 "the share of a core that the card service used" _.UpstreamBusy)
            .Titled
            "cards %"
    ]

/// Every load on every route.
let runs capacity (rows: RowPlan list) loads (cells: AdapterCell list) : Panel =
    LoadTable.panel
        "loads"
        "Every load on every route"
        "Milliseconds from the intended start to the last byte, of right responses; the last p99 is from the actual sending. In a run that is not valid, the generator was late or too busy (it shares its core with the card service); its figures are in this table alone."
        (columns capacity)
        [
            for load in loads do
                for row in rows do
                    yield! cells |> List.filter (fun cell -> cell.Load = load && cell.Route = row.Id)
        ]

let private source = "The curious case of Async vs. Task (2018)"

/// The columns that vegeta's runs have: their titles and decimals, and how they are read of ours.
let private ofVegeta: (string * int * LoadFigure<Histogram>) list =
    [
        "mean", 2, LoadFigures.mean
        "p50", 2, LoadFigures.percentile 50.0
        "p95", 2, LoadFigures.percentile 95.0
        "p99", 2, LoadFigures.percentile 99.0
        "max", 0, LoadFigures.longest
        "> 100", 0, LoadFigures.slow
    ]

/// The runs of vegeta: requests a second, a route, and those columns: latencies in milliseconds, and requests that took
/// longer than 100.
let private openLoop: (float * string * float list) list =
    [
        500.0, "base", [ 1.803; 1.687; 2.097; 4.066; 46.3; 0.0 ]
        500.0, "async", [ 2.100; 1.783; 2.480; 6.617; 177.2; 43.0 ]
        500.0, "task", [ 1.867; 1.706; 2.200; 5.282; 45.9; 0.0 ]
        1000.0, "base", [ 4.568; 2.364; 11.884; 63.039; 176.0; 594.0 ]
        1000.0, "async", [ 5.083; 2.471; 13.678; 71.452; 189.2; 709.0 ]
        1000.0, "task", [ 3.576; 2.075; 7.433; 44.011; 150.2; 197.0 ]
    ]

/// The runs of netling: a route, requests a second, median milliseconds, and which program it was.
let private closedLoop: (string * float * float * string) list =
    [
        "base", 1524.0, 8.740, "re-creation, 16 threads"
        "async", 1499.0, 8.866, "re-creation, 16 threads"
        "task", 1523.0, 8.772, "re-creation, 16 threads"
        "async", 20148.0, 0.586, "original program"
        "task", 20583.0, 0.571, "original program"
    ]

/// A figure of our valid run.
let private ours (cells: AdapterCell list) load route (figure: LoadFigure<Outcome>) : Cell =
    cells
    |> List.tryFind (fun cell ->
        cell.Load = load && cell.Route = route && cell.IsValid && cell.Outcome.Right > 0L)
    |> Option.bind (fun cell -> figure.Value cell.Outcome)
    |> Panel.optional

/// The open loads beside the published figures.
let openPublished (cells: AdapterCell list) : Panel =
    Panel.table
        "published-open"
        $"Published, and ours: {source}"
        "Milliseconds. Theirs: three minutes by vegeta on a laptop, ASP.NET Core 2.0, timed from the actual sending. Ours: valid runs alone, by the intended clock. Their author could not reproduce their figures later."
        [
            Column.words "rate"
            Column.words "route"
            for title, digits, _ in ofVegeta do
                Column.figure "theirs" digits |> Column.under title
                Column.figure "ours" digits |> Column.under title |> Column.ours
        ]
        [
            for perSecond, route, figures in openLoop do
                [
                    Panel.text $"{perSecond:F0}/s"
                    Panel.text route
                    for published, (_, _, figure) in List.zip figures ofVegeta do
                        Panel.number published
                        ours cells (AsPublished perSecond) route (figure.From _.Counts.Intended)
                ]
        ]

/// The closed loads beside the published figures.
let closedPublished (cells: AdapterCell list) : Panel =
    let median = LoadFigures.percentile(50.0).From _.Counts.Actual

    Panel.table
        "published-closed"
        "Closed loads: published, and ours"
        $"{source}, by netling. Ours: 16 connections, and 64."
        [
            Column.words "route"
            for group, digits in [ "requests/s", 0; "median ms", 3 ] do
                Column.figure "theirs" digits |> Column.under group

                for title in [ "ours, 16"; "ours, 64" ] do
                    Column.figure title digits |> Column.under group |> Column.ours
            Column.words "published as"
        ]
        [
            for route, requests, middle, where in closedLoop do
                [
                    Panel.text route
                    for published, figure in [ requests, LoadFigures.rightPerSecond; middle, median ] do
                        Panel.number published
                        ours cells (ClosedBy 16) route figure
                        ours cells (ClosedBy 64) route figure
                    Panel.text where
                ]
        ]
