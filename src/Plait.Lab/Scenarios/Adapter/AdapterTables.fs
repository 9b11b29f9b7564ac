// Pure: the tables of the scenario.
module internal Plait.Lab.Scenarios.AdapterTables

open Plait.Load
open Plait.Report

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
            Column.words "load"
            Column.words "route"
            Column.figure "right/s" 0
            Column.figure "mean" 3
            Column.figure "p50" 3
            Column.figure "p95" 3
            Column.figure "p99" 3
            Column.figure "max" 1
            Column.figure "> 100" 0
            Column.figure "p99 sent" 3
            Column.figure "failed" 0
            Column.figure "server %" 0
            Column.figure "cards %" 0
            Column.words "valid"
        ]
        [
            for cell in inOrder rows loads cells do
                let outcome = cell.Outcome
                let isAny = outcome.Right > 0L

                let some value =
                    if isAny then Panel.finite value else Panel.nothing

                let at percent =
                    some (Duration.milliseconds (outcome.Intended.Percentile percent))

                [
                    Panel.text (AdapterCell.words capacity cell.Load)
                    Panel.text cell.Route
                    Panel.finite outcome.RightPerSecond
                    some (outcome.Intended.Mean / 1e6)
                    at 50.0
                    at 95.0
                    at 99.0
                    some (Duration.milliseconds outcome.Intended.Max)
                    Panel.finite (float (AdapterCell.slow outcome))
                    some (Duration.milliseconds (outcome.Actual.Percentile 99.0))
                    Panel.finite (float (failures outcome))
                    Panel.finite (100.0 * cell.ServerBusy)
                    Panel.finite (100.0 * cell.UpstreamBusy)
                    Panel.text (
                        if not cell.IsValid then "no"
                        elif not isAny then "no answer"
                        elif outcome.Stopped then "stopped"
                        else "yes"
                    )
                ]
        ]

/// What the defects bring.
let effects (effects: AdapterEffects.Effect list) : Panel =
    Panel.table
        "effects"
        "What each defect of the original brings"
        "One route with the defect on, over the same with it off, from pairs of slices. Ratios of CPU for a request, and of requests/s."
        [
            Column.words "defect"
            Column.words "route"
            Column.figure "B off" 0
            Column.figure "B on" 0
            Column.figure "CPU ratio" 2
            Column.words "verdict"
            Column.figure "req/s ratio" 2
        ]
        [
            for effect in effects do
                [
                    Panel.text (Defect.words effect.Defect)
                    Panel.text effect.Route
                    Panel.finite effect.BytesOff
                    Panel.finite effect.BytesOn
                    Panel.measured effect.Cpu
                    match effect.Cpu with
                    | Some { Verdict = Some verdict } -> Panel.text (Verdict.word verdict)
                    | Some _ -> Panel.text "not judged"
                    | None -> Panel.text "failed"
                    Panel.measured effect.Rate
                ]
        ]
