// Pure: what the page and the terminal show of a run besides the rows.
module internal Plait.Lab.Scenarios.AdapterPanels

open Plait.Lab.Cards
open Plait.Load
open Plait.Report

/// What the run found: CPU for a request over the base's, and bytes beyond it.
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

/// What was asked.
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

    $"A library in F# hides a REST service behind a contract for C#: what does it cost a request how the library waits? The service answers with delay {Delay.show settings.Delay} and {failing}.{defects} Bytes are to be trusted first, then ratios of CPU; on one machine latencies show the machine."

/// The key figures.
let facts (rows: Row list) (cells: AdapterCell list) : Fact list =
    let bytes id title =
        rows
        |> List.tryFind (fun row -> row.Id = id)
        |> Option.bind _.Value(Figures.httpBytesOverBase)
        |> Option.map (fun bytes ->
            { Title = title; Figure = $"{bytes:F0} B"; Words = "over the base, a request" })

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

let private effectForest (effects: AdapterEffects.Effect list) : Panel =
    Panel.forest
        "effects-cpu"
        "CPU for a request with a defect on, over off"
        "Each defect of the published measurement by itself."
        (Panel.log "CPU ratio, on over off")
        None
        None
        [
            for effect in effects do
                match effect.Cpu with
                | Some ratio ->
                    { Item.Of(Defect.words effect.Defect, Family.Published, ratio) with
                        Note = Some $"measured on the route {effect.Route}"
                    }
                | None -> ()
        ]

/// All panels, in the order in which they are read.
let all
    (settings: AdapterSettings)
    capacity
    (plans: RowPlan list)
    (cells: AdapterCell list)
    (effects: AdapterEffects.Effect list)
    : Panel list =
    let loads = settings.Loads

    [
        if not effects.IsEmpty then
            AdapterTables.effects effects

            if effects |> List.exists _.Cpu.IsSome then
                effectForest effects

        if not cells.IsEmpty then
            yield! loads |> List.choose (AdapterCurves.percentilePanel capacity plans cells)

            yield!
                loads
                |> List.filter (function
                    | AsPublished _ -> true
                    | _ -> false)
                |> List.choose (AdapterCurves.timePanel capacity plans cells)

            AdapterTables.runs capacity plans loads cells

        AdapterPublishedTables.openPublished cells
        AdapterPublishedTables.closedPublished cells
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

                $"the load {AdapterCell.words capacity load} is not valid on {names} ({fact invalid.Head.Outcome.Invalid.Head}): its latencies are in the table and in no plot"

        let failed =
            cells
            |> List.collect (fun cell -> Map.toList cell.Outcome.Fates)
            |> List.filter (fun (fate, count) -> fate <> Fate.Right && count > 0L)
            |> List.groupBy fst

        for fate, counts in failed do
            let count = counts |> List.sumBy snd
            $"under the loads {count} requests ended as {fate}"
    ]
