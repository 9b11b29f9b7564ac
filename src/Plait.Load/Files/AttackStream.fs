// A load run while it runs, as JSON lines: one for each second, and one for the whole at the end.
// docs/stream.schema.json describes their fields. They hold percentiles in place of histograms: percentiles of
// several seconds do not add up to one of the whole.
module Plait.Load.AttackStream

open System.Text.Encodings.Web
open System.Text.Json
open System.Text.Json.Nodes

/// The version of the format.
let schema = "plait-stream/2"

let private latencies: LoadFigure<Histogram> list =
    [
        LoadFigures.shortest
        LoadFigures.mean
        for percent in [ 50.0; 90.0; 95.0; 99.0; 99.9 ] do
            LoadFigures.percentile percent
        LoadFigures.longest
    ]

// Figures that there are not are left out.
let private summary (histogram: Histogram) : JsonNode =
    let summary = JsonObject()
    summary["count"] <- JsonValue.Create histogram.Count

    for figure in latencies do
        match figure.Read with
        | Reader.Time read ->
            read histogram
            |> Option.iter (fun nanoseconds -> summary[figure.Figure.Key] <- JsonValue.Create nanoseconds)
        | _ -> ()

    summary

let private failures (results: Map<RequestResult, int64>) : JsonNode =
    let failures = JsonObject()

    for KeyValue(result, count) in results do
        if result <> RequestResult.Right && count > 0L then
            failures[Outcome.resultName result] <- JsonValue.Create count

    failures

// Texts are read by people too.
let private options =
    JsonSerializerOptions(Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping)

let private line (kind: string) (name: string) (fields: (string * JsonNode) list) : string =
    let line = JsonObject()
    line["schema"] <- JsonValue.Create schema
    line["kind"] <- JsonValue.Create kind
    line["name"] <- JsonValue.Create name

    for key, value in fields do
        line[key] <- value

    line.ToJsonString options

let private number (value: int64) : JsonNode = JsonValue.Create value
let private fraction (value: float) : JsonNode = JsonValue.Create value
let private flag (value: bool) : JsonNode = JsonValue.Create value

/// The line of a second, without a line feed. `name`: the name of the run among others.
let second (name: string) (second: Second) : string =
    line
        "second"
        name
        [
            "at", number second.At
            "requests", number second.Due
            "ratePerSecond", fraction (float second.Due)
            "right", number second.Right
            "rightPerSecond", fraction (float second.Right)
            "failed", number second.Failed
            "failures", failures second.Failures
            "inFlight", number second.InFlight
            "intended", summary second.Latency
            "actual", summary second.Actual
        ]

/// The line of the whole, without a line feed.
let whole (name: string) (outcome: Outcome) : string =
    line
        "whole"
        name
        [
            "startedUtc", OutcomeJson.part outcome.StartedUtc
            "elapsedSeconds", fraction outcome.Elapsed.TotalSeconds
            "stopped", flag outcome.Stopped
            "requests", number outcome.Requests
            "ratePerSecond", fraction outcome.RatePerSecond
            "right", number outcome.Right
            "rightPerSecond", fraction outcome.RightPerSecond
            "success", fraction outcome.Success
            "failed", number (outcome.Requests - outcome.Right)
            "failures", failures outcome.Results
            "statuses", OutcomeJson.part outcome.Statuses
            for count in LoadFigures.forOutput RunOutput.Stream do
                count.Figure.Figure.Key, number (count.Read outcome)
            for one in LoadFigures.durations do
                one.Key, summary (one.Read outcome.Counts)
            "laggedPercentiles", OutcomeJson.part outcome.LaggedPercentiles
            "verdicts", OutcomeJson.part outcome.Verdicts
            "invalid", OutcomeJson.part outcome.Invalid
        ]
