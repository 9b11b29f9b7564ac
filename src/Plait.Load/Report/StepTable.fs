// The steps of load runs: the columns that are told of each, once, and from them the table in the terminal, the CSV, and what
// the page shows. They show the knee of a service: the rate from which latencies rise and answers fall behind.
module Plait.Load.StepTable

open System.Globalization

open Plait.Report

open Plait.Load.LatencyPanels

/// A figure of a step, by its kind.
type private Figure =
    | Number of (Step -> float)
    /// A share of one, shown in per cent.
    | Share of (Step -> float)
    /// Nanoseconds by the intended clock, of right responses.
    | Latency of (Histogram -> int64)

type private StepColumn = { Key: string; Title: string; Digits: int; Figure: Figure }

let private columns: StepColumn list =
    let latency key title read =
        { Key = key; Title = title; Digits = 3; Figure = Latency read }

    let percentile (percent: float) =
        let shown = percent.ToString CultureInfo.InvariantCulture
        latency $"p{shown}Nanoseconds" $"{shown} %%" (fun histogram -> histogram.Percentile percent)

    [
        { Key = "perSecond"; Title = "rate/s"; Digits = 1; Figure = Number _.PerSecond }
        { Key = "due"; Title = "due"; Digits = 0; Figure = Number(fun step -> float step.Due) }
        {
            Key = "answeredPerSecond"
            Title = "right/s"
            Digits = 1
            Figure = Number _.AnsweredPerSecond
        }
        { Key = "success"; Title = "success"; Digits = 2; Figure = Share _.Success }
        yield! List.map percentile [ 50.0; 90.0; 99.0; 99.9 ]
        latency "longestNanoseconds" "longest" _.Max
    ]

let private show (digits: int) (value: float) =
    value.ToString($"F{digits}", CultureInfo.InvariantCulture)

let private known (step: Step) (read: Histogram -> int64) : int64 option =
    if step.Intended.Count = 0L then None else Some(read step.Intended)

/// The table for a terminal; empty where the run has no steps.
let lines (outcome: Outcome) : string list =
    let cell (step: Step) (column: StepColumn) =
        match column.Figure with
        | Number read -> show column.Digits (read step)
        | Share read -> show column.Digits (100.0 * read step) + "%"
        | Latency read -> known step read |> Option.map Duration.show |> Option.defaultValue "-"

    if outcome.Steps.IsEmpty then
        []
    else
        outcome.Steps
        |> List.map (fun step -> columns |> List.map (cell step))
        |> TextTable.lines [ for column in columns -> TextTable.right column.Title ]

/// The CSV: a line for each step, latencies in nanoseconds.
let csv (outcome: Outcome) : string =
    let cell (step: Step) (column: StepColumn) =
        match column.Figure with
        | Number read
        | Share read -> (read step).ToString CultureInfo.InvariantCulture
        | Latency read -> known step read |> Option.map string |> Option.defaultValue ""

    [
        columns |> List.map _.Key
        for step in outcome.Steps do
            columns |> List.map (cell step)
    ]
    |> List.map (fun cells -> String.concat "," cells + "\n")
    |> String.concat ""

let private table (outcomes: (string * Outcome) list) : Panel =
    let isNamed = outcomes.Length > 1

    let heading (column: StepColumn) =
        match column.Figure with
        | Number _ -> Column.figure column.Title column.Digits
        | Share _ -> Column.figure $"{column.Title} (%%)" column.Digits
        | Latency _ -> Column.figure $"{column.Title} (ms)" column.Digits

    let cell (step: Step) (column: StepColumn) =
        match column.Figure with
        | Number read -> Panel.number (read step)
        | Share read -> Panel.number (100.0 * read step)
        | Latency read ->
            known step read
            |> Option.map (Duration.milliseconds >> Panel.number)
            |> Option.defaultValue Panel.nothing

    Panel.table
        "steps"
        "The steps"
        "Latencies from the intended start, of the requests that were due in the step; right/s is what came in while it lasted. Where right/s stays below the rate, the service does not keep up, and what waits falls into the next step."
        [
            if isNamed then
                Column.words "run"

            yield! List.map heading columns
        ]
        [
            for run, outcome in outcomes do
                for step in outcome.Steps do
                    [
                        if isNamed then
                            Panel.text run

                        yield! columns |> List.map (cell step)
                    ]
        ]

let private latencyByRate (outcomes: (string * Outcome) list) : Panel =
    let isNamed = outcomes.Length > 1

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
                |> line
                    style
                    (if isNamed then $"{run}: {label}" else label)
                    (if isNamed then Family.Other else family)
    ]
    |> Panel.lines
        "latency-by-rate"
        "Latency by rate"
        "From the intended start, of each step. The rate from which it rises steeply is the knee of the service."
        (Panel.linear "rate (1/s)")
        (Panel.log "latency (ms)")

/// What the page shows of the steps; empty where no run has any.
let panels (outcomes: (string * Outcome) list) : Panel list =
    match outcomes |> List.filter (fun (_, outcome) -> not outcome.Steps.IsEmpty) with
    | [] -> []
    | stepped -> [ table stepped; latencyByRate stepped ]
