// The scenario adapter: "The curious case of Async vs. Task", again. First what each route costs, in pairs with the base;
// then what each defect of the original brings, where that was asked for; then latencies under load. Whatever ends a run,
// what was measured is in its results.
module Plait.Lab.Scenarios.Adapter

open System
open System.Collections.Generic
open System.Diagnostics
open System.Threading

open Plait.Report

open Plait.Load
open Plait.Lab.Measure

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
        Wrappers = None
        Published = []
        Answer = AdapterPanels.answer
        Panels = fun _ -> []
    }

// Progress of the parts as that of one run. `more`: steps after the comparison.
let private joined (tell: Progress -> unit) (more: int) =
    function
    | Began steps -> tell (Began(steps + more))
    | other -> tell other

let private effects (context: AdapterContext) (all: RowPlan list) (into: List<AdapterEffects.Effect>) =
    use client =
        AttackProcess.Start(
            context.Request.Generator,
            context.Placement.Client,
            context.Settings.Pairs.PatienceMilliseconds
        )

    for defect in context.Settings.Defects do
        context.Stop.ThrowIfCancellationRequested()
        context.Tell(Doing(Defect.name defect, 0, "on against off"))
        let effect = AdapterEffects.measure context client all defect
        into.Add effect

        match effect.Trouble with
        | Some trouble ->
            context.Tell(Noticed $"the effect of {Defect.name defect} is not measured: {trouble}")
        | None -> ()

        context.Tell(Did(Defect.name defect, 0, "on against off", effect.Cpu |> Option.map _.Value))

/// Runs the scenario. `folder`: that of the candidates; `all`: every route; `request.Rows`: those to measure, the base and
/// its control among them. Otherwise as Comparison.run.
let run
    (settings: AdapterSettings)
    (folder: string)
    (all: RowPlan list)
    (request: Request)
    (tell: Progress -> unit)
    (save: Results -> unit)
    (stop: CancellationToken)
    : Ending * Results =
    let clock = Stopwatch.StartNew()

    let placement =
        (EnvironmentSnapshot.look request.Repository
         |> EnvironmentSnapshot.share (List.contains SharedCore settings.Defects))
            .Placement

    let upstream, url =
        CardService.start
            folder
            { Seed = settings.Pairs.Seed; Delay = settings.Delay; ErrorRate = settings.ErrorRate }
            placement.Client
            settings.Pairs.PatienceMilliseconds

    use upstream = upstream
    let effectCount = if settings.Effects then settings.Defects.Length else 0
    let tell = joined tell (effectCount + request.Rows.Length * settings.Loads.Length)
    let cells = List<AdapterCell>()
    let found = List<AdapterEffects.Effect>()
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
                found
                |> Seq.map (if results.Judges then id else AdapterEffects.notJudged)
                |> List.ofSeq
                |> AdapterPanels.all settings capacity request.Rows cells
            Warnings = results.Warnings @ AdapterPanels.warnings capacity settings cells
        }

    let rows = request.Rows |> List.map (AdapterRoutes.configured settings url)

    let ending, results =
        Comparison.run
            (scenario settings request.Rows)
            { request with
                Rows = rows
                Settings = { settings.Pairs with SharedCore = List.contains SharedCore settings.Defects }
            }
            tell
            (fun results -> save (complete results false))
            stop

    match ending with
    | Stopped
    | Broken _ -> ending, complete results false
    | Completed ->
        use generator =
            AttackProcess.Start(request.Generator, placement.Client, settings.Pairs.PatienceMilliseconds)

        let context =
            {
                Settings = settings
                Request = request
                Placement = placement
                Upstream = upstream
                UpstreamUrl = url
                Generator = generator
                Stop = stop
                Tell = tell
            }

        let into cell =
            cells.Add cell
            save (complete results false)

        let ending =
            try
                if settings.Effects then
                    effects context all found

                // what failed before is not run again
                let rows =
                    request.Rows
                    |> List.filter (fun row ->
                        results.Rows
                        |> List.exists (fun other -> other.Id = row.Id && other.Status <> Status.Failed))

                tell (Dropped((request.Rows.Length - rows.Length) * settings.Loads.Length))

                AdapterLoads.run
                    context
                    (capacityOf results)
                    rows
                    (fun () -> clock.Elapsed.TotalSeconds)
                    into
                    (fun row reason -> troubles[row] <- reason)

                if stop.IsCancellationRequested then Stopped else Completed
            with
            | :? OperationCanceledException -> Stopped
            | :? RunFailed as trouble -> Broken trouble.Message
            | :? BadInput as trouble -> Broken trouble.Message
            // Ctrl-C reaches the children as well as us
            | :? WorkerFailed when stop.WaitHandle.WaitOne 200 -> Stopped
            | :? WorkerFailed as trouble -> Broken $"the run cannot go on: {trouble.Message}"

        ending, complete results (ending = Completed)
