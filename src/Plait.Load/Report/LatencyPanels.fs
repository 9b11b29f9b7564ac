// The panels of latencies: by percentile on both clocks, and over time. One run or several: several share each plot.
module Plait.Load.LatencyPanels

open Plait.Common
open Plait.Report

/// Seconds of a run.
let time: Axis = Panel.linear "time (s)"

/// The percentile curve of a histogram, in milliseconds.
let curve (histogram: Histogram) : float[][] =
    if histogram.Count = 0L then
        [||]
    else
        // As far as there are durations.
        let last = 100.0 * (1.0 - 1.0 / float histogram.Count)

        let levels =
            0.0
            |> Seq.unfold (fun level -> if level < last then Some(level, Hgrm.nextLevel level) else None)

        [|
            for level in levels do
                [| level; Duration.milliseconds (histogram.Percentile level) |]
            // The longest duration is drawn between the last level and 100 %, because an axis of 1/(1-p) does not reach 100 %.
            [| 100.0 * (1.0 - 0.5 / float histogram.Count); Duration.milliseconds histogram.Max |]
        |]

/// Latencies.
let latency = Panel.log "latency (ms)"

/// Whether there are several runs.
let areSeveral (runs: string list) : bool = (List.distinct runs).Length > 1

/// A series of a run: where there are several, its label names the run, and its colour is the run's.
let ofRun (several: bool) (run: string) (series: Series) : Series =
    if several then
        { series with Label = $"{run}: {series.Label}"; Family = Family.Other; Run = Some run }
    else
        series

let private several (clocks: Latencies list) = clocks |> List.map _.Run |> areSeveral

/// Percentile curves of clocks.
let percentiles (clocks: Latencies list) : Panel =
    clocks
    |> List.map (fun clock ->
        let actual = clock.Name = Latencies.actual

        curve clock.Sum
        |> Panel.series
            (if actual then Style.Dashed else Style.Line)
            (Latencies.words clock.Name)
            (if actual then Family.Base else Family.Plait)
        |> ofRun (several clocks) clock.Run)
    |> Panel.percentiles
        "percentiles"
        "Latency by percentile"
        "The longest time of the given share of right responses. From the intended start: the wait of a user. From send: without the wait of a request before it was sent, so a server that stalls looks better than it is. If the curves are far apart, requests queued up."
        latency

let private over figure style own read (clocks: Latencies list) (clock: Latencies) : Series list =
    if clock.Points.IsEmpty then
        []
    else
        [
            clock.Points
            |> List.map (fun point -> [| point.At; Duration.milliseconds (read point) |])
            |> Array.ofList
            |> Panel.series style $"{figure} {Latencies.words clock.Name}" own
            |> ofRun (several clocks) clock.Run
        ]

/// Dots of samples: the right ones, and the others, which are thinned apart.
let private dots (outcome: Outcome) : Series list =
    let series label family keep (of': int64) =
        let samples = outcome.Samples |> Array.filter keep
        let xs = samples |> Array.map (fun sample -> float sample.Intended / 1e9)

        let ys =
            samples |> Array.map (fun sample -> Duration.milliseconds (sample.Done - sample.Intended))

        if samples.Length = 0 then
            []
        else
            let series = PlotPoints.series label family Style.Dots PlotPoints.dots xs ys

            let of' =
                if int64 outcome.Samples.Length = outcome.Requests then
                    int64 samples.Length
                else
                    max of' (int64 series.Points.Length)

            [ { series with Of = int of' } ]

    // Those of them that failed are few.
    let waited =
        outcome.Results
        |> Map.tryFind RequestResult.Unsent
        |> Option.defaultValue 0L
        |> fun unsent -> max 0L (outcome.Counts.Waited.Count - unsent)

    let sent (sample: Sample) = sample.Result <> RequestResult.Unsent

    let failed =
        outcome.Results
        |> Map.fold
            (fun sum result count ->
                if result = RequestResult.Right || result = RequestResult.Unsent then sum else sum + count)
            0L

    [
        yield!
            series
                "right responses"
                Family.Control
                (fun sample -> sample.Result = RequestResult.Right && not sample.HasWaited)
                (outcome.Right - waited)
        yield!
            series
                "those that waited for a connection"
                Family.Base
                (fun sample -> sample.Result = RequestResult.Right && sample.HasWaited)
                waited
        yield!
            series
                "failed requests"
                Family.CSharp
                (fun sample -> sent sample && sample.Result <> RequestResult.Right)
                failed
    ]

/// Latency over time. With one run: median, 99th percentile and longest of each second, and the requests as dots. With
/// several: the 99th percentile and the longest of each.
let overTime (clocks: Latencies list) (outcomes: (string * Outcome) list) : Panel =
    let several = several clocks
    let isActual (clock: Latencies) = clock.Name = Latencies.actual
    let first = clocks |> List.filter (isActual >> not)
    let second = clocks |> List.filter isActual

    [
        if not several then
            for _, outcome in outcomes do
                yield! dots outcome

            for clock in first do
                yield! over "median" Style.Line Family.FSharp _.Median clocks clock

        for clock in first do
            yield! over "99 %" Style.Line Family.Plait _.P99 clocks clock

            if not several then
                yield! over "longest" Style.Line Family.Published _.Max clocks clock

        for clock in second do
            yield! over "99 %" Style.Dashed Family.Base _.P99 clocks clock

            if not several then
                yield! over "longest" Style.Dashed Family.Published _.Max clocks clock
    ]
    |> Panel.lines
        "latency-over-time"
        "Latency over time"
        (if several then
             "The 99th percentile of each second; a response counts in the second in which it came."
         else
             "Lines: figures of each second; a response counts in the second in which it came. Dots: single requests at their intended start. If there are too many to draw, the plot keeps the slowest and the fastest of each moment, and every failed one while they are few.")
        time
        latency
