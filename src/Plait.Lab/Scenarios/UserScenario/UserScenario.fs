// Runs a user's scenario: services first, then launches of base and candidates in pairs of slices of load, by the same order,
// rule and statistics as every comparison.
module Plait.Lab.UserScenario

open System
open System.Collections.Generic
open System.Threading

open Plait.Load
open Plait.Lab.UserScenarioLoad
open Plait.Report

let private noteErrors (row: RowRun) (slice: Slice) (outcome: Outcome) =
    if slice.Errors.Total > 0L then
        let first =
            Outcome.complaint outcome |> Option.map ((+) "; ") |> Option.defaultValue ""

        row.Fail $"{slice.Errors.Total} responses did not count{first}"

let private warmSlice = 250

/// A fresh process of a row, right and warm.
let private prepare (shared: SharedContext) (row: RowRun) : RunningProgram =
    let context, file, variant =
        shared.Context, shared.File, shared.Variants[row.Plan.Id]

    let isCounted =
        file.Metrics
        |> List.exists (fun metric -> metric = ScenarioMetric.Bytes || metric = ScenarioMetric.Counters)

    let served =
        RunningProgram.start context isCounted row.Plan.Id variant.Program variant.More shared.Ports

    try
        row.Introduction <- Some served.Introduction
        shared.Observations[row.Plan.Id].NoCounters <- served.NoCounters

        RunningProgram.check file context.Settings.PatienceMilliseconds row shared.Expected served

        let take _ =
            slice shared served false warmSlice |> fst

        row.Warmed(Launch.warmUp context 0 context.Settings.HttpWarmUp take)
        served
    with _ ->
        (served :> IDisposable).Dispose()
        reraise ()

let private keepCounters (shared: SharedContext) (row: RowRun) (served: RunningProgram) =
    match served.Counters with
    | Some counters when List.contains ScenarioMetric.Counters shared.File.Metrics ->
        shared.Observations[row.Plan.Id].Counted <- counters.Readings
    | _ -> ()

let private measure
    (shared: SharedContext)
    launch
    (theBase: RunningProgram)
    (baseRow: RowRun)
    (baseLaunch: LaunchRun)
    (row: RowRun)
    =
    let context = shared.Context
    context.Tell(Doing(row.Plan.Id, launch, Word.ofCase Place.OverHttp))
    let pairsOf = row.Launch()
    use served = prepare shared row

    let take isCandidate =
        let whose, target = if isCandidate then row, served else baseRow, theBase

        let slice, outcome =
            slice
                shared
                target
                (List.contains ScenarioMetric.Bytes shared.File.Metrics)
                context.Settings.SliceMilliseconds

        add shared.Observations[whose.Plan.Id] outcome
        noteErrors whose slice outcome
        slice

    Launch.pairs context row launch Place.OverHttp take (Launch.keep pairsOf.Http baseLaunch.Http)
    pairsOf.Finished.Add Place.OverHttp
    keepCounters shared row served
    let ratio = pairsOf.Http |> Seq.map _.CpuRatio |> Statistics.median
    context.Tell(Did(row.Plan.Id, launch, Word.ofCase Place.OverHttp, Some ratio))

/// One launch. `save` is called after every row.
let private runLaunch
    (shared: SharedContext)
    (baseRow: RowRun)
    (others: RowRun list)
    (save: unit -> unit)
    launch
    =
    let context = shared.Context
    context.Tell(Doing(baseRow.Plan.Id, launch, "starting the base"))
    let baseLaunch = baseRow.Launch()

    use theBase =
        LaunchLoop.startBase context baseRow (fun () -> prepare shared baseRow)

    context.Tell(Did(baseRow.Plan.Id, launch, "starting the base", None))

    // A row is one step: it is loaded, and nothing else.
    let step (_: RowRun) = 1

    LaunchLoop.launch context launch baseRow others step step save (fun row ->
        measure shared launch theBase baseRow baseLaunch row)

    keepCounters shared baseRow theBase

let private scenario (file: ScenarioFile) : Scenario =
    {
        Name = file.Name
        Title = file.Title
        Base = file.Base
        Control = UserScenarioRows.control file
        Path = file.Requests.Head.Path
        Expected = ""
        ExpectedOf = Map.empty
        ToleratesErrors = false
        Wrappers = None
        Answer = Plait.Report.Answer.ofRows [] file.Base
        Panels = fun _ -> []
    }

/// Starts the services one after the other, each given the ports of those before.
let private startServices
    (context: Context)
    (file: ScenarioFile)
    (started: List<RunningProgram>)
    : Map<string, int> =
    (Map.empty, file.Services)
    ||> List.fold (fun ports service ->
        context.Tell(Doing(service.Name, 0, "starting"))
        let served = RunningProgram.start context false service.Name service [] ports
        started.Add served
        Map.add service.Name served.Port ports)

/// Runs the scenario. `generator`: the executable and arguments that become the load generator. The rest is as for any
/// comparison.
let run
    (file: ScenarioFile)
    (generator: string list)
    (command: string)
    (repository: string)
    (tell: Progress -> unit)
    (save: Results -> unit)
    (stop: CancellationToken)
    : Ending * Results =
    let variants = UserScenarioRows.variants file
    let rows = variants |> List.map (fst >> RowRun)
    let isBase (row: RowRun) = row.Plan.Id = file.Base
    let baseRow, others = rows |> List.find isBase, rows |> List.filter (isBase >> not)

    let observations = Map.ofList [ for row in rows -> row.Plan.Id, RowObservations() ]

    let request =
        {
            Settings = file.Settings
            Rows = variants |> List.map fst
            Generator = generator
            Command = command
            Repository = repository
        }

    let withPanels (results: Results) =
        { results with
            Panels = panels file rows observations
            Warnings = results.Warnings @ warnings observations
        }

    let measure (context: Context) save tellEnd =
        use client =
            AttackProcess.Start(generator, context.Placement.Client, file.Settings.PatienceMilliseconds)

        let started = List<RunningProgram>()

        try
            let shared: SharedContext =
                {
                    File = file
                    Context = context
                    Client = client
                    Expected = ExpectedAnswer()
                    Ports = startServices context file started
                    Variants = Map.ofList [ for plan, variant in variants -> plan.Id, variant ]
                    Observations = observations
                }

            let steps launches = launches * rows.Length
            context.Tell(Began(steps file.Settings.Launches))

            runLaunch shared baseRow others save |> LaunchLoop.run context others steps tellEnd
        finally
            for served in Seq.rev started do
                (served :> IDisposable).Dispose()

    let before = EnvironmentSnapshot.look repository
    let pace = TimeBudget(None, file.Settings.Launches * others.Length)
    Comparison.within (scenario file) request before pace rows withPanels (tell, save, stop) measure
