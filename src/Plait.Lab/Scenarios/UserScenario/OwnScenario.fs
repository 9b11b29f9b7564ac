// Running a user's scenario: services first, then launches of base and candidates in pairs of slices of load, by the same
// order, rule and statistics as every comparison.
module Plait.Lab.Scenarios.OwnScenario

open System
open System.Collections.Generic
open System.Threading

open Plait.Report

open Plait.Load

let private scenario (file: ScenarioFile) : Scenario =
    {
        Name = file.Name
        Title = file.Title
        Base = file.Base
        Control = OwnRows.control file
        Path = file.Requests.Head.Path
        Expected = ""
        ExpectedOf = Map.empty
        ToleratesErrors = false
        Wrappers = None
        Published = []
        Panels = fun _ -> []
    }

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
    let variants = OwnRows.variants file
    let rows = variants |> List.map (fst >> RowRun)
    let isBase (row: RowRun) = row.Plan.Id = file.Base
    let baseRow, others = rows |> List.find isBase, rows |> List.filter (isBase >> not)
    let gathered = Map.ofList [ for row in rows -> row.Plan.Id, OwnGathered.Gathered() ]
    let busy = List<float>()
    let pace = Pace(None, settings.Launches * others.Length)
    let ended = ref Stopping.goingOn

    let request =
        {
            Settings = settings
            Rows = variants |> List.map fst
            Generator = generator
            Command = command
            Repository = repository
        }

    let soFar complete =
        let results =
            ComparisonResults.make (scenario file) request before pace busy rows ended.Value complete

        { results with
            Panels = OwnGathered.panels file rows gathered
            Warnings = results.Warnings @ OwnGathered.warnings gathered
        }

    let started = List<Served>()

    let ending =
        try
            Rounds.ending (fun () ->
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

                let own: OwnLaunch.Own =
                    {
                        File = file
                        Context = context
                        Client = client
                        Expected = OwnGate.Expected()
                        Ports = startServices context file started
                        Variants = Map.ofList [ for plan, variant in variants -> plan.Id, variant ]
                        Gathered = gathered
                    }

                let steps launches = launches * rows.Length
                tell (Began(steps settings.Launches))

                OwnLaunch.run own baseRow others (fun () -> save (soFar false))
                |> Rounds.run context others steps (fun how -> ended.Value <- how))
        finally
            for served in Seq.rev started do
                (served :> IDisposable).Dispose()

    ending, soFar (ending = Completed)
