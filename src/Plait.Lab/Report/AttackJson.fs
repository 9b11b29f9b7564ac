// The JSON of a load run: writing it, and reading back what was written. All but the samples, which are thinned, comes back
// as it was, histograms to the last count.
namespace Plait.Lab.Report

open System
open System.Text.Encodings.Web
open System.Text.Json

open Plait.Lab
open Plait.Lab.Load

/// A load run with what stands around it: what reports are made of.
type Recording =
    {
        /// What it is called among others.
        Name: string
        /// The command that repeats it.
        Command: string
        Outcome: Outcome
        /// What a reader should know besides what makes the run invalid, one sentence each.
        Warnings: string list
        /// Where it ran; None where that is not known.
        Environment: RunEnvironment option
    }

/// plait-attack/1 as text.
module AttackJson =
    let private options =
        JsonSerializerOptions(
            PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
            WriteIndented = true,
            RespectRequiredConstructorParameters = true,
            RespectNullableAnnotations = true,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping
        )

    /// The percentiles that stand in files to be read without a tool.
    let percents =
        [ 1.0; 5.0; 10.0; 25.0; 50.0; 75.0; 90.0; 95.0; 99.0; 99.9; 99.99; 99.999; 100.0 ]

    let private sampleColumns =
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
            Percentiles =
                percents
                |> List.map (fun percent -> { Percent = percent; Nanoseconds = histogram.Percentile percent })
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
            RatePerSecond = AttackText.rate outcome
            RightPerSecond = AttackText.throughput outcome
            Success = AttackText.success outcome
            Fates =
                outcome.Fates
                |> Map.toList
                |> List.map (fun (fate, count) -> AttackText.fateName fate, count)
                |> Map.ofList
            Statuses =
                outcome.Statuses
                |> Map.toList
                |> List.map (fun (key, value) -> string key, value)
                |> Map.ofList
            Complaints =
                outcome.Complaints
                |> Map.toList
                |> List.map (fun (fate, text) -> AttackText.fateName fate, text)
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

    /// The text of the file: two-space indentation, a line feed at the end.
    let write (recording: Recording) : string =
        JsonSerializer.Serialize(file recording, options) + "\n"

    // Reading: each function is given where it reads, for the sentence.

    let private refuse (where: string) (what: string) : 'T = raise (BadInput $"{where} {what}")

    let private bytes (where: string) (text: string) =
        try
            Convert.FromBase64String text
        with :? FormatException ->
            refuse where "is not base64: it is damaged"

    let private fromHistogram (where: string) (written: HistogramFile) : Histogram =
        match CompressedHistogram.decode 1L written.Hdr with
        | Error reason -> refuse where $"holds a histogram that {reason}"
        | Ok decoded when decoded.Histogram.Count <> written.Count ->
            refuse
                where
                $"says that it counts {written.Count}, and its histogram holds {decoded.Histogram.Count}: it was changed by hand or is damaged"
        | Ok decoded -> CompressedHistogram.withEnds written.Min written.Max written.Clipped decoded.Histogram

    let private fate (where: string) (name: string) : Fate =
        match AttackText.fates |> List.tryFind (fun fate -> AttackText.fateName fate = name) with
        | Some fate -> fate
        | None ->
            let known = AttackText.fates |> List.map AttackText.fateName |> String.concat ", "
            refuse where $"has '{name}', which is none of: {known}"

    let private fromAsk (where: string) (written: AskFile) : Ask =
        match Uri.TryCreate(written.Url, UriKind.Absolute) with
        | true, url ->
            {
                Method = written.Method
                Url = nonNull url
                Headers = written.Headers |> List.map (fun header -> header.Name, header.Value)
                Body = bytes (where + ".body") written.Body
            }
        | _ -> refuse where $"has the URL '{written.Url}', which is none"

    let private fromPlan (where: string) (written: PlanFile) : Plan =
        let model =
            match written.Model, written.Arrivals, written.RatePerSecond, written.UntilPerSecond with
            | "open", Some "constant", Some rate, _ -> Open(Constant rate, written.Connections)
            | "open", Some "poisson", Some rate, _ -> Open(Poisson rate, written.Connections)
            | "open", Some "ramp", Some from, Some until -> Open(Ramp(from, until), written.Connections)
            | "closed", _, _, _ -> Closed written.Connections
            | _ ->
                refuse
                    where
                    "is neither closed nor open with the arrivals constant, poisson or ramp and their rates"

        let seconds (value: float) =
            if abs value < 1e9 then
                TimeSpan.FromSeconds value
            else
                refuse where $"has a time of {value} seconds"

        {
            Asks = written.Asks |> List.mapi (fun at ask -> fromAsk $"{where}.asks[{at}]" ask)
            Model = model
            Duration = seconds written.DurationSeconds
            WarmUp = seconds written.WarmUpSeconds
            Timeout = seconds written.TimeoutSeconds
            ExpectStatus = written.ExpectStatus
            ExpectBody = written.ExpectBody |> Option.map (bytes (where + ".expectBody"))
            Seed = written.Seed
            Insecure = written.Insecure
        }

    let private fromPoint (where: string) (point: int64[]) : Sample =
        match point with
        | [| intended; sent; done'; status; fate |] when
            abs status < 1000L && Enum.IsDefined(enum<Fate>(int (min fate 1000L)))
            ->
            {
                Intended = intended
                Sent = sent
                Done = done'
                Status = int status
                Fate = enum<Fate>(int fate)
            }
        | _ ->
            let columns = String.concat ", " sampleColumns
            refuse where $"is not five numbers: {columns}"

    let private status (where: string) (text: string) =
        match Int32.TryParse text with
        | true, status -> status
        | _ -> refuse where $"has the status '{text}', which is none"

    let private recording (file: string) (written: AttackFile) : Recording =
        let started =
            match
                DateTime.TryParse(
                    written.StartedUtc,
                    Globalization.CultureInfo.InvariantCulture,
                    Globalization.DateTimeStyles.AdjustToUniversal
                    ||| Globalization.DateTimeStyles.AssumeUniversal
                )
            with
            | true, time -> time
            | _ -> refuse $"{file}: startedUtc" $"is '{written.StartedUtc}', which is no time"

        let keyed (name: string) (read: string -> string -> 'Key) (map: Map<string, 'Value>) =
            map
            |> Map.toList
            |> List.map (fun (key, value) -> read $"{file}: {name}" key, value)
            |> Map.ofList

        if not (abs written.ElapsedSeconds < 1e9) then
            refuse $"{file}: elapsedSeconds" $"is {written.ElapsedSeconds}"

        {
            Name = written.Name
            Command = written.Command
            Warnings = written.Warnings
            Environment = written.Environment
            Outcome =
                {
                    Plan = fromPlan $"{file}: plan" written.Plan
                    StartedUtc = started
                    Elapsed = TimeSpan.FromSeconds written.ElapsedSeconds
                    Fates = keyed "fates" fate written.Fates
                    Statuses = keyed "statuses" status written.Statuses
                    BytesOut = written.BytesOut
                    BytesIn = written.BytesIn
                    Intended = fromHistogram $"{file}: intended" written.Intended
                    Actual = fromHistogram $"{file}: actual" written.Actual
                    Lag = fromHistogram $"{file}: lag" written.Lag
                    OwnLag = fromHistogram $"{file}: ownLag" written.OwnLag
                    Seconds =
                        written.Seconds
                        |> List.mapi (fun at second ->
                            {
                                At = second.At
                                Due = second.Due
                                Right = second.Right
                                Failed = second.Failed
                                InFlight = second.InFlight
                                Latency = fromHistogram $"{file}: seconds[{at}].latency" second.Latency
                                Actual = fromHistogram $"{file}: seconds[{at}].actual" second.Actual
                            })
                    Samples =
                        written.Samples.Points
                        |> Array.mapi (fun at point -> fromPoint $"{file}: samples.points[{at}]" point)
                    Busy = written.Busy
                    Capacity = written.Capacity
                    Invalid = written.Invalid
                    Complaints = keyed "complaints" fate written.Complaints
                    Stopped = written.Stopped
                }
        }

    /// Reads the text of a load run. `file` is for sentences. Raises BadInput when it is not one of this schema.
    let read (file: string) (content: string) : Recording =
        let written =
            try
                JsonSerializer.Deserialize<AttackFile>(content, options)
            with :? JsonException as trouble ->
                refuse file $"is not the JSON of a load run ({AttackFile.CurrentSchema}): {trouble.Message}"

        match written with
        | null -> refuse file "holds null instead of a load run"
        | written when written.Schema <> AttackFile.CurrentSchema ->
            refuse
                file
                $"has the schema '{written.Schema}', and this tool reads '{AttackFile.CurrentSchema}'; use the tool that wrote it"
        | written -> recording file written
