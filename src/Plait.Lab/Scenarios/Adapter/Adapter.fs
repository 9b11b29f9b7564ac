// The scenario adapter: "The curious case of Async vs. Task", again. First the cost of each route, in pairs with the
// base; then the effect of each defect of the original that is on; then latencies under load. However a run ends, its
// results have the figures so far.
module Plait.Lab.Adapter

open System
open System.Collections.Generic
open System.Diagnostics
open System.Threading

open Plait.Report

open Plait.Load

/// The name of the scenario.
let name = "adapter"

/// The comparison of the routes.
let private scenario (settings: AdapterSettings) (rows: RowPlan list) : Scenario =
    {
        Name = name
        Title = "An F# adapter over HttpClient, behind a contract for C#"
        Base = AdapterRoutes.theBase
        Control = AdapterRoutes.control
        Path = AdapterRoutes.path settings.Pairs.Seed
        Expected = AdapterRoutes.body settings AdapterRoutes.theBase
        ExpectedOf = Map [ for row in rows -> row.Id, AdapterRoutes.body settings row.Id ]
        ToleratesErrors = settings.ErrorRate > 0.0
        Factors = []
        Wrappers = None
        Answer = AdapterPanels.answer
        Panels = fun _ -> []
    }

/// Runs the scenario. `folder`: that of the candidates; `all`: every route; `request.Rows`: those to measure, the base and
/// its control among them. Otherwise as Comparison.run.
let run
    (settings: AdapterSettings)
    (folder: string)
    (all: RowPlan list)
    (request: ComparisonRequest)
    (tell: Progress -> unit)
    (save: Results -> unit)
    (stop: CancellationToken)
    : Ending * Results =
    let clock = Stopwatch.StartNew()

    let before = EnvironmentSnapshot.look request.Repository

    let placement =
        (before |> EnvironmentSnapshot.share (List.contains SharedCore settings.Defects)).Placement

    let upstream, url =
        CardService.start folder settings.Service placement.Client settings.Pairs.PatienceMilliseconds

    use upstream = upstream
    let cells = List<AdapterCell>()
    let mutable effects: Row list = []
    let troubles = Dictionary<string, string>()

    let capacityOf (results: Results) =
        results.Rows
        |> List.tryFind (fun row -> row.Id = AdapterRoutes.theBase)
        |> Option.bind _.Value(Figures.httpRequestsPerSecond)

    let complete (results: Results) isComplete : Results =
        let cells = List.ofSeq cells
        let capacity = capacityOf results

        let rows =
            results.Rows
            |> List.map (fun row ->
                match troubles.TryGetValue row.Id with
                | true, reason when row.Status = Status.Measured ->
                    { row with Status = Status.Partial; Reason = Some reason }
                | _ -> row)

        { results with
            Complete = isComplete
            Rows = rows
            EndedUtc = Results.Stamp DateTime.UtcNow
            Summary = AdapterPanels.summary settings
            Facts = AdapterPanels.facts rows cells
            Panels =
                ControlRule.apply results.Controls effects
                |> AdapterPanels.all settings capacity request.Rows cells
            Warnings =
                results.Warnings
                @ EffectPanels.warnings effects
                @ AdapterPanels.warnings capacity settings cells
        }

    let scenario = scenario settings request.Rows
    let rows = request.Rows |> List.map (AdapterRoutes.configured settings url)

    let ending, results =
        Comparison.run
            scenario
            { request with
                Rows = rows
                Settings = { settings.Pairs with SharedCore = List.contains SharedCore settings.Defects }
            }
            tell
            (fun results -> save (complete results false))
            stop

    let measureEffects () =
        if settings.Effects then
            let ending, rows =
                AdapterEffects.measure settings folder before.Placement all scenario request tell stop

            effects <- rows
            save (complete results false)
            ending
        else
            Completed

    let load () =
        use generator =
            AttackProcess.Start(request.Generator, placement.Client, settings.Pairs.PatienceMilliseconds)

        tell (Stage "latencies under load")

        AdapterLoads.run
            {
                Settings = settings
                Scenario = scenario
                Placement = placement
                Upstream = upstream
                Generator = generator
                Stop = stop
                Tell = tell
            }
            (capacityOf results)
            // A route that failed before is not run again.
            (rows
             |> List.filter (fun row ->
                 results.Rows
                 |> List.exists (fun other -> other.Id = row.Id && other.Status <> Status.Failed)))
            (fun () -> clock.Elapsed.TotalSeconds)
            (fun cell ->
                cells.Add cell
                save (complete results false))
            (fun row reason -> troubles[row] <- reason)

        if stop.IsCancellationRequested then Stopped else Completed

    let ending =
        Failures.ending stop (fun () ->
            match ending with
            | Completed ->
                match measureEffects () with
                | Completed when not settings.Loads.IsEmpty -> load ()
                | other -> other
            | other -> other)

    ending, complete results (ending = Completed)
