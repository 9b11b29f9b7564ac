// What a page shows of load runs: latency over time and by percentile on both clocks, rates, requests in flight, lag, and
// tables of percentiles and of what became of the requests. One run or several: several share each plot.
module Plait.Lab.Report.AttackPanels

open System

open Plait.Lab.Load

let private time: Axis = { Label = "time (s)"; Scale = "linear" }
let private latency: Axis = { Label = "latency (ms)"; Scale = "log" }
let private ms (nanoseconds: int64) = float nanoseconds / 1e6

let private line style label family (points: float[][]) : Series =
    { Label = label; Family = family; Points = points; Of = points.Length; Style = style }

/// One run shows its parts in the colours of the page; several have a colour each, which the page chooses.
let private family (clocks: Latencies list) (own: string) =
    if (clocks |> List.map _.Run |> List.distinct).Length > 1 then "" else own

let private labelled (clocks: Latencies list) (clock: Latencies) (figure: string) =
    let words = Latencies.words clock.Name
    let parts = if figure = "" then words else $"{figure} {words}"

    if (clocks |> List.map _.Run |> List.distinct).Length > 1 then
        $"{clock.Run}: {parts}"
    else
        parts

/// The levels of percentile curves: five for every half of the distance to 100 %, as far as there are durations.
let private levels (count: int64) =
    let rec go level =
        [
            if level < 100.0 * (1.0 - 1.0 / float count) then
                level
                let halvings = Math.Floor(Math.Log2(100.0 / (100.0 - level))) + 1.0
                yield! go (level + 100.0 / (5.0 * Math.Pow(2.0, halvings)))
        ]

    go 0.0

let private curve (histogram: Histogram) : float[][] =
    if histogram.Count = 0L then
        [||]
    else
        [|
            for level in levels histogram.Count do
                [| level; ms (histogram.Percentile level) |]
            // the longest one takes the place between the last but one and 100 %, where an axis of 1/(1-p) never comes
            [| 100.0 * (1.0 - 0.5 / float histogram.Count); ms histogram.Max |]
        |]

/// Percentile curves of clocks.
let percentiles (clocks: Latencies list) : Panel =
    clocks
    |> List.map (fun clock ->
        let actual = clock.Name = Latencies.actual

        line
            (if actual then "dashed" else "line")
            (labelled clocks clock "")
            (family clocks (if actual then "base" else "plait"))
            (curve clock.Sum))
    |> Panel.percentiles
        "percentiles"
        "Latency by percentile"
        "How long the given share of right responses took at most. From the intended start counts what a user waits for; from send leaves out how long a request waited to be sent, and a server that stalls looks better by it than it is. Far apart curves mean that requests queued up."
        latency

let private over figure style own read (clocks: Latencies list) (clock: Latencies) : Series list =
    if clock.Over.IsEmpty then
        []
    else
        [
            clock.Over
            |> List.map (fun point -> [| point.At; ms (read point) |])
            |> Array.ofList
            |> line style (labelled clocks clock figure) (family clocks own)
        ]

/// Dots of samples: the right ones, and the others, which are thinned apart.
let private dots (outcome: Outcome) : Series list =
    let series label family keep (of': int64) =
        let samples = outcome.Samples |> Array.filter keep
        let xs = samples |> Array.map (fun sample -> float sample.Intended / 1e9)
        let ys = samples |> Array.map (fun sample -> ms (sample.Done - sample.Intended))

        if samples.Length = 0 then
            []
        else
            let series = Thin.series label family "dots" Thin.dots xs ys
            [ { series with Of = int (max of' (int64 series.Points.Length)) } ]

    let sent (sample: Sample) = sample.Fate <> Fate.Unsent

    let failed =
        outcome.Fates
        |> Map.fold
            (fun sum fate count -> if fate = Fate.Right || fate = Fate.Unsent then sum else sum + count)
            0L

    [
        yield! series "right responses" "control" (fun sample -> sample.Fate = Fate.Right) outcome.Right
        yield!
            series "failed requests" "csharp" (fun sample -> sent sample && sample.Fate <> Fate.Right) failed
    ]

/// Latency over time. With one run: median, 99th percentile and longest of each second, and the requests as dots. With
/// several: the 99th percentile and the longest of each.
let overTime (clocks: Latencies list) (outcomes: (string * Outcome) list) : Panel =
    let several = (clocks |> List.map _.Run |> List.distinct).Length > 1
    let isActual (clock: Latencies) = clock.Name = Latencies.actual
    let first = clocks |> List.filter (isActual >> not)
    let second = clocks |> List.filter isActual

    [
        if not several then
            for _, outcome in outcomes do
                yield! dots outcome

            for clock in first do
                yield! over "median" "line" "fsharp" _.Median clocks clock

        for clock in first do
            yield! over "99 %" "line" "plait" _.P99 clocks clock

            if not several then
                yield! over "longest" "line" "published" _.Max clocks clock

        for clock in second do
            yield! over "99 %" "dashed" "base" _.P99 clocks clock

            if not several then
                yield! over "longest" "dashed" "published" _.Max clocks clock
    ]
    |> Panel.lines
        "latency-over-time"
        "Latency over time"
        (if several then
             "The 99th percentile of each second, by the second in which the response was there."
         else
             "Lines: figures of each second, by the second in which the response was there. Dots: single requests at their intended start; where there are too many to draw, the slowest and the fastest of each moment are kept, and every failed one as long as there are few enough.")
        time
        latency

let private named (outcomes: (string * Outcome) list) (run: string) (text: string) =
    if outcomes.Length > 1 then $"{run}: {text}" else text

let private colour (outcomes: (string * Outcome) list) (own: string) = if outcomes.Length > 1 then "" else own

let private seconds style label family (read: Second -> float) (outcome: Outcome) : Series =
    outcome.Seconds
    |> List.map (fun second -> [| float second.At + 0.5; read second |])
    |> Array.ofList
    |> line style label family

/// The whole seconds of a run: fewer requests in the rest would look like a drop.
let private whole (outcome: Outcome) : Outcome =
    let until =
        min outcome.Elapsed.TotalSeconds (max 1.0 outcome.Plan.Duration.TotalSeconds)

    { outcome with
        Seconds =
            outcome.Seconds
            |> List.filter (fun second -> second.At = 0 || float (second.At + 1) <= until + 0.01)
    }

/// Requests due, right and failed in each second.
let rates (outcomes: (string * Outcome) list) : Panel =
    [
        for run, outcome in outcomes do
            let outcome = whole outcome

            if outcomes.Length = 1 then
                seconds "dashed" "due" "base" (fun second -> float second.Due) outcome

            seconds
                "line"
                (named outcomes run "right")
                (colour outcomes "plait")
                (fun second -> float second.Right)
                outcome

            if outcomes.Length = 1 || outcome.Requests > outcome.Right then
                seconds
                    "step"
                    (named outcomes run "failed")
                    (colour outcomes "csharp")
                    (fun second -> float second.Failed)
                    outcome
    ]
    |> Panel.lines
        "rate-over-time"
        "Requests each second"
        "What was due by the plan, what was answered rightly, and what failed. A server that keeps up has the first two on each other. What came after the last whole second is left out."
        time
        { Label = "requests (1/s)"; Scale = "linear" }

/// Requests in flight at the end of each second.
let inFlight (outcomes: (string * Outcome) list) : Panel =
    outcomes
    |> List.map (fun (run, outcome) ->
        seconds
            "step"
            (named outcomes run "in flight")
            (colour outcomes "plait")
            (fun second -> float second.InFlight)
            outcome)
    |> Panel.lines
        "in-flight"
        "Requests in flight"
        "Sent and not answered, at the end of each second. It grows when more comes in than the server can do."
        time
        { Label = "requests"; Scale = "linear" }

/// How late requests were sent.
let lag (outcomes: (string * Outcome) list) : Panel =
    [
        for run, outcome in outcomes do
            line "line" (named outcomes run "lag") (colour outcomes "plait") (curve outcome.Lag)
            line "dashed" (named outcomes run "own lag") (colour outcomes "base") (curve outcome.OwnLag)
    ]
    |> Panel.percentiles
        "lag"
        "How late requests were sent"
        "Actual minus intended start. Lag counts every reason, also that all connections were waiting for the server; own lag is what the generator itself was late although a connection was free, and should be far below the latencies."
        { Label = "lag (ms)"; Scale = "log" }
