// The content of results.json, as types: names here are the names there. docs/results.md describes each.
namespace Plait.Lab.Report

/// A ratio to the base.
type RatioResult =
    {
        Median: float
        Low: float
        High: float
        Launches: float list
        Spread: float
        Pairs: int
    }

/// What was measured in process.
type InProcessResult = { CpuMicroseconds: float; Ratio: RatioResult; Verdict: string }

/// Responses that did not count, by kind.
type ErrorCounts = { Status: int64; Length: int64; Connection: int64; Timeout: int64 }

/// What was measured over HTTP.
type HttpResult =
    {
        CpuMicroseconds: float
        Ratio: RatioResult
        Verdict: string
        RequestsPerSecond: float
        RequestsPerSecondRatio: float
        CapacityPercent: float
        BytesPerRequest: float
        Requests: int64
        Errors: ErrorCounts
    }

/// A published figure for the way of writing of a row.
type RowPublished = { Source: string; PercentOfSync: float; Note: string option }

/// The factors of a row.
type Factors = { SyncFn: bool }

/// One row.
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
        Reason: string option
        Correct: bool option
        BytesPerRequest: float option
        BytesPerRequestNoEscape: float option
        InProcess: InProcessResult option
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
    }

    /// The version of the schema that this code writes.
    static member CurrentSchema = "plait-results/1"
