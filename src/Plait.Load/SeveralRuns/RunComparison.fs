// Several runs in one page and in one table: their differences, and then the runs side by side. Load runs and logs
// share each plot, scenarios bring their panels.
module Plait.Load.RunComparison

open System
open System.Globalization

open Plait.Common
open Plait.Report

let private latencyColumns: LoadFigure<Latencies> list =
    let ofSum rank (figure: LoadFigure<Histogram>) =
        figure.From(fun (one: Latencies) -> one.Sum).Ranked rank

    [
        LoadFigures.words "run" _.Run
        LoadFigures.words "latency" (fun one -> Latencies.words one.Name)
        ofSum 4 LoadFigures.responses
        ofSum 1 (LoadFigures.percentile 50.0)
        ofSum 3 (LoadFigures.percentile 90.0)
        ofSum 1 (LoadFigures.percentile 99.0)
        ofSum 2 (LoadFigures.percentile 99.9)
        ofSum 1 LoadFigures.longest
    ]

let private runColumns: LoadFigure<string * Recording> list =
    let words title read =
        LoadFigures.words title (fun (_, recording: Recording) -> read recording)

    let figure (figure: LoadFigure<Outcome>) =
        figure.From(fun (_, recording: Recording) -> recording.Outcome)

    let onPage (column: LoadFigure<string * Recording>) = column.Ranked Figures.pageOnly

    let generatorLag =
        LoadFigures.percentile(99.0).From(fun (outcome: Outcome) -> outcome.Counts.GeneratorLag).Titled
            "own lag, 99 % (ms)"

    [
        LoadFigures.words "run" fst
        onPage (
            words "started (UTC)" (fun recording ->
                recording.Outcome.StartedUtc.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture))
        )
        onPage (words "request" (fun recording -> Plan.target recording.Outcome.Plan))
        onPage (words "load" (fun recording -> Plan.words recording.Outcome.Plan))
        figure LoadFigures.requests
        figure LoadFigures.failed
        figure LoadFigures.duePerSecond
        figure LoadFigures.rightPerSecond
        figure LoadFigures.success
        onPage (figure generatorLag)
        words "valid" (fun recording ->
            if not recording.Outcome.Invalid.IsEmpty then "no"
            elif not recording.Outcome.LaggedPercentiles.IsEmpty then "lag"
            elif recording.Outcome.Stopped then "stopped"
            else "yes")
        onPage (
            words "machine" (fun recording ->
                match recording.Environment with
                | Some environment ->
                    let cpu = environment.Cpu |> Option.defaultValue environment.Architecture
                    $"{cpu}, {environment.Cores} cores, {environment.Runtime}"
                | None -> "not known")
        )
    ]

let private isInvalid (source: RunFile) =
    match source.Content with
    | Attack recording -> not recording.Outcome.Invalid.IsEmpty
    | Scenario results -> results.Invalid
    | Log _ -> false

let private isClosed (source: RunFile) =
    match source.Content with
    | Attack { Outcome = { Plan = { Model = Closed _ } } } -> true
    | _ -> false

/// Its latencies are the server's, without doubts.
let private isSound (source: RunFile) =
    match source.Content with
    | Attack recording -> recording.Outcome.Doubts.IsEmpty
    | Scenario _
    | Log _ -> not (isInvalid source)

/// The differences of each later run from the first. In a closed loop a request is due when it is sent, so the clocks
/// are one.
let differences (sources: RunFile list) : LatencyDifference list =
    let clocks (source: RunFile) =
        RunFile.latencies source
        |> List.filter (fun clock -> not (isClosed source && clock.Name = Latencies.actual))

    match sources |> List.filter (fun source -> not (RunFile.latencies source).IsEmpty) with
    | first :: others ->
        [
            for other in others do
                let judged = isSound first && isSound other
                yield! LatencyDifferences.ofTwo judged (clocks first) (clocks other)
        ]
    | [] -> []

let private panels (sources: RunFile list) (differences: LatencyDifference list) : Panel list =
    let latencies = sources |> List.collect RunFile.latencies
    let recordings = RunFile.attacks sources

    let outcomes =
        recordings |> List.map (fun (name, recording) -> name, recording.Outcome)

    if latencies.IsEmpty then
        []
    else
        [
            yield! LatencyDifferences.panels differences

            LoadTable.panel
                "runs"
                "The runs side by side"
                "Latencies of right responses. From the intended start: the wait of a user. From send: without the wait of a request before it was sent."
                latencyColumns
                latencies

            if not outcomes.IsEmpty then
                LoadTable.panel
                    "plans"
                    "Settings and machine"
                    "Runs of other plans or other machines differ by more than the server."
                    runColumns
                    recordings

            LatencyPanels.percentiles latencies

            if latencies |> List.exists (fun one -> not one.Points.IsEmpty) then
                LatencyPanels.overTime latencies outcomes

            AttackPanels.percentiles (
                latencies |> List.map (fun one -> $"{one.Run} {Latencies.words one.Name}", one.Sum)
            )

            if not outcomes.IsEmpty then
                AttackPanels.rates outcomes
                AttackPanels.inFlight outcomes
                yield! StepTable.panels outcomes
                AttackPanels.results outcomes
                AttackPanels.lag outcomes
        ]

/// The panels of a scenario under the name of its file.
let private ofScenario (source: RunFile) (results: Results) : Panel list =
    results.Panels
    |> List.map (fun panel ->
        { panel with Id = $"{source.Name}-{panel.Id}"; Title = $"{source.Name}: {panel.Title}" })

let private warnings (sources: RunFile list) =
    [
        for source in sources do
            match source.Content with
            | Attack recording ->
                for sentence in AttackReport.warnings recording do
                    $"{source.Name}: {sentence}"
            | Log log -> yield! log.Notes
            | Scenario results ->
                if not results.Rows.IsEmpty then
                    $"{source.Name}: the rows of the scenario '{results.Scenario}' are not shown among other files, because each has a base of its own; give the file alone"

                for warning in results.Warnings do
                    $"{source.Name}: {warning}"
    ]

let private times (source: RunFile) =
    match source.Content with
    | Attack recording ->
        let outcome = recording.Outcome
        [ outcome.StartedUtc; outcome.StartedUtc + outcome.Elapsed ]
    | Log log ->
        let length =
            log.Intervals |> List.map (fun one -> one.Start + one.Length) |> List.max

        log.StartedUtc
        |> Option.map (fun start -> [ start; start.AddSeconds length ])
        |> Option.defaultValue []
    | Scenario _ -> []

/// The document of files for the page. One load run or one scenario is shown as its own page is.
let results (command: string) (sources: RunFile list) : Results =
    match sources |> List.map (fun source -> source, source.Content) with
    | [ _, Scenario results ] -> results
    | [ source, Attack recording ] -> AttackReport.results { recording with Name = source.Name }
    | _ ->
        let environments =
            sources
            |> List.choose (fun source ->
                match source.Content with
                | Attack recording -> recording.Environment
                | Scenario results -> Some results.Environment
                | Log _ -> None)

        let started, ended =
            match sources |> List.collect times with
            | [] -> DateTime.UnixEpoch, DateTime.UnixEpoch
            | times -> List.min times, List.max times

        let machines =
            environments
            |> List.map (fun one -> one.Os, one.Cpu, one.Cores, one.Runtime)
            |> List.distinct

        let names = sources |> List.map _.Name |> String.concat ", "
        let differences = differences sources
        let answer, facts = LatencyDifferences.heading differences

        { Results.Empty with
            Scenario = "report"
            Title = $"Runs compared: {names}"
            Command = command
            StartedUtc = Results.Stamp started
            EndedUtc = Results.Stamp ended
            Environment = environments |> List.tryHead |> Option.defaultValue RunEnvironment.Unknown
            Invalid = sources |> List.exists isInvalid
            Answer = answer
            Facts = facts
            Warnings =
                [
                    yield! warnings sources

                    if machines.Length > 1 then
                        "the runs were made on different machines or runtimes: the environment shown is the first run's"
                ]
            Panels =
                [
                    yield! panels sources differences

                    for source in sources do
                        match source.Content with
                        | Scenario results -> yield! ofScenario source results
                        | Attack _
                        | Log _ -> ()
                ]
        }

/// A table of text with the results of the requests of load runs; empty without a load run.
let loads (sources: RunFile list) : string list =
    match RunFile.attacks sources with
    | [] -> []
    | recordings -> LoadTable.lines (Wrap.width ()) runColumns recordings

/// A table of text for latencies: a line each.
let table (latencies: Latencies list) : string list =
    LoadTable.lines (Wrap.width ()) latencyColumns latencies
