// The plan of a load run, which is its whole request: the requests, their times, the connections, the right answers.
namespace Plait.Load

open System
open System.Text
open System.Text.Json.Serialization

open Plait.Common

/// The part of a load that one of several generators, or one of its threads, has: number `Index` of `Of`, from 0. Each part takes
/// every `Of`-th request of the same schedule, so that all parts together send each request once.
type Share =
    {
        Index: int
        Of: int
    }

    /// The only part.
    static member Whole = { Index = 0; Of = 1 }

    /// Its part of `count`. The parts of all shares add up to `count`.
    member this.Part(count: int64) : int64 =
        count / int64 this.Of + (if int64 this.Index < count % int64 this.Of then 1L else 0L)

    /// The share of one of its threads.
    member this.OfThread(index: int, threads: int) : Share =
        { Index = this.Index * threads + index; Of = this.Of * threads }

/// The protocol of a connection.
type HttpProtocol =
    /// HTTP/1.1: one request at a time.
    | Http1
    /// HTTP/2, so many requests at a time on each connection at most: over TLS by ALPN, without TLS with prior knowledge.
    | Http2 of streams: int

/// The files of a certificate and of its key, in PEM.
type CertificateFiles = { Certificate: string; Key: string }

/// The limit of this machine for the connections of one process.
type MachineBound =
    /// So many local ports.
    | LocalPorts of count: int
    /// So many files that a process may have open.
    | Descriptors of count: int

/// How connections are made and kept.
type ConnectionOptions =
    {
        Protocol: HttpProtocol
        /// The open model opens a connection when a request needs it, up to the number of the model; false: it opens all before
        /// the run. The closed model always opens all before the run.
        Grows: bool
        /// The limit of this machine that made the model's connections fewer than the rate needs; None: it did not.
        Bound: MachineBound option
        /// A connection carries one request after the other; false: each request has a connection of its own.
        KeepsAlive: bool
        /// Bytes that the head of a response may have.
        MaxHead: int
        /// Redirections of one request that are followed.
        Redirects: int
        /// Any certificate of a server is accepted.
        Insecure: bool
        /// The file, in PEM, of further trusted authorities besides this machine's.
        Authorities: string option
        /// The client's certificate for the server.
        ClientCertificate: CertificateFiles option
        /// HOST:PORT to connect to, in place of the URL's.
        ConnectTo: string option
        /// The path of the Unix socket to connect to, in place of the URL's host.
        UnixSocket: string option
    }

    /// The options without any of the command line.
    static member Default: ConnectionOptions =
        {
            Protocol = Http1
            Grows = true
            Bound = None
            KeepsAlive = true
            MaxHead = 256 * 1024
            Redirects = 0
            Insecure = false
            Authorities = None
            ClientCertificate = None
            ConnectTo = None
            UnixSocket = None
        }

/// Which row is next.
type DataOrder =
    /// One after the other, and from the first again.
    | InOrder
    /// Any of them.
    | AtRandom
    /// One after the other; the run ends when there is none left.
    | Once

/// Rows for requests.
type DataSource =
    {
        /// CSV whose first line has the names, or JSON lines (.jsonl).
        File: string
        Order: DataOrder
    }

/// One kind of request.
type HttpRequest =
    {
        /// GET, POST and so on.
        Method: string
        /// Where to: http or https.
        Url: Uri
        /// Headers; Host, Content-Length and Authorization are added if they are needed.
        Headers: (string * string) list
        /// The body; empty for none.
        Body: byte[]
    }

    /// A GET without headers of its own.
    static member Get(url: string) : HttpRequest =
        { Method = "GET"; Url = Uri url; Headers = []; Body = [||] }

    /// The method and the URL as they are shown to others: the URL as it was written, without its password.
    member this.MethodAndUrl = $"{this.Method} {RequestUrl.shown this.Url}"

/// The request of a load run. Names here are names in its JSON, where times are seconds.
type Plan =
    {
        /// The requests, sent in turn.
        [<JsonPropertyName "asks">]
        Requests: HttpRequest list
        Model: Model
        [<JsonPropertyName "durationSeconds">]
        Duration: TimeSpan
        /// Load before the duration that is not counted.
        [<JsonPropertyName "warmUpSeconds">]
        WarmUp: TimeSpan
        /// How long one response may take from its actual sending.
        [<JsonPropertyName "timeoutSeconds">]
        Timeout: TimeSpan
        /// The statuses that count as right; empty: 200 to 399.
        ExpectStatus: int list
        /// The exact body of a right response; None: any.
        ExpectBody: byte[] option
        /// Seeds the random arrivals and the random values in requests.
        Seed: int
        Connecting: ConnectionOptions
        /// The part of the model, of its connections and of the requests that this generator has.
        Share: Share
        /// When the counted part is to begin; None: at once.
        StartAt: DateTime option
        /// Threads that send; each has its share of the requests and of the connections.
        Threads: int
        /// The run ends after so many requests; None: with its duration.
        MaxRequests: int64 option
        /// The limit of the 99th percentile of the generator's own lag; None: judged by the latency.
        [<JsonPropertyName "maxLagSeconds">]
        MaxLag: TimeSpan option
        /// The values of names in braces in requests; None: only the values that the generator makes itself.
        Data: DataSource option
        Rules: Rule list
    }

/// Plans in words, and the figures of one generator.
module Plan =
    /// These requests in turn for a second; a response within ten seconds is right by the default statuses, with any body.
    let ofRequests (requests: HttpRequest list) (model: Model) : Plan =
        {
            Requests = requests
            Model = model
            Duration = TimeSpan.FromSeconds 1.
            WarmUp = TimeSpan.Zero
            Timeout = TimeSpan.FromSeconds 10.
            ExpectStatus = []
            ExpectBody = None
            Seed = 1
            Connecting = ConnectionOptions.Default
            Share = Share.Whole
            StartAt = None
            Threads = 1
            MaxRequests = None
            MaxLag = None
            Data = None
            Rules = []
        }

    /// One request over and over for a second, whose right response is status 200 with this body within ten seconds.
    let ofOne (request: HttpRequest) (body: string) (model: Model) : Plan =
        { ofRequests [ request ] model with
            ExpectStatus = [ 200 ]
            ExpectBody = Some(Encoding.UTF8.GetBytes body)
        }

    /// The duration of a run that goes on until it is stopped, or until it has sent its requests.
    let endless = TimeSpan.FromDays 7.

    /// It goes on until it is stopped, or until it has sent its requests.
    let isEndless (plan: Plan) : bool = plan.Duration = endless

    /// It has no end of its own.
    let isUntilStopped (plan: Plan) : bool =
        let endsWithRows = plan.Data |> Option.exists (fun data -> data.Order = Once)
        isEndless plan && plan.MaxRequests.IsNone && not endsWithRows

    /// When requests are due, and for how long, in a few words.
    let words (plan: Plan) : string =
        let warmUp =
            if plan.WarmUp > TimeSpan.Zero then
                $", after {Duration.showSpan plan.WarmUp} of warm-up"
            else
                ""

        let until =
            match plan.MaxRequests with
            | Some most when isEndless plan -> $"{most} requests"
            | Some most -> $"for {Duration.showSpan plan.Duration}, {most} requests at most"
            | None when isEndless plan -> "until it is stopped"
            | None -> $"for {Duration.showSpan plan.Duration}"

        let protocol =
            match plan.Connecting.Protocol with
            | Http1 -> ""
            | Http2 1 -> ", over HTTP/2 with one stream a connection"
            | Http2 streams -> $", over HTTP/2 with {streams} streams a connection"

        let share =
            if plan.Share = Share.Whole then
                ""
            else
                $", share {plan.Share.Index + 1} of {plan.Share.Of} of this"

        let trust = if plan.Connecting.Insecure then ", any certificate accepted" else ""
        $"{Arrivals.words plan.Model}, {until}{share}{warmUp}{protocol}{trust}"

    /// The highest rate that this generator's share asks for; None: the closed model, which asks for none.
    let peak (plan: Plan) : float option =
        Arrivals.peak plan.Model |> Option.map (fun rate -> rate / float plan.Share.Of)

    /// The requests that this generator makes at most.
    let mostRequests (plan: Plan) : int64 option =
        plan.MaxRequests |> Option.map plan.Share.Part

    /// The connections that this generator may have at once.
    let connections (plan: Plan) : int =
        int (plan.Share.Part(int64 plan.Model.Connections))

    /// The model of this generator's share alone.
    let ownModel (plan: Plan) : Model =
        match plan.Model with
        | Open(arrivals, _) -> Open(Arrivals.scaled (1.0 / float plan.Share.Of) arrivals, connections plan)
        | Closed _ -> Closed(connections plan)

    /// Connections that the open model would need if every response took as long as it may; None: the closed model.
    let connectionsWanted (plan: Plan) : float option =
        let streams =
            match plan.Connecting.Protocol with
            | Http1 -> 1
            | Http2 streams -> streams

        let wanted peak =
            let counted =
                match mostRequests plan with
                | Some most -> min (float most) (peak * plan.Duration.TotalSeconds)
                | None -> peak * plan.Duration.TotalSeconds

            let requests = peak * plan.WarmUp.TotalSeconds + counted
            Math.Ceiling(min requests (peak * plan.Timeout.TotalSeconds) / float streams)

        Option.map wanted (peak plan)

    /// The requests, in a few words.
    let target (plan: Plan) : string =
        match plan.Requests with
        | [] -> "nothing"
        | [ request ] -> request.MethodAndUrl
        | request :: rest -> $"{request.MethodAndUrl} and {rest.Length} more"

    /// Whether requests go over TLS, at least some of them.
    let isSecure (plan: Plan) : bool =
        plan.Requests |> List.exists (fun request -> request.Url.Scheme = Uri.UriSchemeHttps)
