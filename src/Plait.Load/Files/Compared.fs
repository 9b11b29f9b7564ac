// Several runs in one page and in one table: load runs and logs share each plot, scenarios bring their panels.
module Plait.Load.Compared

open System
open System.Globalization

open Plait.Report

let private invariant = CultureInfo.InvariantCulture

let private attacks (sources: Source list) =
    sources
    |> List.choose (fun source ->
        match source.Content with
        | Attack recording -> Some(source.Name, recording)
        | Log _
        | Scenario _ -> None)

let private latencyTable (latencies: Latencies list) : Panel =
    Panel.table
        "runs"
        "The runs side by side"
        "Latencies in milliseconds, of right responses. From the intended start counts what a user waits for; from send leaves out how long a request waited to be sent."
        [
            Column.words "run"
            Column.words "latency"
            Column.figure "responses" 0
            Column.figure "50 % (ms)" 3
            Column.figure "99 % (ms)" 3
            Column.figure "99.9 % (ms)" 3
            Column.figure "longest (ms)" 3
        ]
        [
            for one in latencies do
                let figure (percent: float) =
                    if one.Sum.Count = 0L then
                        Panel.nothing
                    else
                        Panel.number (Duration.milliseconds (one.Sum.Percentile percent))

                [
                    Panel.text one.Run
                    Panel.text (Latencies.words one.Name)
                    Panel.number (float one.Sum.Count)
                    figure 50.0
                    figure 99.0
                    figure 99.9
                    figure 100.0
                ]
        ]

let private runTable (recordings: (string * Recording) list) : Panel =
    Panel.table
        "plans"
        "What was asked and where"
        "Runs of other plans or other machines differ by more than the server."
        [
            Column.words "run"
            Column.words "started (UTC)"
            Column.words "request"
            Column.words "load"
            Column.figure "right (1/s)" 1
            Column.figure "success (%)" 3
            Column.figure "own lag 99 % (ms)" 3
            Column.words "machine"
        ]
        [
            for name, recording in recordings do
                let outcome = recording.Outcome

                let machine =
                    match recording.Environment with
                    | Some environment ->
                        let cpu = environment.Cpu |> Option.defaultValue environment.Architecture
                        $"{cpu}, {environment.Cores} cores, {environment.Runtime}"
                    | None -> "not known"

                [
                    Panel.text name
                    Panel.text (outcome.StartedUtc.ToString("yyyy-MM-dd HH:mm:ss", invariant))
                    Panel.text (Plan.target outcome.Plan)
                    Panel.text (Plan.words outcome.Plan)
                    Panel.number (outcome.RightPerSecond)
                    Panel.number (100.0 * outcome.Success)
                    Panel.number (Duration.milliseconds (outcome.GeneratorLag.Percentile 99.0))
                    Panel.text machine
                ]
        ]

let private panels (sources: Source list) : Panel list =
    let latencies = sources |> List.collect Source.latencies
    let recordings = attacks sources

    let outcomes =
        recordings |> List.map (fun (name, recording) -> name, recording.Outcome)

    if latencies.IsEmpty then
        []
    else
        [
            latencyTable latencies

            if not outcomes.IsEmpty then
                runTable recordings

            LatencyPanels.percentiles latencies

            if latencies |> List.exists (fun one -> not one.Over.IsEmpty) then
                LatencyPanels.overTime latencies outcomes

            AttackPanels.percentiles (
                latencies |> List.map (fun one -> $"{one.Run} {Latencies.words one.Name}", one.Sum)
            )

            if not outcomes.IsEmpty then
                AttackPanels.rates outcomes
                AttackPanels.inFlight outcomes
                yield! StepTable.panels outcomes
                AttackPanels.fates outcomes
                AttackPanels.lag outcomes
        ]

/// The panels of a scenario under the name of its file.
let private ofScenario (source: Source) (results: Results) : Panel list =
    results.Panels
    |> List.map (fun panel ->
        { panel with Id = $"{source.Name}-{panel.Id}"; Title = $"{source.Name}: {panel.Title}" })

let private warnings (sources: Source list) =
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

let private times (source: Source) =
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
let results (command: string) (sources: Source list) : Results =
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

        { Results.Empty with
            Scenario = "report"
            Title = $"Runs compared: {names}"
            Command = command
            StartedUtc = Results.Stamp started
            EndedUtc = Results.Stamp ended
            Environment = environments |> List.tryHead |> Option.defaultValue RunEnvironment.Unknown
            Warnings =
                [
                    yield! warnings sources

                    if machines.Length > 1 then
                        "the runs were made on different machines or runtimes: the environment shown is that of the first"
                ]
            Panels =
                [
                    yield! panels sources

                    for source in sources do
                        match source.Content with
                        | Scenario results -> yield! ofScenario source results
                        | Attack _
                        | Log _ -> ()
                ]
        }

/// A table of text for what became of the requests of load runs; empty where there is none.
let loads (sources: Source list) : string list =
    let shown (name: string, recording: Recording) =
        let outcome = recording.Outcome

        let two (value: float) =
            value.ToString("F2", CultureInfo.InvariantCulture)

        [
            name
            string outcome.Requests
            string (outcome.Requests - outcome.Right)
            two (outcome.RatePerSecond)
            two (outcome.RightPerSecond)
            two (100.0 * outcome.Success) + "%"
            if not outcome.Invalid.IsEmpty then "no"
            elif outcome.Stopped then "stopped"
            else "yes"
        ]

    match attacks sources with
    | [] -> []
    | recordings ->
        recordings
        |> List.map shown
        |> TextTable.lines
            [
                TextTable.left "run"
                for title in [ "requests"; "failed"; "due/s"; "right/s"; "success"; "valid" ] do
                    TextTable.right title
            ]

/// A table of text for latencies: a line each.
let table (latencies: Latencies list) : string list =
    [
        for one in latencies do
            [
                one.Run
                Latencies.words one.Name
                string one.Sum.Count
                for percent in [ 50.0; 90.0; 99.0; 99.9; 100.0 ] do
                    if one.Sum.Count = 0L then "-" else Duration.show (one.Sum.Percentile percent)
            ]
    ]
    |> TextTable.lines
        [
            TextTable.left "run"
            TextTable.left "latency"
            TextTable.right "responses" |> TextTable.ranked 4
            TextTable.right "50 %" |> TextTable.ranked 1
            TextTable.right "90 %" |> TextTable.ranked 3
            TextTable.right "99 %" |> TextTable.ranked 1
            TextTable.right "99.9 %" |> TextTable.ranked 2
            TextTable.right "longest" |> TextTable.ranked 1
        ]
