// Runs a user's scenario: services first, then launches of base and candidates in pairs of slices of load, by the same order,
// rule and statistics as every comparison.
module Plait.Lab.UserScenario

open System
open System.Collections.Generic
open System.Threading

open Plait.Load
open Plait.Lab.UserScenarioLoad
open Plait.Common
open Plait.Report

// A slice is a run of its own, on connections of its own, and may have a low rate: it takes longer than those of our candidates.
let private warmSlice = 250

/// A fresh process of a row, right and warm: the program, and the slices of it that count.
let private prepare (shared: SharedContext) (row: MeasuredRow) : RunningProgram * LoadedServer =
    let context, file, variant =
        shared.Context, shared.File, shared.Variants[row.Plan.Id]

    let isCounted =
        file.Metrics
        |> List.exists (fun metric -> metric = ScenarioMetric.Bytes || metric = ScenarioMetric.Counters)

    let program =
        RunningProgram.start context isCounted row.Plan.Id variant.Program variant.More shared.Ports

    Started.andThen program (fun () ->
        row.Introduction <- Some program.Introduction
        shared.Observations[row.Plan.Id].NoCounters <- program.NoCounters
        RunningProgram.check file context.Settings.PatienceMilliseconds row shared.Expected program

        let served =
            { Row = row; Take = slice shared program; Close = (program :> IDisposable).Dispose }

        HttpPairing.warm context 0 warmSlice served
        program, { served with Take = counted shared row program })

let private keepCounters (shared: SharedContext) (row: MeasuredRow) (program: RunningProgram) =
    match program.Counters with
    | Some counters when List.contains ScenarioMetric.Counters shared.File.Metrics ->
        shared.Observations[row.Plan.Id].CounterReadings <- counters.Readings
    | _ -> ()

/// One round. `save` is called after every row.
let private runRound
    (shared: SharedContext)
    (baseRow: MeasuredRow)
    (others: MeasuredRow list)
    (save: unit -> unit)
    round
    =
    let context = shared.Context
    let baseLaunch = baseRow.Launch [ Measure.OverHttp ]

    let baseProgram, theBase =
        Rounds.startBase context round baseRow (fun () -> prepare shared baseRow)

    use theBase = theBase
    // A row is one step: it is loaded, and nothing else.
    let step (_: MeasuredRow) = 1

    Rounds.measureRows context round baseRow others step step save (fun row ->
        context.Tell(Doing(row.Plan.Id, round, Word.ofCase Measure.OverHttp))
        let own = row.Launch [ Measure.OverHttp ]
        let program, served = prepare shared row
        use served = served
        HttpPairing.measure context round own served theBase baseLaunch
        keepCounters shared row program)

    keepCounters shared baseRow baseProgram

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
        Factors = []
        Wrappers = None
        Answer = Plait.Report.Answer.ofRows [] file.Base
        Panels = fun _ -> []
    }

/// Starts the services one after the other, each with the ports of the services before it.
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
    let rows = variants |> List.map (fst >> MeasuredRow)
    let isBase (row: MeasuredRow) = row.Plan.Id = file.Base
    let baseRow, others = rows |> List.find isBase, rows |> List.filter (isBase >> not)

    let observations = Map.ofList [ for row in rows -> row.Plan.Id, RowObservations() ]

    let slice =
        match Arrivals.span file.Model with
        | Some steps -> int steps.TotalMilliseconds
        | None -> file.Settings.SliceMilliseconds

    let request =
        {
            Settings = { file.Settings with SliceMilliseconds = slice }
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

            let steps (rounds: Measure list list) = rounds.Length * rows.Length

            Rounds.run context others steps tellEnd (fun _ round -> runRound shared baseRow others save round)
        finally
            for served in Seq.rev started do
                (served :> IDisposable).Dispose()

    let before = EnvironmentSnapshot.look repository
    let pace = TimeBudget(None, file.Settings.Launches * others.Length)

    let ending, results =
        Comparison.within (scenario file) request before pace rows withPanels (tell, save, stop) measure

    match ending, broken (verdicts file rows observations) with
    | Completed, Some sentence -> RulesBroken sentence, results
    | _ -> ending, results
