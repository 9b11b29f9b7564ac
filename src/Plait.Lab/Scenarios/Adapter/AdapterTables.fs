// Pure: the tables of the scenario.
module internal Plait.Lab.Scenarios.AdapterTables

open System
open Plait.Lab.Load
open Plait.Lab.Measure
open Plait.Lab.Report

let private column title digits better : Column =
    { Title = title; Digits = digits; Better = better }

let private words title = column title None ""
let private figure title digits = column title (Some digits) ""

let private number (value: float) =
    if Double.IsFinite value then Panel.number value else Panel.nothing

let private optional (value: float option) =
    value |> Option.map number |> Option.defaultValue Panel.nothing

let private milliseconds (nanoseconds: int64) = float nanoseconds / 1e6

/// Right responses that took longer than 100 ms by the intended clock.
let slow (outcome: Outcome) : int64 =
    outcome.Intended.Buckets
    |> Seq.filter (fun bucket -> bucket.Lowest > 100_000_000L)
    |> Seq.sumBy _.Count

let private http (rows: Row list) name =
    rows |> List.tryFind (fun row -> row.Id = name) |> Option.bind _.Http

/// What an adapter costs, over the base.
let costs (rows: Row list) : Panel option =
    http rows AdapterRoutes.theBase
    |> Option.map (fun ground ->
        Panel.table
            "costs"
            "What a request costs, over the base"
            "Bytes and CPU of the route's process for a request, from pairs of slices with the base; closed load."
            [
                words "route"
                figure "B/request" 0
                figure "B over base" 0
                figure "CPU ratio" 2
                figure "low" 2
                figure "high" 2
                words "verdict"
                figure "requests/s %" 0
            ]
            [
                for row in rows do
                    match row.Http with
                    | Some part ->
                        [
                            Panel.text row.Id
                            optional part.BytesPerRequest
                            optional (
                                Option.map2
                                    (fun (ours: float) theirs -> ours - theirs)
                                    part.BytesPerRequest
                                    ground.BytesPerRequest
                            )
                            number part.CpuRatio.Median
                            number part.CpuRatio.Low
                            number part.CpuRatio.High
                            Panel.text (if row.Family = "base" then "base" else part.Verdict)
                            number part.RequestsPerSecondPercent.Median
                        ]
                    | None -> ()
            ])

let private inOrder (rows: RowPlan list) (loads: AdapterLoad list) (cells: AdapterCell list) =
    [
        for load in loads do
            for row in rows do
                yield! cells |> List.filter (fun cell -> cell.Load = load && cell.Route = row.Id)
    ]

let private failures (outcome: Outcome) = outcome.Requests - outcome.Right

/// Every load on every route.
let runs capacity (rows: RowPlan list) loads (cells: AdapterCell list) : Panel =
    Panel.table
        "loads"
        "Every load on every route"
        "Milliseconds from the intended start to the last byte, of right responses; the last p99 is from the actual sending. A run that is not valid is one in which the generator, which shares its core with the card service, was late or too busy: its figures are shown here and nowhere else."
        [
            words "load"
            words "route"
            figure "right/s" 0
            figure "mean" 3
            figure "p50" 3
            figure "p95" 3
            figure "p99" 3
            figure "max" 1
            figure "> 100" 0
            figure "p99 sent" 3
            figure "failed" 0
            figure "server %" 0
            figure "cards %" 0
            words "valid"
        ]
        [
            for cell in inOrder rows loads cells do
                let outcome = cell.Outcome
                let isAny = outcome.Right > 0L

                let some value =
                    if isAny then number value else Panel.nothing

                let at percent =
                    some (milliseconds (outcome.Intended.Percentile percent))

                [
                    Panel.text (AdapterCell.words capacity cell.Load)
                    Panel.text cell.Route
                    number outcome.RightPerSecond
                    some (outcome.Intended.Mean / 1e6)
                    at 50.0
                    at 95.0
                    at 99.0
                    some (milliseconds outcome.Intended.Max)
                    number (float (slow outcome))
                    some (milliseconds (outcome.Actual.Percentile 99.0))
                    number (float (failures outcome))
                    number (100.0 * cell.ServerBusy)
                    number (100.0 * cell.UpstreamBusy)
                    Panel.text (
                        if not cell.IsValid then "no"
                        elif not isAny then "no answer"
                        elif outcome.Stopped then "stopped"
                        else "yes"
                    )
                ]
        ]

let private valid (cells: AdapterCell list) load route =
    cells
    |> List.tryFind (fun cell ->
        cell.Load = load && cell.Route = route && cell.IsValid && cell.Outcome.Right > 0L)
    |> Option.map _.Outcome

/// The open loads beside what was published for them.
let openPublished (cells: AdapterCell list) : Panel =
    let pairs =
        [ "mean", 2; "p50", 2; "p95", 2; "p99", 2; "max", 0; "> 100", 0 ]
        |> List.collect (fun (name, digits) -> [ figure name digits; figure "ours" digits ])

    Panel.table
        "published-open"
        $"Published, and ours: {AdapterPublished.source}"
        "Milliseconds. Theirs: three minutes by vegeta on a laptop, ASP.NET Core 2.0, timed from the actual sending. Ours: valid runs alone, by the intended clock. The author says of theirs that it could not be reproduced later."
        (words "rate" :: words "route" :: pairs)
        [
            for theirs in AdapterPublished.openLoop do
                let ours = valid cells (AsPublished theirs.PerSecond) theirs.Route

                let pair published (read: Outcome -> float) =
                    [ number published; ours |> Option.map read |> optional ]

                let at percent (outcome: Outcome) =
                    milliseconds (outcome.Intended.Percentile percent)

                Panel.text $"{theirs.PerSecond:F0}/s"
                :: Panel.text theirs.Route
                :: List.concat
                    [
                        pair theirs.Mean (fun outcome -> outcome.Intended.Mean / 1e6)
                        pair theirs.P50 (at 50.0)
                        pair theirs.P95 (at 95.0)
                        pair theirs.P99 (at 99.0)
                        pair theirs.Max (fun outcome -> milliseconds outcome.Intended.Max)
                        pair (float theirs.Slow) (fun outcome -> float (slow outcome))
                    ]
        ]

/// The closed loads beside what was published.
let closedPublished (cells: AdapterCell list) : Panel =
    let ours connections route =
        valid cells (ClosedBy connections) route

    let rate (outcome: Outcome option) = outcome |> Option.map _.RightPerSecond

    let median (outcome: Outcome option) =
        outcome |> Option.map (fun outcome -> milliseconds (outcome.Actual.Percentile 50.0))

    Panel.table
        "published-closed"
        "Closed loads: published, and ours"
        $"{AdapterPublished.source}, by netling. Ours: 16 connections, and 64."
        [
            words "route"
            words "published as"
            figure "requests/s" 0
            figure "ours, 16" 0
            figure "ours, 64" 0
            figure "median ms" 3
            figure "ours, 16" 3
            figure "ours, 64" 3
        ]
        [
            for route, requests, middle, where in AdapterPublished.closedLoop do
                [
                    Panel.text route
                    Panel.text where
                    number requests
                    rate (ours 16 route) |> optional
                    rate (ours 64 route) |> optional
                    number middle
                    median (ours 16 route) |> optional
                    median (ours 64 route) |> optional
                ]
        ]

/// What the defects bring.
let effects (margin: float) (effects: AdapterEffects.Effect list) : Panel =
    Panel.table
        "effects"
        "What each defect of the original brings"
        "One route with the defect on, over the same with it off, from pairs of slices. Ratios of CPU for a request, and of requests/s."
        [
            words "defect"
            words "route"
            figure "B off" 0
            figure "B on" 0
            figure "CPU ratio" 2
            figure "low" 2
            figure "high" 2
            words "verdict"
            figure "req/s ratio" 2
            figure "low" 2
            figure "high" 2
        ]
        [
            for effect in effects do
                let ends (ratio: RatioResult option) =
                    [ ratio |> Option.map _.Median; ratio |> Option.map _.Low; ratio |> Option.map _.High ]
                    |> List.map optional

                [
                    [ Panel.text (Defect.words effect.Defect); Panel.text effect.Route ]
                    [ number effect.BytesOff; number effect.BytesOn ]
                    ends effect.Cpu
                    [
                        match effect.Cpu with
                        | Some ratio ->
                            Panel.text (Verdict.ofInterval margin ratio.Low ratio.High |> Verdict.word)
                        | None -> Panel.text "failed"
                    ]
                    ends effect.Rate
                ]
                |> List.concat
        ]
