// The counts of a whole run. They add: the engine of each thread counts into one of these, and the counts of the run
// are their sum. A new count is a field here, with its zero, its sum and its line of `Numbers`; its name in the JSON of a run is that
// of the field, except Connects and GeneratorLag.
namespace Plait.Load

open System.Text.Json.Serialization

/// The counts of a run or of one of its threads. While a thread counts, the fields are for this thread alone.
type RunCounts =
    {
        /// The number of times that a request was sent again: its connection was found closed, or the server had not processed it
        /// (HTTP/2: it refused the stream, or GOAWAY named a lower last stream).
        mutable Retried: int64
        /// Redirections that were followed.
        mutable Redirected: int64
        /// Connections that were open, each counted once, even if it was opened anew.
        mutable Connections: int
        /// How long each connect took, TLS included; as many as were made from before the run on, warm-up included.
        [<JsonPropertyName "connect">]
        Connects: Histogram
        /// HTTP/2: the streams that the server allows on each connection, the least number of several servers; None: no server has set
        /// a bound.
        mutable AllowedStreams: int option
        /// Requests that waited until an idle connection to their server was closed: the server serves few connections at a time.
        mutable WaitedForClose: int64
        /// Connections that ended between requests by a protocol error of the server, which no result of a request counts.
        mutable Violations: int64
        /// The first of these errors.
        mutable FirstViolation: string option
        /// Bytes that were sent and received.
        mutable BytesOut: int64
        mutable BytesIn: int64
        /// Intended start to the last byte, of right responses: every wait before the sending is a part of it.
        Intended: Histogram
        /// Actual sending to the last byte, of right responses.
        Actual: Histogram
        /// Intended start to actual sending, or to the end of the run, of the requests that waited because all
        /// allowed connections were in use.
        Waited: Histogram
        /// Actual minus intended start, of every request that was sent: how late the generator was, for whatever reason.
        Lag: Histogram
        /// The part of it in which a connection was free: the generator's own lag.
        [<JsonPropertyName "ownLag">]
        GeneratorLag: Histogram
    }

    /// Nothing yet, to be counted into.
    static member Zero: RunCounts =
        {
            Retried = 0L
            Redirected = 0L
            Connections = 0
            Connects = Histogram()
            AllowedStreams = None
            WaitedForClose = 0L
            Violations = 0L
            FirstViolation = None
            BytesOut = 0L
            BytesIn = 0L
            Intended = Histogram()
            Actual = Histogram()
            Waited = Histogram()
            Lag = Histogram()
            GeneratorLag = Histogram()
        }

    /// The counts besides those of histograms, by their names in the JSON.
    member this.Numbers() : (string * int64) list =
        [
            "retried", this.Retried
            "redirected", this.Redirected
            "connections", int64 this.Connections

            match this.AllowedStreams with
            | Some streams -> "allowedStreams", int64 streams
            | None -> ()

            "waitedForClose", this.WaitedForClose
            "violations", this.Violations
            "bytesOut", this.BytesOut
            "bytesIn", this.BytesIn
        ]

    /// The sum of both.
    static member (+)(one: RunCounts, other: RunCounts) : RunCounts =
        {
            Retried = one.Retried + other.Retried
            Redirected = one.Redirected + other.Redirected
            Connections = one.Connections + other.Connections
            Connects = one.Connects + other.Connects
            AllowedStreams =
                match one.AllowedStreams, other.AllowedStreams with
                | Some one, Some other -> Some(min one other)
                | one, None -> one
                | None, other -> other
            WaitedForClose = one.WaitedForClose + other.WaitedForClose
            Violations = one.Violations + other.Violations
            FirstViolation = one.FirstViolation |> Option.orElse other.FirstViolation
            BytesOut = one.BytesOut + other.BytesOut
            BytesIn = one.BytesIn + other.BytesIn
            Intended = one.Intended + other.Intended
            Actual = one.Actual + other.Actual
            Waited = one.Waited + other.Waited
            Lag = one.Lag + other.Lag
            GeneratorLag = one.GeneratorLag + other.GeneratorLag
        }
