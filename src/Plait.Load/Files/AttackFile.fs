// The content of the JSON of a load run (schema plait-attack/1), as types: names here are the names there. docs/load-reports.md
// describes each.
namespace Plait.Load

open Plait.Report

/// A header of a request.
type HeaderFile = { Name: string; Value: string }

/// One kind of request; the body is in base64.
type AskFile = { Method: string; Url: string; Headers: HeaderFile list; Body: string }

/// The plan of a load run.
type PlanFile =
    {
        Asks: AskFile list
        /// "open" or "closed".
        Model: string
        /// "constant", "poisson" or "ramp"; None in the closed model.
        Arrivals: string option
        /// Requests a second, at first in a ramp; None in the closed model.
        RatePerSecond: float option
        /// Requests a second at the end of a ramp.
        UntilPerSecond: float option
        Connections: int
        DurationSeconds: float
        WarmUpSeconds: float
        TimeoutSeconds: float
        ExpectStatus: int list
        /// In base64; None: any body.
        ExpectBody: string option
        Seed: int
        Insecure: bool
    }

/// A histogram: its figures to be read, and all of its counts in HdrHistogram's compressed encoding V2.
type HistogramFile =
    {
        Count: int64
        /// How many were longer than an hour, and count as an hour.
        Clipped: int64
        Min: int64
        Max: int64
        /// None where there is none.
        Mean: float option
        Deviation: float option
        /// Pairs of a percentage and the nanoseconds that so many do not exceed.
        Percentiles: float[][]
        Hdr: string
    }

/// One second of a load run.
type SecondFile =
    {
        At: int
        Due: int64
        Right: int64
        Failed: int64
        InFlight: int
        /// From the intended start.
        Latency: HistogramFile
        /// From the actual sending.
        Actual: HistogramFile
    }

/// Requests one by one, thinned.
type SamplesFile =
    {
        /// How many there were.
        Of: int64
        /// What the numbers of a point are.
        Columns: string list
        Points: int64[][]
    }

/// A load run.
type AttackFile =
    {
        Schema: string
        Name: string
        Command: string
        StartedUtc: string
        ElapsedSeconds: float
        Stopped: bool
        Plan: PlanFile
        Requests: int64
        RatePerSecond: float
        RightPerSecond: float
        /// 0 to 1.
        Success: float
        Fates: Map<string, int64>
        Statuses: Map<string, int64>
        Complaints: Map<string, string>
        BytesOut: int64
        BytesIn: int64
        Intended: HistogramFile
        Actual: HistogramFile
        Lag: HistogramFile
        OwnLag: HistogramFile
        Seconds: SecondFile list
        Samples: SamplesFile
        Busy: float
        Capacity: float option
        /// Why the figures are not to be relied on; empty: they are.
        Invalid: string list
        /// What a reader should know besides.
        Warnings: string list
        /// None where it is not known.
        Environment: RunEnvironment option
    }

    /// The version of the schema that this code writes.
    static member CurrentSchema = "plait-attack/1"
