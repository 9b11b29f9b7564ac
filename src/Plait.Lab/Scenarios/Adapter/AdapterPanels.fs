// Pure: what the page and the terminal show of a run besides the rows.
module internal Plait.Lab.Scenarios.AdapterPanels

open Plait.Lab.Cards
open Plait.Load
open Plait.Report

let private http (rows: Row list) name =
    rows |> List.tryFind (fun row -> row.Id = name) |> Option.bind _.Http

let private over (rows: Row list) name =
    match http rows name, http rows AdapterRoutes.theBase with
    | Some part, Some ground ->
        Option.map2 (fun ours theirs -> ours - theirs) part.BytesPerRequest ground.BytesPerRequest
    | _ -> None

let private facts (settings: AdapterSettings) (rows: Row list) (cells: AdapterCell list) : Panel =
    let bytes name words =
        over rows name
        |> Option.map (fun bytes -> words, $"{bytes:F0} B", "over the base, a request")

    let invalid = cells |> List.filter (fun cell -> not cell.IsValid) |> List.length

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

    Panel.facts
        $"A library in F# hides a REST service behind a contract for C#: what does it cost a request how the library waits? The service answers with delay {Delay.show settings.Delay} and {failing}.{defects} Bytes are to be trusted first, then ratios of CPU; on one machine latencies show the machine."
        ([
            bytes "task" "An adapter by task"
            bytes "async" "An adapter by async, StartAsTask"
            bytes "strand" "An adapter by strand"
            match cells with
            | [] -> ()
            | _ ->
                Some(
                    "Valid loads",
                    $"{cells.Length - invalid} of {cells.Length}",
                    "the generator shares its core with the card service"
                )
         ]
         |> List.choose id)

let private bytesOver (rows: Row list) : Panel =
    Panel.bars
        "bytes-over-base"
        "Bytes for a request, over the base"
        "Allocated by the route's process beyond what the same work inline allocates."
        { Label = "bytes"; Scale = "linear" }
        [
            for row in rows do
                match over rows row.Id with
                | Some bytes when row.Family <> "base" ->
                    {
                        Label = row.Id
                        Family = row.Family
                        Value = System.Math.Round bytes
                        Low = None
                        High = None
                        Other = None
                        Note = None
                    }
                | _ -> ()
        ]

let private effectForest (effects: AdapterEffects.Effect list) : Panel =
    Panel.forest
        "effects-cpu"
        "CPU for a request with a defect on, over off"
        "Each defect of the published measurement by itself."
        { Label = "CPU ratio, on over off"; Scale = "log" }
        1.0
        [
            for effect in effects do
                match effect.Cpu with
                | Some ratio ->
                    {
                        Label = Defect.words effect.Defect
                        Family = "published"
                        Value = ratio.Median
                        Low = Some ratio.Low
                        High = Some ratio.High
                        Other = None
                        Note = Some $"measured on the route {effect.Route}"
                    }
                | None -> ()
        ]

/// All panels, in the order in which they are read.
let all
    (settings: AdapterSettings)
    capacity
    (plans: RowPlan list)
    (rows: Row list)
    (cells: AdapterCell list)
    (effects: AdapterEffects.Effect list)
    : Panel list =
    let loads = settings.Loads

    [
        facts settings rows cells

        match AdapterTables.costs rows with
        | Some table ->
            table
            bytesOver rows
        | None -> ()

        if not effects.IsEmpty then
            AdapterTables.effects settings.Pairs.Margin effects

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
