// From a load run to the content of its JSON.
module Plait.Load.AttackToFile


open System


/// The percentiles that stand in files to be read without a tool.
let percents =
    [ 1.0; 5.0; 10.0; 25.0; 50.0; 75.0; 90.0; 95.0; 99.0; 99.9; 99.99; 99.999; 100.0 ]

/// What the numbers of a sample are.
let sampleColumns =
    [ "intendedNanoseconds"; "sentNanoseconds"; "doneNanoseconds"; "status"; "fate" ]

let private figure (value: float) =
    if Double.IsFinite value then Some value else None

let private toHistogram (histogram: Histogram) : HistogramFile =
    {
        Count = histogram.Count
        Clipped = histogram.Clipped
        Min = histogram.Min
        Max = histogram.Max
        Mean = figure histogram.Mean
        Deviation = figure histogram.Deviation
        Percentiles = [| for percent in percents -> [| percent; float (histogram.Percentile percent) |] |]
        Hdr = CompressedHistogram.encode histogram
    }

let private toAsk (ask: Ask) : AskFile =
    {
        Method = ask.Method
        Url = ask.Url.OriginalString
        Headers = ask.Headers |> List.map (fun (name, value) -> { Name = name; Value = value })
        Body = Convert.ToBase64String ask.Body
    }

let private toPlan (plan: Plan) : PlanFile =
    let model, arrivals, rate, until, connections =
        match plan.Model with
        | Open(Constant rate, connections) -> "open", Some "constant", Some rate, None, connections
        | Open(Poisson rate, connections) -> "open", Some "poisson", Some rate, None, connections
        | Open(Ramp(from, until), connections) -> "open", Some "ramp", Some from, Some until, connections
        | Closed connections -> "closed", None, None, None, connections

    {
        Asks = plan.Asks |> List.map toAsk
        Model = model
        Arrivals = arrivals
        RatePerSecond = rate
        UntilPerSecond = until
        Connections = connections
        DurationSeconds = plan.Duration.TotalSeconds
        WarmUpSeconds = plan.WarmUp.TotalSeconds
        TimeoutSeconds = plan.Timeout.TotalSeconds
        ExpectStatus = plan.ExpectStatus
        ExpectBody = plan.ExpectBody |> Option.map Convert.ToBase64String
        Seed = plan.Seed
        Insecure = plan.Insecure
    }

let private point (sample: Sample) =
    [| sample.Intended; sample.Sent; sample.Done; int64 sample.Status; int64 sample.Fate |]

let private toSamples (outcome: Outcome) : SamplesFile =
    {
        Of = outcome.Requests
        Columns = sampleColumns
        Points = Thin.samples Thin.dots outcome.Samples |> Array.map point
    }

/// The content of the file of a load run.
let file (recording: Recording) : AttackFile =
    let outcome = recording.Outcome

    {
        Schema = AttackFile.CurrentSchema
        Name = recording.Name
        Command = recording.Command
        StartedUtc = outcome.StartedUtc.ToString("O", Globalization.CultureInfo.InvariantCulture)
        ElapsedSeconds = outcome.Elapsed.TotalSeconds
        Stopped = outcome.Stopped
        Plan = toPlan outcome.Plan
        Requests = outcome.Requests
        RatePerSecond = AttackFigures.rate outcome
        RightPerSecond = AttackFigures.throughput outcome
        Success = AttackFigures.success outcome
        Fates =
            outcome.Fates
            |> Map.toList
            |> List.map (fun (fate, count) -> AttackFigures.fateName fate, count)
            |> Map.ofList
        Statuses =
            outcome.Statuses
            |> Map.toList
            |> List.map (fun (key, value) -> string key, value)
            |> Map.ofList
        Complaints =
            outcome.Complaints
            |> Map.toList
            |> List.map (fun (fate, text) -> AttackFigures.fateName fate, text)
            |> Map.ofList
        BytesOut = outcome.BytesOut
        BytesIn = outcome.BytesIn
        Intended = toHistogram outcome.Intended
        Actual = toHistogram outcome.Actual
        Lag = toHistogram outcome.Lag
        OwnLag = toHistogram outcome.OwnLag
        Seconds =
            outcome.Seconds
            |> List.map (fun second ->
                {
                    At = second.At
                    Due = second.Due
                    Right = second.Right
                    Failed = second.Failed
                    InFlight = second.InFlight
                    Latency = toHistogram second.Latency
                    Actual = toHistogram second.Actual
                })
        Samples = toSamples outcome
        Busy = outcome.Busy
        Capacity = outcome.Capacity
        Invalid = outcome.Invalid
        Warnings = recording.Warnings
        Environment = recording.Environment
    }
