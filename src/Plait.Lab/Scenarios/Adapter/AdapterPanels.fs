// Pure: the panels of a run on the page and the terminal, besides the rows.
module internal Plait.Lab.AdapterPanels

open Plait.Lab.Cards
open Plait.Load
open Plait.Common
open Plait.Report

/// The answer of the run: CPU for a request over the base's, and bytes beyond it.
let answer (rows: Row list) : string =
    let bytes =
        rows
        |> List.filter (fun row -> List.contains row.Id [ "strand"; "task"; "async" ])
        |> List.choose (fun row ->
            row.Value Figures.httpBytesOverBase |> Option.map (fun bytes -> $"{row.Id} {bytes:F0} B"))
        |> String.concat ", "

    match Answer.ofRows [ "strand"; "task"; "async" ] "the same work inline" rows with
    | "" -> ""
    | cost when bytes = "" -> cost
    | cost -> $"{cost.TrimEnd '.'}; beyond its bytes: {bytes}."

/// The task of the run.
let summary (settings: AdapterSettings) : string =
    let failing =
        if settings.ErrorRate = 0.0 then
            "fails no request"
        else
            $"fails {100.0 * settings.ErrorRate:F1} %% of its requests"

    let defects =
        match settings.Defects |> List.map Defect.words with
        | [] -> ""
        | on ->
            let on = String.concat ", " on
            $" Every route has these defects of the original: {on}."

    $"A library in F# hides a REST service behind a contract for C#. This run compares the cost of a request with each way in which the library can wait. The service answers with delay {Delay.show settings.Delay} and {failing}.{defects} Trust bytes first, then ratios of CPU; latencies depend on the machine."

/// The key figures.
let facts (rows: Row list) (cells: AdapterCell list) : Fact list =
    let bytes id title =
        rows
        |> List.tryFind (fun row -> row.Id = id)
        |> Option.bind _.Find(Figures.httpBytesOverBase)
        |> Option.filter (fun bytes -> not bytes.IsNotJudged)
        |> Option.map (fun bytes ->
            { Title = title; Figure = $"{bytes.Value:F0} B"; Words = "over the base, a request" })

    let invalid = cells |> List.filter (fun cell -> not cell.IsValid) |> List.length

    [
        yield!
            List.choose
                id
                [
                    bytes "task" "An adapter by task"
                    bytes "async" "An adapter by async, StartAsTask"
                    bytes "strand" "An adapter by strand"
                ]

        if not cells.IsEmpty then
            {
                Title = "Valid loads"
                Figure = $"{cells.Length - invalid} of {cells.Length}"
                Words = "the generator shares its core with the card service"
            }
    ]

let private validOf (rows: RowPlan list) (cells: AdapterCell list) load =
    [
        for row in rows do
            for cell in cells do
                if cell.Load = load && cell.Route = row.Id && cell.IsValid && cell.Outcome.Right > 0L then
                    row, cell.Outcome
    ]

let private lineOf (row: RowPlan) (points: float[][]) : Series =
    let style =
        if row.Candidate.Family = Family.Control then Style.Dashed else Style.Line

    Panel.series style row.Id row.Candidate.Family points

/// The percentile curves of a load.
let private percentiles capacity load (valid: (RowPlan * Outcome) list) : Panel =
    [ for row, outcome in valid -> lineOf row (LatencyPanels.curve outcome.Counts.Intended) ]
    |> Panel.percentiles
        $"percentiles-{AdapterCell.anchor load}"
        $"Latency, {AdapterCell.words capacity load}"
        "Latency from the intended start to the last byte; in a closed load it is from the sending, and shows stalls of the server less. A tail here is partly chance: base-again is the base once more."
        LatencyPanels.latency

/// Parts of the time on a panel over time.
let private parts = 60

// The longest latency in each part, at its middle.
let private longest (outcome: Outcome) : float[][] =
    let width = outcome.Elapsed.TotalSeconds / float parts

    outcome.Samples
    |> Array.filter (fun sample -> sample.Result = RequestResult.Right)
    |> Array.groupBy (fun sample -> min (parts - 1) (int (float sample.Intended / 1e9 / width)))
    |> Array.sortBy fst
    |> Array.map (fun (part, samples) ->
        let longest =
            samples |> Array.map (fun sample -> sample.Done - sample.Intended) |> Array.max

        [| (float part + 0.5) * width; Duration.milliseconds longest |])

/// The longest latencies of a load over time.
let private overTime capacity load (valid: (RowPlan * Outcome) list) : Panel =
    [ for row, outcome in valid -> { lineOf row (longest outcome) with Of = outcome.Samples.Length } ]
    |> Panel.lines
        $"time-{AdapterCell.anchor load}"
        $"Latency over time, {AdapterCell.words capacity load}"
        $"The longest latency by the intended clock in each of {parts} parts of the run."
        LatencyPanels.time
        LatencyPanels.latency

/// All panels, in the order in which they are read. Loads that nothing valid was measured of have no plot.
let all
    (settings: AdapterSettings)
    capacity
    (plans: RowPlan list)
    (cells: AdapterCell list)
    (effects: Row list)
    : Panel list =
    let loads =
        settings.Loads
        |> List.map (fun load -> load, validOf plans cells load)
        |> List.filter (fun (_, valid) -> not valid.IsEmpty)

    [
        yield! AdapterEffects.panels effects

        for load, valid in loads do
            percentiles capacity load valid

        for load, valid in loads do
            if load.IsAsPublished then
                overTime capacity load valid

        if not cells.IsEmpty then
            AdapterTables.runs capacity plans settings.Loads cells

        AdapterTables.openPublished cells
        AdapterTables.closedPublished cells
    ]

/// Warnings about loads whose figures are not relied on: one for each load.
let warnings capacity (settings: AdapterSettings) (cells: AdapterCell list) : string list =
    // the fact stands before the advice
    let fact (reason: string) =
        reason.Split([| ": "; "; " |], 2, System.StringSplitOptions.None)[0]

    [
        for load in settings.Loads do
            match cells |> List.filter (fun cell -> cell.Load = load && not cell.IsValid) with
            | [] -> ()
            | invalid ->
                let names = invalid |> List.map _.Route |> String.concat ", "

                $"the load {AdapterCell.words capacity load} is not valid on {names} ({fact invalid.Head.Outcome.Doubts.Head}): its latencies are in the table and in no plot"

        let failed =
            cells
            |> List.collect (fun cell -> Map.toList cell.Outcome.Results)
            |> List.filter (fun (result, count) -> result <> RequestResult.Right && count > 0L)
            |> List.groupBy fst

        for result, counts in failed do
            let count = counts |> List.sumBy snd
            $"under the loads {count} requests ended as {Outcome.resultName result}"
    ]
