// The runner: launches over rows, so that a slow drift of the machine hits all rows alike. Whatever ends it, what was
// measured is returned.
namespace Plait.Lab.Scenarios

open System
open System.Collections.Generic
open System.Globalization
open System.Threading

open Plait.Lab
open Plait.Lab.Measure
open Plait.Lab.Report

/// Running a comparison.
module Comparison =
    /// Runs `measure` and makes a failure of the row's own process the row's trouble. Failures of anything else end
    /// the run, because every ratio needs the base and the client.
    let internal forRow (context: Context) (baseRow: RowRun) (row: RowRun) (measure: unit -> unit) =
        try
            measure ()
        with :? WorkerFailed as trouble ->
            // Ctrl-C reaches the children as well as us: one that ends because of it has not failed.
            if context.Stop.WaitHandle.WaitOne 200 then
                context.Stop.ThrowIfCancellationRequested()

            if trouble.Subject = row.Plan.Id then
                row.Fail trouble.Message
                context.Tell(Noticed $"{row.Plan.Id} is not measured further: {trouble.Message}")
            else
                if trouble.Subject = baseRow.Plan.Id then
                    baseRow.Fail trouble.Message

                raise (RunFailed $"the run cannot go on: {trouble.Message}")

    /// Steps that a row in trouble will not do: the rest of its last launch, and the counting of bytes.
    let private left (settings: Settings) (row: RowRun) =
        let last = row.Launches[row.Launches.Count - 1]

        let undone =
            RowLaunch.phases settings row
            |> List.filter (last.Finished.Contains >> not)
            |> List.length

        undone + (if settings.InProcess then 1 else 0)

    let private runLaunch
        (context: Context)
        launch
        (baseRow: RowRun)
        (others: RowRun list)
        (save: unit -> unit)
        =
        let ground =
            try
                RowLaunch.startBase context launch baseRow
            with :? WorkerFailed as trouble ->
                if context.Stop.WaitHandle.WaitOne 200 then
                    context.Stop.ThrowIfCancellationRequested()

                baseRow.Fail trouble.Message
                raise (RunFailed $"the run cannot go on without its base: {trouble.Message}")

        use _ = ground.Live.Process
        let random = Order.random context.Settings.Seed $"rows of launch {launch}"

        for row in Order.shuffle random others do
            context.Stop.ThrowIfCancellationRequested()

            // A row in trouble is not run again: a process that hangs would cost its time-out in every launch.
            // A row whose interval is narrow enough has no more to tell; the control goes on as long as the run does.
            if row.Trouble.IsSome || (row.Settled && row.Plan.Id <> context.Scenario.Control) then
                context.Tell(Dropped (RowLaunch.phases context.Settings row).Length)
            else
                let paced = { context with Settings = context.Pace.Next context.Settings }
                forRow context baseRow row (fun () -> RowLaunch.measure paced launch ground row)

                if row.Trouble.IsSome then
                    context.Tell(Dropped(left context.Settings row))

                save ()

    let private stamp (time: DateTime) =
        time.ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture)

    let internal results
        scenario
        (request: Request)
        before
        (pace: Pace)
        (busy: List<float>)
        (rows: RowRun list)
        (ended: Stopping.Ended)
        complete
        =
        let settings = request.Settings
        let environment = Surroundings.environment before rows
        let figures = RowResult.rows settings scenario rows

        {
            Schema = Results.CurrentSchema
            Scenario = scenario.Name
            Title = scenario.Title
            StartedUtc = stamp before.Started
            EndedUtc = stamp DateTime.UtcNow
            Complete = complete
            Command = request.Command
            Seed = settings.Seed
            Base = scenario.Base
            Margin = settings.Margin
            Settings =
                {
                    Launches =
                        rows |> List.fold (fun most row -> max most row.Launches.Count) settings.Launches
                    Pairs = settings.Pairs
                    SliceMilliseconds = settings.SliceMilliseconds
                    WarmUpMilliseconds = settings.WarmUp.LimitMilliseconds
                    Connections = settings.Connections
                }
            Environment = environment
            Warnings =
                Surroundings.warnings
                    settings
                    before
                    environment
                    pace
                    ended
                    scenario.Control
                    (List.ofSeq busy)
                    rows
                    figures
            Rows = figures
            Published = scenario.Published
            Panels = scenario.Panels figures
            Stopping = Some(Stopping.result settings rows ended)
        }

    /// Rounds until the rule says that it is enough: a round is a launch of every row that is not settled.
    let internal rounds
        (context: Context)
        (others: RowRun list)
        (steps: int -> int)
        (tellEnd: Stopping.Ended -> unit)
        (run: int -> unit)
        =
        let settings = context.Settings
        let clock = Diagnostics.Stopwatch.StartNew()

        let rec go launch =
            run launch
            let asked = settings.Width.IsSome
            let widest = if asked then Stopping.widest settings others else None
            let ended = Stopping.decide settings launch clock.Elapsed.TotalSeconds widest

            if ended <> Stopping.goingOn then
                tellEnd ended
            else
                Stopping.settle settings launch others

                match widest with
                | Some(row, width) when launch >= settings.Launches ->
                    context.Tell(
                        Noticed
                            $"after {launch} launches the widest interval is {100.0 * width:F1} %% ({row}): another one"
                    )

                    context.Tell(Began(steps (launch + 1)))
                | _ -> ()

                go (launch + 1)

        go 1

    let private runAll
        (context: Context)
        (request: Request)
        (baseRow: RowRun)
        (others: RowRun list)
        save
        tellEnd
        =
        let settings = request.Settings

        let inLaunch =
            others |> List.sumBy (fun row -> (RowLaunch.phases settings row).Length)

        let all = baseRow :: others

        let bytes =
            if settings.InProcess then all.Length * (BytesOnly.ways settings).Length else 0

        let steps launches = launches * (1 + inLaunch) + bytes

        if settings.BytesOnly then
            context.Tell(Began bytes)
        else
            context.Tell(Began(steps settings.Launches))
            rounds context others steps tellEnd (fun launch -> runLaunch context launch baseRow others save)

        if settings.InProcess then
            for way in BytesOnly.ways settings do
                BytesOnly.run context way (all |> List.filter (fun row -> row.Trouble.IsNone))

    /// Runs the comparison. `tell` is told how it goes; `save` is given the results so far after every row; `stop` ends
    /// it after the slice that is running. Never raises for what processes do: the ending says it, and the results hold
    /// what was measured.
    let run
        (scenario: Scenario)
        (request: Request)
        (tell: Progress -> unit)
        (save: Results -> unit)
        (stop: CancellationToken)
        : Ending * Results =
        let before =
            Surroundings.look request.Repository |> Surroundings.share request.Settings.SharedCore

        let settings = request.Settings
        Affinity.moveSelf before.Placement.Client
        let rows = request.Rows |> List.map RowRun

        let present = rows |> List.filter (fun row -> row.Plan.Candidate.Absence.IsNone)

        let baseRows, others =
            present |> List.partition (fun row -> row.Plan.Id = scenario.Base)

        let busy = List<float>()

        let pace =
            // With a width it is the number of launches that gives way to time, not what a launch measures.
            let budget =
                if settings.Width.IsSome then None else Pace.timed settings present.Length

            Pace(budget, settings.Launches * others.Length)

        let ended = ref Stopping.goingOn

        let soFar complete =
            results scenario request before pace busy rows ended.Value complete

        let ending =
            try
                let theBase = List.exactlyOne baseRows
                let isBeside (row: RowRun) = row.Plan.Switches.ClientOnServer

                let start wanted core =
                    if wanted && settings.Http then
                        Some(LoadProcess.Start(request.LoadClient, core, settings.PatienceMilliseconds))
                    else
                        None

                let dispose (client: LoadProcess option) =
                    { new IDisposable with
                        member _.Dispose() =
                            client |> Option.iter (fun client -> (client :> IDisposable).Dispose())
                    }

                let client =
                    start true (if isBeside theBase then before.Placement.Server else before.Placement.Client)

                use _ = dispose client

                let beside =
                    start (not (isBeside theBase) && List.exists isBeside others) before.Placement.Server

                use _ = dispose beside

                let context =
                    {
                        Scenario = scenario
                        Settings = settings
                        Pace = pace
                        Placement = before.Placement
                        Load = client
                        LoadBeside = beside
                        Stop = stop
                        Tell = tell
                        ClientBusy = busy
                    }

                runAll context request theBase others (fun () -> save (soFar false)) (fun how ->
                    ended.Value <- how)

                Completed
            with
            | :? OperationCanceledException -> Stopped
            | :? RunFailed as trouble -> Broken trouble.Message
            | :? WorkerFailed as trouble -> Broken $"the run cannot go on: {trouble.Message}"

        ending, soFar (ending = Completed)
