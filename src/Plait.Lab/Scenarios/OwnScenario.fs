// Running a user's scenario: services first, then launches of base and candidates in pairs of slices of load, by the same
// order, rule and statistics as every comparison.
module Plait.Lab.Scenarios.OwnScenario

open System
open System.Collections.Generic
open System.Threading

open Plait.Lab
open Plait.Lab.Load
open Plait.Lab.Measure
open Plait.Lab.Report

/// What one row runs.
type private Variant = { Program: Program'; More: FactorValue list }

/// What is gathered of a row besides pairs.
type private Gathered() =
    member val Intended = List<Histogram>()
    member val Actual = List<Histogram>()
    member val Counted: Counted list = [] with get, set
    member val Invalid = List<string>()
    member val Slices = 0 with get, set
    member val Blind: string option = None with get, set

let private combinations (factors: Factor list) : FactorValue list list =
    List.foldBack
        (fun (factor: Factor) rest ->
            [
                for value in factor.Values do
                    for others in rest do
                        value :: others
            ])
        factors
        [ [] ]

let private plan (id: string) (label: string) family order (program: Program') : RowPlan =
    {
        Id = id
        SyncFn = false
        Candidate =
            {
                Name = program.Name
                Label = label
                Family = family
                Library = None
                HasSyncFn = false
                Order = order
                Published = []
                Description = ""
                Assembly = program.Command
                Arguments = program.Arguments
                Absence = None
            }
        Switches = Switches.none
    }

/// The id of the control of a scenario.
let control (file: ScenarioFile) : string = file.Base + "-again"

let private variants (file: ScenarioFile) : (RowPlan * Variant) list =
    let firsts = file.Factors |> List.map (fun factor -> factor.Values.Head.Name)

    [
        for order, program in Seq.indexed file.Candidates do
            for more in combinations file.Factors do
                let changed =
                    List.zip firsts more
                    |> List.filter (fun (first, value) -> first <> value.Name)
                    |> List.map (fun (_, value) -> value.Name)

                let id = String.Join("+", program.Name :: changed)
                let label = String.Join(" + ", program.Label :: changed)
                let isBase = program.Name = file.Base && changed.IsEmpty
                // A base with another factor is a row like any other.
                let family =
                    if program.Family = "base" && not isBase then "fsharp" else program.Family

                plan id label family order program, { Program = program; More = more }

                if isBase then
                    plan (control file) (label + ", again") "control" order program,
                    { Program = program; More = more }
    ]

/// The ids of the rows that a scenario has.
let rows (file: ScenarioFile) : string list =
    variants file |> List.map (fun (plan, _) -> plan.Id)

let private scenario (file: ScenarioFile) : Scenario =
    {
        Name = file.Name
        Title = file.Title
        Base = file.Base
        Control = control file
        Path = file.Requests.Head.Path
        Expected = ""
        ExpectedOf = Map.empty
        ToleratesErrors = false
        Wrappers = None
        Published = []
        Panels = fun _ -> []
    }

let private gather (gathered: Gathered) (outcome: Outcome) =
    gathered.Intended.Add outcome.Intended
    gathered.Actual.Add outcome.Actual
    gathered.Slices <- gathered.Slices + 1

    if not outcome.Invalid.IsEmpty then
        gathered.Invalid.Add outcome.Invalid.Head

let private noteErrors (row: RowRun) (slice: Slice) (outcome: Outcome) =
    if slice.Errors.Total > 0L then
        let complaint =
            match Map.toList outcome.Complaints with
            | (_, first) :: _ -> $"; {first}"
            | [] -> ""

        row.Fail $"{slice.Errors.Total} responses did not count{complaint}"

let private warmSlice = 250

/// What a run of a user's scenario shares.
type private Own =
    {
        File: ScenarioFile
        Context: Context
        Client: AttackProcess
        Expected: OwnLoad.Expected
        Ports: Map<string, int>
        Variants: Map<string, Variant>
        Gathered: Map<string, Gathered>
    }

let private wantsCounters (file: ScenarioFile) =
    List.contains "bytes" file.Metrics || List.contains "counters" file.Metrics

/// A fresh process of a row, right and warm.
let private prepare (own: Own) (row: RowRun) : Served =
    let variant = own.Variants[row.Plan.Id]

    let served =
        Served.start own.Context (wantsCounters own.File) row.Plan.Id variant.Program variant.More own.Ports

    try
        row.Introduction <- Some served.Introduction
        own.Gathered[row.Plan.Id].Blind <- served.Blind
        OwnLoad.gate own.File own.Context.Settings.PatienceMilliseconds row own.Expected served

        let take () =
            OwnLoad.slice own.Context own.Client own.File own.Expected served false warmSlice |> fst

        if not (Launch.warmUp own.Context own.Context.Settings.HttpWarmUp take) then
            row.NotFlat <- row.NotFlat + 1

        served
    with _ ->
        (served :> IDisposable).Dispose()
        reraise ()

let private keepCounters (own: Own) (row: RowRun) (served: Served) =
    match served.Counters with
    | Some counters when List.contains "counters" own.File.Metrics ->
        own.Gathered[row.Plan.Id].Counted <- counters.Readings
    | _ -> ()

let private measure
    (own: Own)
    launch
    (ground: Served)
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
            OwnLoad.slice
                context
                own.Client
                own.File
                own.Expected
                target
                (List.contains "bytes" own.File.Metrics)
                context.Settings.SliceMilliseconds

        gather own.Gathered[whose.Plan.Id] outcome
        noteErrors whose slice outcome
        slice

    Launch.pairs context row launch Phase.overHttp take (Launch.keep pairsOf.Http baseLaunch.Http)
    pairsOf.Finished.Add Phase.overHttp
    keepCounters own row served
    let ratio = pairsOf.Http |> Seq.map _.CpuRatio |> Statistics.median
    context.Tell(Did(row.Plan.Id, launch, Phase.overHttp, Some ratio))

let private runLaunch (own: Own) (baseRow: RowRun) (others: RowRun list) (save: unit -> unit) launch =
    let context = own.Context
    context.Tell(Doing(baseRow.Plan.Id, launch, "starting the base"))
    let baseLaunch = baseRow.Launch()

    use ground =
        try
            prepare own baseRow
        with :? WorkerFailed as trouble ->
            baseRow.Fail trouble.Message
            raise (RunFailed $"the run cannot go on without its base: {trouble.Message}")

    context.Tell(Did(baseRow.Plan.Id, launch, "starting the base", None))

    for row in Order.shuffle (Order.random context.Settings.Seed $"rows of launch {launch}") others do
        context.Stop.ThrowIfCancellationRequested()

        if row.Trouble.IsSome || (row.Settled && row.Plan.Id <> context.Scenario.Control) then
            context.Tell(Dropped 1)
        else
            Comparison.forRow context baseRow row (fun () -> measure own launch ground baseRow baseLaunch row)

            save ()

    keepCounters own baseRow ground

let private panels (file: ScenarioFile) (rows: RowRun list) (gathered: Map<string, Gathered>) : Panel list =
    let clocks =
        [
            for row in rows do
                let own = gathered[row.Plan.Id]

                if own.Intended.Count > 0 then
                    for name, parts in [ Latencies.intended, own.Intended; Latencies.actual, own.Actual ] do
                        { Run = row.Plan.Id; Name = name; Sum = Histogram.Sum parts; Over = [] }
        ]

    let isIntended (clock: Latencies) = clock.Name = Latencies.intended

    [
        if List.contains "latency" file.Metrics && not clocks.IsEmpty then
            // A closed loop has one clock: a request is due when it is sent.
            match file.Model with
            | Closed _ -> AttackPanels.percentiles (clocks |> List.filter isIntended)
            | Open _ -> AttackPanels.percentiles clocks

            AttackTables.percentiles
                [
                    for clock in clocks do
                        if isIntended clock then
                            clock.Run, clock.Sum
                ]

        yield!
            CounterPanels.all
                [
                    for row in rows do
                        row.Plan.Id, row.Plan.Candidate.Family, gathered[row.Plan.Id].Counted
                ]
    ]

let private warnings (gathered: Map<string, Gathered>) : string list =
    [
        for KeyValue(id, own) in gathered do
            if own.Invalid.Count > 0 then
                $"{own.Invalid.Count} of {own.Slices} slices of {id} are not to be relied on: {own.Invalid[0]}"

            match own.Blind with
            | Some sentence -> $"bytes and counters of {id} are not known: {sentence}"
            | None -> ()
    ]

/// Starts the services one after the other, each given the ports of those before.
let private startServices (context: Context) (file: ScenarioFile) (started: List<Served>) : Map<string, int> =
    (Map.empty, file.Services)
    ||> List.fold (fun ports service ->
        context.Tell(Doing(service.Name, 0, "starting"))
        let served = Served.start context false service.Name service [] ports
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
    let before = Surroundings.look repository
    let settings = file.Settings
    Affinity.moveSelf before.Placement.Client
    let variants = variants file
    let rows = variants |> List.map (fst >> RowRun)
    let isBase (row: RowRun) = row.Plan.Id = file.Base
    let baseRow, others = rows |> List.find isBase, rows |> List.filter (isBase >> not)
    let gathered = Map.ofList [ for row in rows -> row.Plan.Id, Gathered() ]
    let busy = List<float>()
    let pace = Pace(None, settings.Launches * others.Length)
    let ended = ref Stopping.goingOn

    let request =
        {
            Settings = settings
            Rows = variants |> List.map fst
            LoadClient = []
            Command = command
            Repository = repository
        }

    let soFar complete =
        let results =
            Comparison.results (scenario file) request before pace busy rows ended.Value complete

        { results with
            Panels = panels file rows gathered
            Warnings = results.Warnings @ warnings gathered
        }

    let started = List<Served>()

    let ending =
        try
            try
                use client =
                    AttackProcess.Start(generator, before.Placement.Client, settings.PatienceMilliseconds)

                let context =
                    {
                        Scenario = scenario file
                        Settings = settings
                        Pace = pace
                        Placement = before.Placement
                        Load = None
                        LoadBeside = None
                        Stop = stop
                        Tell = tell
                        ClientBusy = busy
                    }

                let own =
                    {
                        File = file
                        Context = context
                        Client = client
                        Expected = OwnLoad.Expected()
                        Ports = startServices context file started
                        Variants = Map.ofList [ for plan, variant in variants -> plan.Id, variant ]
                        Gathered = gathered
                    }

                let steps launches = launches * rows.Length
                tell (Began(steps settings.Launches))

                runLaunch own baseRow others (fun () -> save (soFar false))
                |> Comparison.rounds context others steps (fun how -> ended.Value <- how)

                Completed
            with
            | :? OperationCanceledException -> Stopped
            | :? RunFailed as trouble -> Broken trouble.Message
            | :? WorkerFailed as trouble -> Broken $"the run cannot go on: {trouble.Message}"
        finally
            for served in Seq.rev started do
                (served :> IDisposable).Dispose()

    ending, soFar (ending = Completed)
