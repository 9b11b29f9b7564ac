// Pure: a load run as the block of statistics that crank, the distributed runner of the .NET teams, reads from the output
// of a job. What it cannot merge rightly, percentiles of several generators, it is told to take the largest of.
module Plait.Load.CrankStatistics

open System
open System.Globalization
open System.Text.Encodings.Web
open System.Text.Json

open Plait.Report

/// How crank makes one figure of those of several jobs.
type private Reduce =
    | Sum
    | Max

type private Figure =
    {
        Name: string
        Description: string
        Format: string
        Reduce: Reduce
        Read: Outcome -> float
    }

/// In milliseconds; no number where there is no duration.
let private latency (histogram: Histogram) (percent: float) =
    if histogram.Count = 0L then nan else Duration.milliseconds (histogram.Percentile percent)

let private percentile clock name (read: Outcome -> Histogram) (percent: float) : Figure =
    let shown = percent.ToString(CultureInfo.InvariantCulture)

    {
        Name = $"{name}/{shown}"
        Description = $"Latency {shown}th{clock} (ms)"
        Format = "n3"
        Reduce = Max
        Read = fun outcome -> latency (read outcome) percent
    }

let private figures: Figure list =
    let sum name description format read =
        { Name = name; Description = description; Format = format; Reduce = Sum; Read = read }

    let max name description format read =
        { sum name description format read with Reduce = Max }

    [
        sum "http/requests" "Requests" "n0" (fun outcome -> float outcome.Requests)
        sum "http/requests/badresponses" "Bad responses" "n0" (fun outcome ->
            float (outcome.Requests - outcome.Right))
        sum "http/rps/mean" "Requests/sec" "n0" _.RightPerSecond
        for percent in [ 50.0; 75.0; 90.0; 95.0; 99.0; 99.9 ] do
            percentile "" "http/latency" _.Intended percent
        max "http/latency/max" "Max latency (ms)" "n3" (fun outcome -> latency outcome.Intended 100.0)
        for percent in [ 50.0; 99.0 ] do
            percentile " from send" "plait/latency/actual" _.Actual percent
        max "plait/lag/99" "Generator lag 99th (ms)" "n3" (fun outcome -> latency outcome.GeneratorLag 99.0)
        max "plait/busy" "Generator core in use (%)" "n0" (fun outcome -> 100.0 * outcome.Busy)
        max "plait/invalid" "Reasons not to rely on it" "n0" (fun outcome -> float outcome.Invalid.Length)
    ]

let private options =
    JsonSerializerOptions(WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping)

/// The block, which must be the last thing that a job prints. A figure that is not a number is left out.
let write (outcome: Outcome) : string =
    let stamp =
        (outcome.StartedUtc + outcome.Elapsed)
            .ToString("yyyy-MM-ddTHH:mm:ss.fffZ", CultureInfo.InvariantCulture)

    let known =
        figures
        |> List.map (fun figure -> figure, figure.Read outcome)
        |> List.filter (fun (_, value) -> Double.IsFinite value)

    let block =
        {|
            Metadata =
                [
                    for figure, _ in known do
                        {|
                            source = "plait attack"
                            name = figure.Name
                            aggregate = "Max"
                            reduce = (if figure.Reduce = Sum then "Sum" else "Max")
                            format = figure.Format
                            longDescription = figure.Description
                            shortDescription = figure.Description
                        |}
                ]
            Measurements =
                [
                    for figure, value in known do
                        {| name = figure.Name; timestamp = stamp; value = value |}
                ]
        |}

    $"#StartJobStatistics\n{JsonSerializer.Serialize(block, options)}\n#EndJobStatistics\n"
