// Pure: a load run as the block of statistics that crank, the distributed runner of the .NET teams, reads from the output
// of a job. Percentiles of several generators cannot be merged, and crank takes the largest.
module Plait.Load.CrankStatistics

open System.Globalization
open System.Text.Encodings.Web
open System.Text.Json

open Plait.Report

/// How crank makes one figure of the figures of several jobs.
type private Reduce =
    | Sum
    | Max

/// Its name for crank, its description, and how it is read.
type private Statistic = { Name: string; Description: string; Reduce: Reduce; Read: LoadFigure<Outcome> }

let private statistics: Statistic list =
    let make reduce name description read =
        { Name = name; Description = description; Reduce = reduce; Read = read }

    let percentile name clock (read: Outcome -> Histogram) (percent: float) =
        let shown = percent.ToString CultureInfo.InvariantCulture

        make
            Max
            $"{name}/{shown}"
            $"Latency {shown}th{clock} (ms)"
            ((LoadFigures.percentile percent).From read)

    [
        make Sum "http/requests" "Requests" LoadFigures.requests
        make Sum "http/requests/badresponses" "Bad responses" LoadFigures.failed
        make Sum "http/rps/mean" "Requests/sec" LoadFigures.rightPerSecond
        for percent in [ 50.0; 75.0; 90.0; 95.0; 99.0; 99.9 ] do
            percentile "http/latency" "" _.Counts.Intended percent
        make
            Max
            "http/latency/max"
            "Max latency (ms)"
            (LoadFigures.longest.From(fun (outcome: Outcome) -> outcome.Counts.Intended))
        for percent in [ 50.0; 99.0 ] do
            percentile "plait/latency/actual" " from send" _.Counts.Actual percent
        make
            Max
            "plait/lag/99"
            "Generator lag 99th (ms)"
            (LoadFigures.percentile(99.0).From _.Counts.GeneratorLag)
        for count in LoadFigures.forOutput RunOutput.Crank do
            make Sum $"plait/{count.Figure.Figure.Key}" count.Label count.Figure
        make
            Max
            "plait/waited/99"
            "Waiting for a connection 99th (ms)"
            (LoadFigures.percentile(99.0).From(fun (outcome: Outcome) -> outcome.Counts.Waited))
        make Max "plait/rules/broken" "Rules broken" LoadFigures.brokenRules
        make Max "plait/busy" "Generator core in use (%)" LoadFigures.busy
        make
            Max
            "plait/invalid"
            "Reasons not to rely on it"
            (LoadFigures.number "invalid" "reasons" 0 "" (fun outcome -> float outcome.Invalid.Length))
        make
            Max
            "plait/lagged"
            "Percentiles with lag"
            (LoadFigures.number "lagged" "percentiles" 0 "" (fun outcome ->
                float outcome.LaggedPercentiles.Length))
    ]

let private options =
    JsonSerializerOptions(WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping)

/// The block, which must be the last thing that a job prints. A figure that the run does not have is left out.
let write (outcome: Outcome) : string =
    let stamp =
        (outcome.StartedUtc + outcome.Elapsed)
            .ToString("yyyy-MM-ddTHH:mm:ss.fffZ", CultureInfo.InvariantCulture)

    let known =
        statistics
        |> List.choose (fun one -> one.Read.Value outcome |> Option.map (fun value -> one, value))

    let block =
        {|
            Metadata =
                [
                    for one, _ in known do
                        {|
                            source = "plait attack"
                            name = one.Name
                            aggregate = "Max"
                            reduce = (if one.Reduce = Sum then "Sum" else "Max")
                            format = $"n{one.Read.Figure.Decimals}"
                            longDescription = one.Description
                            shortDescription = one.Description
                        |}
                ]
            Measurements =
                [
                    for one, value in known do
                        {| name = one.Name; timestamp = stamp; value = value |}
                ]
        |}

    $"#StartJobStatistics\n{JsonSerializer.Serialize(block, options)}\n#EndJobStatistics\n"
