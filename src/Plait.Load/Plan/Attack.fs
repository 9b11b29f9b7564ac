// What a load run is asked to do, and what it came to: the words that the engine, the reports and the scenarios share.
namespace Plait.Load


open System

/// One kind of request.
type Ask =
    {
        /// GET, POST and so on.
        Method: string
        /// Where to: http or https.
        Url: Uri
        /// Headers besides Host, Content-Length and what the body needs.
        Headers: (string * string) list
        /// The body; empty for none.
        Body: byte[]
    }

/// When requests are to start in the open model, whatever becomes of those before.
type Arrivals =
    /// Evenly spaced, so many a second.
    | Constant of perSecond: float
    /// At random, so many a second on average, with exponential gaps.
    | Poisson of perSecond: float
    /// Evenly spaced at every moment, from one rate to another over the duration.
    | Ramp of from: float * until: float

/// Who decides when a request starts.
type Model =
    /// The schedule does. At most `connections` requests are in flight; one that finds none free waits, and its latency by
    /// the intended clock counts the wait.
    | Open of Arrivals * connections: int
    /// Each connection sends its next request when it has the answer to the one before.
    | Closed of connections: int

/// A load run as it was asked for.
type Plan =
    {
        /// What is sent, in turn.
        Asks: Ask list
        Model: Model
        Duration: TimeSpan
        /// Load before the duration that is not counted.
        WarmUp: TimeSpan
        /// How long one response may take from its actual sending.
        Timeout: TimeSpan
        /// The statuses that count as right; empty: 200 to 399.
        ExpectStatus: int list
        /// The exact body of a right response; None: any.
        ExpectBody: byte[] option
        /// Seeds the random arrivals.
        Seed: int
        /// Whether a server's certificate may be one that nobody vouches for.
        Insecure: bool
    }

/// What became of one request.
type Fate =
    | Right = 0
    /// The status is not among the expected ones.
    | WrongStatus = 1
    /// The body is not the expected one.
    | WrongBody = 2
    /// Nobody listens, or the connection was turned away.
    | Refused = 3
    /// The peer broke the connection off.
    | Reset = 4
    /// The peer closed the connection before the whole response was there.
    | Closed = 5
    /// The whole response was not there in time.
    | TimedOut = 6
    /// What came is not HTTP/1.1.
    | Garbage = 7
    /// TLS could not be agreed on.
    | Tls = 8
    /// It was due, but never sent: the run had ended, or every connection was in use until then.
    | Unsent = 9

/// One request, for plots and files. Times are from the start of the counted part.
[<Struct>]
type Sample =
    {
        /// Nanoseconds at which it was to be sent (closed model: was sent).
        Intended: int64
        /// Nanoseconds at which it was sent.
        Sent: int64
        /// Nanoseconds at which the last byte of the response was there, or it failed.
        Done: int64
        /// The status of the response; 0 where there is none.
        Status: int
        Fate: Fate
    }

/// What happened in one second of the counted part.
type Second =
    {
        /// Which one, from 0.
        At: int
        /// Requests that were due.
        Due: int64
        /// Right responses that came in.
        Right: int64
        /// Requests that failed.
        Failed: int64
        /// Requests in flight at its end.
        InFlight: int
        /// Latencies by the intended clock of the right responses that came in.
        Latency: Histogram
        /// The same by the actual clock.
        Actual: Histogram
    }

/// What a load run came to. Every request that was due or sent in the counted part is in exactly one entry of Fates.
type Outcome =
    {
        Plan: Plan
        StartedUtc: DateTime
        /// From the first intended start to the last response, and no less than the time in which requests were due.
        Elapsed: TimeSpan
        /// How many requests had each fate.
        Fates: Map<Fate, int64>
        /// How many responses had each status.
        Statuses: Map<int, int64>
        /// Bytes that were sent and received.
        BytesOut: int64
        BytesIn: int64
        /// Intended start to the last byte, of right responses.
        Intended: Histogram
        /// Actual sending to the last byte, of right responses.
        Actual: Histogram
        /// Actual minus intended start, of every request that was sent: how late the generator was, for whatever reason.
        Lag: Histogram
        /// The part of it that the generator itself is to blame for: a free connection was there.
        OwnLag: Histogram
        Seconds: Second list
        /// The requests one by one, as many as were kept.
        Samples: Sample[]
        /// Share of the generator's core that was in use, 0 to 1.
        Busy: float
        /// What this generator can do against a server that does nothing, in requests a second; None: not measured.
        Capacity: float option
        /// Why the figures are not to be relied on, one sentence each; empty: they are.
        Invalid: string list
        /// What was wrong with the first wrong response of each fate.
        Complaints: Map<Fate, string>
        /// It was stopped before its duration was over.
        Stopped: bool
    }

    /// Right responses.
    member this.Right = this.Fates |> Map.tryFind Fate.Right |> Option.defaultValue 0L

    /// All requests.
    member this.Requests = this.Fates |> Map.fold (fun sum _ count -> sum + count) 0L

    /// Right responses a second.
    member this.RightPerSecond = float this.Right / this.Elapsed.TotalSeconds
