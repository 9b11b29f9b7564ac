// Several runs in one page and in one table: load runs and logs share each plot, scenarios bring their panels.
module Plait.Load.Compared

open Plait.Report

open System
open System.Globalization

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
                    yield! ComparedPanels.make sources

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
            two (AttackFigures.rate outcome)
            two (AttackFigures.throughput outcome)
            two (100.0 * AttackFigures.success outcome) + "%"
            if not outcome.Invalid.IsEmpty then "no"
            elif outcome.Stopped then "stopped"
            else "yes"
        ]

    match ComparedPanels.attacks sources with
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
