// The steps of load runs: the columns of a step, once, and from them the table in the terminal, the CSV, and the
// panel of the page. They show the knee of a service: the rate from which latencies rise and answers fall behind.
module Plait.Load.StepTable

open Plait.Common
open Plait.Report

open Plait.Load.LatencyPanels

let private columns: LoadFigure<Step> list =
    [
        LoadFigures.number "perSecond" "rate/s" 1 "" _.PerSecond
        (LoadFigures.number "due" "due" 0 "" (fun (step: Step) -> float step.Due)).Ranked 3
        LoadFigures.number "answeredPerSecond" "right/s" 1 "" _.AnsweredPerSecond
        (LoadFigures.share "success" "success" 2 "" (fun (step: Step) -> step.Success)).Ranked 1
        for figure in
            [
                LoadFigures.percentile 50.0
                (LoadFigures.percentile 90.0).Ranked 4
                LoadFigures.percentile 99.0
                (LoadFigures.percentile 99.9).Ranked 2
                LoadFigures.longest.Ranked 1
            ] do
            figure.From(fun (step: Step) -> step.Intended)
    ]

/// The table for a terminal; empty where the run has no steps.
let lines (width: int) (outcome: Outcome) : string list =
    if outcome.Steps.IsEmpty then [] else LoadTable.lines width columns outcome.Steps

/// The CSV: a line for each step, latencies in nanoseconds.
let csv (outcome: Outcome) : string = LoadTable.csv columns outcome.Steps

let private table (several: bool) (outcomes: (string * Outcome) list) : Panel =
    LoadTable.panel
        "steps"
        "The steps"
        "Latencies from the intended start, of the requests that were due in the step; right/s counts the responses that came in during the step. If right/s stays below the rate, the service does not keep up, and the next step starts with its backlog."
        [
            if several then
                LoadFigures.words "run" fst

            yield! columns |> List.map _.From(snd)
        ]
        [
            for run, outcome in outcomes do
                for step in outcome.Steps do
                    run, step
        ]

let private latencyByRate (several: bool) (outcomes: (string * Outcome) list) : Panel =
    [
        for run, outcome in outcomes do
            for label, family, style, percent in
                [ "50 %", Family.FSharp, Style.Dashed, 50.0; "99 %", Family.Plait, Style.Line, 99.0 ] do
                outcome.Steps
                |> List.filter (fun step -> step.Intended.Count > 0L)
                |> List.sortBy _.PerSecond
                |> List.map (fun step ->
                    [| step.PerSecond; Duration.milliseconds (step.Intended.Percentile percent) |])
                |> Array.ofList
                |> Panel.series style label family
                |> ofRun several run
    ]
    |> Panel.lines
        "latency-by-rate"
        "Latency by rate"
        "From the intended start, of each step. The rate from which it rises steeply is the knee of the service."
        (Panel.linear "rate (1/s)")
        (Panel.log "latency (ms)")

/// The panels of the steps; empty if no run has any.
let panels (outcomes: (string * Outcome) list) : Panel list =
    match outcomes |> List.filter (fun (_, outcome) -> not outcome.Steps.IsEmpty) with
    | [] -> []
    | stepped ->
        // Also if one run alone has steps: it has the same colour and name in all panels.
        let several = outcomes.Length > 1
        [ table several stepped; latencyByRate several stepped ]
