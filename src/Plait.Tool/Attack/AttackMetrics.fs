// The metrics of a load run for an OpenTelemetry collector, sent each second by OpenTelemetry's own exporter over HTTP. Names follow its
// semantic conventions as far as these go. A collector that is not there, or refuses, does not disturb the run.
namespace Plait.Tool

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Diagnostics
open System.Diagnostics.Metrics
open System.Net.Http
open System.Threading
open System.Threading.Tasks
open OpenTelemetry
open OpenTelemetry.Exporter
open OpenTelemetry.Metrics
open OpenTelemetry.Resources

open Plait.Load

/// Notes the error of each sending, which the exporter does not report.
type private NotingHandler(patience: TimeSpan) =
    inherit DelegatingHandler(new SocketsHttpHandler())

    /// Sending ends by then; later metrics fail at once.
    member val Until = DateTime.MaxValue with get, set

    /// The error of the last sending; None: it succeeded.
    member val Trouble: string option = None with get, set

    override this.Send(request, stop) =
        let left = this.Until - DateTime.UtcNow |> min patience
        use limited = CancellationTokenSource.CreateLinkedTokenSource stop

        if left > TimeSpan.Zero then limited.CancelAfter left else limited.Cancel()

        try
            let response = base.Send(request, limited.Token)

            this.Trouble <-
                if response.IsSuccessStatusCode then
                    None
                else
                    Some $"it answers with status {int response.StatusCode}"

            response
        with
        | :? HttpRequestException as trouble ->
            this.Trouble <-
                Some(
                    match trouble.HttpRequestError with
                    | HttpRequestError.ConnectionError -> "no server takes connections there"
                    | HttpRequestError.NameResolutionError -> "its host cannot be found"
                    | HttpRequestError.SecureConnectionError -> "TLS could not be agreed on"
                    | HttpRequestError.ResponseEnded ->
                        "the connection was closed before its answer was whole"
                    | HttpRequestError.InvalidResponse -> "its answer is not HTTP"
                    | _ -> $"the connection broke before its answer: {trouble.GetBaseException().Message}"
                )

            reraise ()
        | :? OperationCanceledException ->
            this.Trouble <-
                this.Trouble
                |> Option.orElse (Some $"it does not answer within {patience.TotalSeconds} s")

            reraise ()

/// Metrics of one run, sent to the collector at `url`; `notice` is called once if they do not arrive.
type internal AttackMetrics(url: Uri, name: string, plan: Plan, notice: string -> unit) =
    static let source = "plait.attack"
    static let patience = TimeSpan.FromSeconds 5.

    // The bounds of the semantic conventions, and finer ones: a service in the same network answers in less than 5 ms.
    static let bounds =
        [|
            0.0001
            0.00025
            0.0005
            0.001
            0.0025
            0.005
            0.01
            0.025
            0.05
            0.075
            0.1
            0.25
            0.5
            0.75
            1.0
            2.5
            5.0
            7.5
            10.0
        |]

    let place =
        // The collector's address without a path is the base of OTLP's paths.
        if url.AbsolutePath = "/" then Uri(url, "/v1/metrics") else url

    let handler = new NotingHandler(patience)
    let meter = new Meter(source)

    let instrument (name: string) (words: string) =
        meter.CreateCounter<int64>(name, "{request}", words)

    let histogram (name: string) (words: string) =
        meter.CreateHistogram<float>(
            name,
            "s",
            words,
            null,
            InstrumentAdvice<float>(HistogramBucketBoundaries = bounds)
        )

    let mutable inFlight = 0

    let fromSend =
        histogram
            "http.client.request.duration"
            "Duration of right responses, from the sending of their requests"

    let fromIntended =
        histogram "plait.attack.latency" "Duration of right responses, from when their requests were due"

    let due = instrument "plait.attack.due" "Requests that were due"

    let ended =
        instrument "plait.attack.requests" "Requests that ended, by their result"

    let counts =
        [
            for count in LoadFigures.forOutput RunOutput.Otlp do
                count, instrument $"plait.attack.{count.Figure.Figure.Key}" count.Label
        ]

    /// The attributes that all requests of the plan share, by the names of the semantic conventions.
    let common =
        let shared (key: string) (read: HttpRequest -> objnull) =
            match plan.Requests |> List.map read |> List.distinct with
            | [ only ] -> [ KeyValuePair(key, only) ]
            | _ -> []

        [
            yield! shared "http.request.method" (fun request -> request.Method)
            yield! shared "server.address" (fun request -> request.Url.Host)
            yield! shared "server.port" (fun request -> request.Url.Port)
            yield! shared "url.scheme" (fun request -> request.Url.Scheme)
        ]

    let tags (more: (string * string) list) =
        let tags = TagList()

        (tags, common @ [ for key, value in more -> KeyValuePair(key, box value) ])
        ||> List.fold (fun tags tag ->
            let mutable tags = tags
            tags.Add tag
            tags)

    let usual = tags []

    do
        meter.CreateObservableUpDownCounter<int>(
            "http.client.active_requests",
            (fun () -> Measurement<int>(inFlight, &usual)),
            "{request}",
            "Requests in flight"
        )
        |> ignore

    let provider =
        let options =
            OtlpExporterOptions(
                Endpoint = place,
                Protocol = OtlpExportProtocol.HttpProtobuf,
                TimeoutMilliseconds = int patience.TotalMilliseconds,
                HttpClientFactory = fun () -> new HttpClient(handler, false, Timeout = patience)
            )

        let resource =
            ResourceBuilder
                .CreateEmpty()
                .AddService("plait-attack")
                .AddTelemetrySdk()
                .AddAttributes([ KeyValuePair("plait.attack.name", name :> obj) ])
                // Last, because the user's values win.
                .AddEnvironmentVariableDetector()

        Sdk
            .CreateMeterProviderBuilder()
            .SetResourceBuilder(resource)
            .AddMeter(source)
            .AddReader(new BaseExportingMetricReader(new OtlpMetricExporter(options)))
            .Build()

    let record (histogram: Histogram<float>) (durations: Plait.Load.Histogram) =
        for bucket in durations.Buckets do
            let seconds =
                (float bucket.Lowest + float (bucket.Highest - bucket.Lowest) / 2.0) / 1e9

            for _ in 1L .. bucket.Count do
                histogram.Record(seconds, &usual)

    let count (counter: Counter<int64>) (number: int64) =
        if number > 0L then
            counter.Add(number, &usual)

    let ofResult (result: RequestResult) (number: int64) =
        let tags = tags [ "plait.attack.result", Outcome.resultName result ]

        if number > 0L then
            ended.Add(number, &tags)

    let send () : string option =
        if provider.ForceFlush(2 * int patience.TotalMilliseconds) then
            None
        else
            Some(handler.Trouble |> Option.defaultValue "the exporter could not send them")

    let mutable isNoticed = false

    let note (second: Second) =
        count due second.Due
        ofResult RequestResult.Right second.Right

        for KeyValue(result, number) in second.Failures do
            ofResult result number

        inFlight <- second.InFlight
        record fromSend second.Actual
        record fromIntended second.Latency

    let sendNow () =
        match send () with
        | Some why when not isNoticed ->
            isNoticed <- true

            notice
                $"metrics do not reach {place}: {why}; the run goes on, and they are tried again each second"
        | _ -> ()

    let seconds = new BlockingCollection<Second>()

    let telling =
        Task.Factory.StartNew(
            (fun () ->
                for second in seconds.GetConsumingEnumerable() do
                    note second

                    // Seconds that came during a slow sending go together, and the last ones go with End.
                    if seconds.Count = 0 && not seconds.IsAddingCompleted then
                        sendNow ()),
            TaskCreationOptions.LongRunning
        )

    /// A second is over. Returns at once.
    member _.Tell(second: Second) : unit = seconds.Add second

    /// The run is over. Returns a sentence if metrics did not arrive; None: all arrived.
    member _.End(outcome: Outcome) : string option =
        // All sendings that are left together.
        handler.Until <- DateTime.UtcNow + patience
        seconds.CompleteAdding()
        telling.GetAwaiter().GetResult()

        for told, counter in counts do
            count counter (told.Read outcome)

        let trouble = send ()

        // The provider sends once more when it is disposed of.
        handler.Until <- DateTime.MinValue
        trouble |> Option.map (fun why -> $"the metrics did not reach {place}: {why}")

    interface IDisposable with
        member _.Dispose() =
            if not seconds.IsAddingCompleted then
                seconds.CompleteAdding()

            telling.GetAwaiter().GetResult()
            provider.Dispose()
            meter.Dispose()
            handler.Dispose()
            seconds.Dispose()
