// The content of results.json, as types: names here are the names there. docs/results.md describes each.
namespace Plait.Report

/// A ratio of CPU for a request to the base's.
type RatioResult =
    {
        Median: float
        Low: float
        High: float
        Launches: float list
        Spread: float
        Pairs: int
    }

/// A share of the base's figure in percent, with its 95 % interval.
type PercentResult = { Median: float; Low: float; High: float }

/// Responses that did not count, by kind.
type ErrorCounts = { Status: int64; Length: int64; Connection: int64; Timeout: int64 }

/// What was measured over HTTP.
type HttpResult =
    {
        CpuMicroseconds: float
        CpuRatio: RatioResult
        Verdict: string
        RequestsPerSecond: float
        RequestsPerSecondPercent: PercentResult
        CapacityPercent: float
        /// None: the server does not tell, because it is no .NET process.
        BytesPerRequest: float option
        Requests: int64
        Errors: ErrorCounts
    }

/// A published figure for the way of writing of a row.
type RowPublished = { Source: string; PercentOfSync: float; Note: string option }

/// The factors of a row.
type Factors = { SyncFn: bool }

/// One row. What stands outside Http was measured in process.
type Row =
    {
        Id: string
        Candidate: string
        Factors: Factors
        Label: string
        Family: string
        Library: string option
        LibraryVersion: string option
        Status: string
        Available: bool
        Reason: string option
        Correct: bool option
        BytesPerOperation: float option
        BytesPerOperationNoEscape: float option
        CpuMicroseconds: float option
        CpuRatio: RatioResult option
        NanosecondsPerWrapper: float option
        Verdict: string option
        Http: HttpResult option
        Published: RowPublished list
    }

/// A published row, whether or not one of ours corresponds to it.
type PublishedRow = { Source: string; Variant: string; PercentOfSync: float; SyncFn: bool }

/// How it was measured.
type RunSettings =
    {
        Launches: int
        Pairs: int
        SliceMilliseconds: int
        WarmUpMilliseconds: int
        Connections: int
    }

/// Where it was measured.
type RunEnvironment =
    {
        Os: string
        Kernel: string option
        Architecture: string
        Cpu: string option
        Cores: int
        Runtime: string
        Sdk: string option
        Gc: string
        TieredPgo: bool
        Git: string option
        Dirty: bool
        ServerCore: int option
        ClientCore: int option
        Pinning: string
        LoadAverage: float option
        StealPercent: float option
        Packages: Map<string, string>
        Variables: Map<string, string>
    }

/// Why a run measured as long as it did, and what it left out.
type Stopping =
    {
        /// The rule, fixed before the run: in words.
        Rule: string
        /// The width that intervals were to get under, as a share of the median.
        Width: float option
        /// The widest interval at the end, and whose it is.
        Widest: float option
        WidestRow: string option
        /// The time that the run had.
        BudgetSeconds: float option
        /// Launches of the row that had most.
        Launches: int
        /// Why no more were made, as a sentence.
        Reason: string
        /// The share of the server's core that the hypervisor may take from a pair that counts.
        StealLimit: float
        /// Pairs that were dropped for that, by row; rows that lost none are left out.
        DroppedPairs: Map<string, int>
    }

/// Everything a run came to.
type Results =
    {
        Schema: string
        Scenario: string
        Title: string
        StartedUtc: string
        EndedUtc: string
        Complete: bool
        Command: string
        Seed: int
        Base: string
        Margin: float
        Settings: RunSettings
        Environment: RunEnvironment
        Warnings: string list
        Rows: Row list
        Published: PublishedRow list
        /// Plots and tables besides the rows.
        Panels: Panel list
        /// Why it measured as long as it did; None: in scenarios that do not measure in pairs.
        Stopping: Stopping option
    }

    /// The version of the schema that this code writes.
    static member CurrentSchema = "plait-results/2"

    /// A moment as results write it.
    static member Stamp(utc: System.DateTime) : string =
        utc.ToString("yyyy-MM-ddTHH:mm:ssZ", System.Globalization.CultureInfo.InvariantCulture)
