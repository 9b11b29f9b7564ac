// The panels of load runs besides latencies over time: rates, requests in flight, lag, percentiles as a table, and
// the results of the requests. One run or several: several share each plot.
module Plait.Load.AttackPanels

open Plait.Report

open Plait.Load.LatencyPanels

let private ofRun (outcomes: (string * Outcome) list) =
    LatencyPanels.ofRun (outcomes.Length > 1)

let private seconds style label family (read: Second -> float) (outcome: Outcome) : Series =
    outcome.Seconds
    |> List.map (fun second -> [| second.Middle; read second |])
    |> Array.ofList
    |> Panel.series style label family

/// The whole seconds of a run: fewer requests in the rest would look like a drop.
let private whole (outcome: Outcome) : Outcome =
    let until =
        min outcome.Elapsed.TotalSeconds (max 1.0 outcome.Plan.Duration.TotalSeconds)

    { outcome with
        Seconds =
            outcome.Seconds
            |> List.filter (fun second -> second.At = 0 || float (second.At + second.Seconds) <= until + 0.01)
    }

let private perSecond (read: Second -> int64) (second: Second) : float =
    float (read second) / float second.Seconds

/// Requests due, right and failed in each second.
let rates (outcomes: (string * Outcome) list) : Panel =
    [
        for run, outcome in outcomes do
            let outcome = whole outcome

            if outcomes.Length = 1 then
                seconds Style.Dashed "due" Family.Base (perSecond _.Due) outcome

            seconds Style.Line "right" Family.Plait (perSecond _.Right) outcome |> ofRun outcomes run

            if outcomes.Length = 1 || outcome.Requests > outcome.Right then
                seconds Style.Step "failed" Family.CSharp (perSecond _.Failed) outcome
                |> ofRun outcomes run
    ]
    |> Panel.lines
        "rate-over-time"
        "Requests each second"
        "The requests that were due by the plan, right responses, and failures. If the server keeps up, the first two lines coincide. Responses after the last whole second are left out."
        time
        (Panel.linear "requests (1/s)")

/// Requests in flight at the end of each second.
let inFlight (outcomes: (string * Outcome) list) : Panel =
    outcomes
    |> List.map (fun (run, outcome) ->
        seconds Style.Step "in flight" Family.Plait (fun second -> float second.InFlight) outcome
        |> ofRun outcomes run)
    |> Panel.lines
        "in-flight"
        "Requests in flight"
        "Sent and not answered, at the end of each second. It grows when more requests come in than the server can answer."
        time
        (Panel.linear "requests")

/// How late requests were sent.
let lag (outcomes: (string * Outcome) list) : Panel =
    [
        for run, outcome in outcomes do
            Panel.series Style.Line "lag" Family.Plait (curve outcome.Counts.Lag)
            |> ofRun outcomes run

            Panel.series Style.Dashed "own lag" Family.Base (curve outcome.Counts.GeneratorLag)
            |> ofRun outcomes run
    ]
    |> Panel.percentiles
        "lag"
        "How late requests were sent"
        "Actual minus intended start. Lag counts every reason, also connections that were all waiting for the server; own lag is the delay of the generator itself while a connection was free, and should be far below the latencies."
        (Panel.log "lag (ms)")

/// The table of percentiles: a row for each, a column for each clock.
let percentiles (columns: (string * Histogram) list) : Panel =
    Panel.table
        "percentile-table"
        "Percentiles"
        "In milliseconds, of right responses; lag of every request that was sent. Histograms keep three digits, the ends exactly."
        [
            Column.words "share"
            for title, _ in columns do
                Column.figure $"{title} (ms)" 3
        ]
        [
            for figure in
                [
                    LoadFigures.shortest
                    for percent in OutcomeJson.percents do
                        if percent < 100.0 then
                            LoadFigures.percentile percent
                    LoadFigures.longest
                    LoadFigures.mean
                    LoadFigures.deviation
                ] do
                [
                    Panel.text figure.Figure.Title
                    for _, histogram in columns do
                        figure.Cell histogram
                ]
        ]

/// The table of the results of the requests.
let results (outcomes: (string * Outcome) list) : Panel =
    Panel.table
        "results"
        "Results of the requests"
        "Every request that was due is in exactly one line."
        [
            if outcomes.Length > 1 then
                Column.words "run"

            Column.words "result"
            Column.figure "requests" 0
            Column.figure "share (%)" 3
            Column.words "first complaint"
        ]
        [
            for run, outcome in outcomes do
                for result, count, complaint in Outcome.counted outcome do
                    [
                        if outcomes.Length > 1 then
                            Panel.text run

                        Panel.text (Outcome.resultName result)
                        Panel.number (float count)
                        Panel.number (100.0 * float count / float outcome.Requests)
                        Panel.textOrNothing complaint
                    ]
        ]

/// The table of the rules of runs; None where there are none.
let rules (runs: (string * RuleVerdict list) list) : Panel option =
    let several = runs.Length > 1

    match
        [
            for run, verdicts in runs do
                for verdict in verdicts do
                    [
                        if several then
                            Panel.text run

                        Panel.text (Rule.text verdict.Rule)
                        Panel.text (Rule.shown verdict)
                        Panel.text (Rule.answer verdict)
                    ]
        ]
    with
    | [] -> None
    | rows ->
        Panel.table
            "rules"
            "Rules"
            "The rules of the run, by latencies from the intended start."
            [
                if several then
                    Column.words "run"

                Column.words "rule"
                Column.words "figure"
                Column.words "verdict"
            ]
            rows
        |> Some

/// The table of the connections, and of the requests over them.
let connections (outcome: Outcome) : Panel =
    LoadTable.panel
        "connections"
        "Connections"
        "The connections that were open, each counted once, the number that was allowed, and how often one was made. Retried: the connection of the request was closed. Waited: all connections were in use."
        [
            LoadFigures.connections.Figure.Titled "open"
            LoadFigures.number "maxConnections" "allowed" 0 "" (fun (outcome: Outcome) ->
                float outcome.MaxConnections)
            for count in LoadFigures.forOutput RunOutput.Page do
                count.Figure
            (LoadFigures.percentile 50.0).From(fun (outcome: Outcome) -> outcome.Counts.Waited).Titled
                "waited, 50 % (ms)"
            (LoadFigures.percentile 99.0).From(fun (outcome: Outcome) -> outcome.Counts.Waited).Titled
                "waited, 99 % (ms)"
            LoadFigures.longest.From(fun (outcome: Outcome) -> outcome.Counts.Waited).Titled
                "waited longest (ms)"
        ]
        [ outcome ]
