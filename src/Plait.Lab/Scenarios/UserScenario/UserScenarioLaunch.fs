// A launch of a user's scenario: a fresh base, and every row in pairs of slices of load against it.
module internal Plait.Lab.Scenarios.UserScenarioLaunch

open System


open Plait.Load
open Plait.Lab.Measure

let private noteErrors (row: RowRun) (slice: Slice) (outcome: Outcome) =
    if slice.Errors.Total > 0L then
        let complaint =
            match Map.toList outcome.Complaints with
            | (_, first) :: _ -> $"; {first}"
            | [] -> ""

        row.Fail $"{slice.Errors.Total} responses did not count{complaint}"

let private warmSlice = 250

/// What a run of a user's scenario shares.
type Own =
    {
        File: ScenarioFile
        Context: Context
        Client: AttackProcess
        Expected: UserScenarioCheck.Expected
        Ports: Map<string, int>
        Variants: Map<string, UserScenarioRows.Variant>
        Gathered: Map<string, UserScenarioResults.Gathered>
    }

let private wantsCounters (file: ScenarioFile) =
    List.contains "bytes" file.Metrics || List.contains "counters" file.Metrics

/// A fresh process of a row, right and warm.
let private prepare (own: Own) (row: RowRun) : RunningProgram =
    let variant = own.Variants[row.Plan.Id]

    let served =
        RunningProgram.start own.Context (wantsCounters own.File) row.Plan.Id variant.Program variant.More own.Ports

    try
        row.Introduction <- Some served.Introduction
        own.Gathered[row.Plan.Id].Blind <- served.Blind
        UserScenarioCheck.check own.File own.Context.Settings.PatienceMilliseconds row own.Expected served

        let take () =
            UserScenarioLoad.slice own.Context own.Client own.File own.Expected served false warmSlice |> fst

        if not (Launch.warmUp own.Context own.Context.Settings.HttpWarmUp take) then
            row.NotFlat <- row.NotFlat + 1

        served
    with _ ->
        (served :> IDisposable).Dispose()
        reraise ()

let private keepCounters (own: Own) (row: RowRun) (served: RunningProgram) =
    match served.Counters with
    | Some counters when List.contains "counters" own.File.Metrics ->
        own.Gathered[row.Plan.Id].Counted <- counters.Readings
    | _ -> ()

let private measure
    (own: Own)
    launch
    (ground: RunningProgram)
    (baseRow: RowRun)
    (baseLaunch: LaunchRun)
    (row: RowRun)
    =
    let context = own.Context
    context.Tell(Doing(row.Plan.Id, launch, Phase.overHttp))
    let pairsOf = row.Launch()
    use served = prepare own row

    let take isCandidate =
        let whose, target = if isCandidate then row, served else baseRow, ground

        let slice, outcome =
            UserScenarioLoad.slice
                context
                own.Client
                own.File
                own.Expected
                target
                (List.contains "bytes" own.File.Metrics)
                context.Settings.SliceMilliseconds

        UserScenarioResults.add own.Gathered[whose.Plan.Id] outcome
        noteErrors whose slice outcome
        slice

    Launch.pairs context row launch Phase.overHttp take (Launch.keep pairsOf.Http baseLaunch.Http)
    pairsOf.Finished.Add Phase.overHttp
    keepCounters own row served
    let ratio = pairsOf.Http |> Seq.map _.CpuRatio |> Statistics.median
    context.Tell(Did(row.Plan.Id, launch, Phase.overHttp, Some ratio))

/// One launch. `save` is called after every row.
let run (own: Own) (baseRow: RowRun) (others: RowRun list) (save: unit -> unit) launch =
    let context = own.Context
    context.Tell(Doing(baseRow.Plan.Id, launch, "starting the base"))
    let baseLaunch = baseRow.Launch()

    use ground = LaunchLoop.startBase context baseRow (fun () -> prepare own baseRow)
    context.Tell(Did(baseRow.Plan.Id, launch, "starting the base", None))

    // A row is one step: it is loaded, and nothing else.
    let step (_: RowRun) = 1

    LaunchLoop.launch context launch baseRow others step step save (fun row ->
        measure own launch ground baseRow baseLaunch row)

    keepCounters own baseRow ground
