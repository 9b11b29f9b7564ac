// The content of results.json, as types: names here are the names there. docs/results.md describes each.
namespace Plait.Report

open System.Text.Json.Serialization
open Plait.Common

/// Responses that did not count, by kind.
type ErrorCounts =
    {
        /// The status was not 200.
        Status: int64
        /// The body was not as long as it must be, or the response was not HTTP/1.1 with a Content-Length.
        Length: int64
        /// The connection was refused, reset or closed before the response was complete.
        Connection: int64
        /// No complete response within the time-out.
        Timeout: int64
    }

    /// No errors.
    static member None = { Status = 0L; Length = 0L; Connection = 0L; Timeout = 0L }

    /// All kinds together.
    member this.Total = this.Status + this.Length + this.Connection + this.Timeout

    /// Kind by kind.
    static member (+)(a, b) =
        {
            Status = a.Status + b.Status
            Length = a.Length + b.Length
            Connection = a.Connection + b.Connection
            Timeout = a.Timeout + b.Timeout
        }

/// A published figure for the way of writing of a row.
type RowPublished = { Source: string; PercentOfSync: float; Note: string option }

/// The outcome of a row.
[<RequireQualifiedAccess>]
type Status =
    | Measured
    /// Some of the figures are there.
    | Partial
    | Failed
    /// It was not available, or the run was stopped before it.
    | NotAvailable

/// A value of a factor, for readers: rows that have it bear it behind their name.
type ExplainedFactor = { Name: string; Value: string; Explanation: string }

/// One row.
type Row =
    {
        Id: string
        Candidate: string
        /// The factors whose value is not that of the candidate's plain row, by name.
        Factors: Map<string, string>
        Label: string
        Family: Family
        Library: string option
        LibraryVersion: string option
        Status: Status
        Reason: string option
        Correct: bool option
        /// The measured values, by the key of the figure.
        Figures: Map<string, Measured>
        /// Responses over HTTP that did not count.
        Errors: ErrorCounts option
        Published: RowPublished list
    }

    /// The reason of a row that no option asked for.
    static member NotAsked =
        "its library comes from a package, and this run was not asked to fetch any; --packages does, and --feed DIR takes packages from a folder as well"

    /// It is not available, and no option chose it.
    member this.IsNotAsked =
        this.Status = Status.NotAvailable && this.Reason = Some Row.NotAsked

    /// It has this value of a factor.
    member this.Has(factor: ExplainedFactor) : bool =
        Map.tryFind factor.Name this.Factors = Some factor.Value

    /// A figure with its interval; None: it was not measured.
    member this.Find(figure: Figure) : Measured option = Map.tryFind figure.Key this.Figures

    /// The value of a figure.
    member this.Value(figure: Figure) : float option = this.Find figure |> Option.map _.Value

    /// Its ratios, in the order in which rows are ranked by them.
    member private this.Ratios: (Figure * Measured) list =
        Figures.ratios
        |> List.choose (fun figure -> this.Find figure |> Option.map (fun ratio -> figure, ratio))

    /// The ratio that it is ranked by: the first one that is judged. None: it has none.
    member this.RankedBy: (Figure * Measured) option =
        this.Ratios |> List.tryFind (fun (_, ratio) -> not ratio.IsNotJudged)

    /// The same; the first ratio that it has where none is judged.
    member this.Ratio: Measured option =
        this.RankedBy |> Option.orElse (List.tryHead this.Ratios) |> Option.map snd

    /// The first published figure of it, in percent of the publication's base.
    member this.PublishedPercent: float option =
        this.Published |> List.tryHead |> Option.map _.PercentOfSync

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
        BusyCores: float option
        StealPercent: float option
        Packages: Map<string, string>
        Variables: Map<string, string>
    }

    /// An unknown environment.
    static member Unknown: RunEnvironment =
        {
            Os = "not known"
            Kernel = None
            Architecture = "not known"
            Cpu = None
            Cores = 0
            Runtime = "not known"
            Sdk = None
            Gc = "not known"
            TieredPgo = false
            Git = None
            Dirty = false
            ServerCore = None
            ClientCore = None
            Pinning = "not known"
            BusyCores = None
            StealPercent = None
            Packages = Map.empty
            Variables = Map.empty
        }

/// Why a run measured as long as it did, and the pairs that it left out.
type Stopping =
    {
        /// The rule, fixed before the run: in words.
        Rule: string
        /// The goal of the run: intervals narrower than this share of the median.
        Width: float option
        /// The widest interval at the end, and its row.
        Widest: float option
        WidestRow: string option
        /// The time that the run had.
        BudgetSeconds: float option
        /// Launches of the row that had most.
        Launches: int
        /// Why the run ended, as a sentence.
        Reason: string
        /// The share of the server's core that the hypervisor may take from a pair that counts.
        StealLimit: float
        /// Pairs that were dropped for that, by row; rows that lost none are left out.
        DroppedPairs: Map<string, int>
    }

/// The A/A control of a run, the base once more, for one measure. Every measure of a run has its own.
type Control =
    {
        /// The measure.
        Measure: Measure
        /// Whether it held. If not, this measure is not judged.
        Held: bool
        /// The name of the control.
        Id: string
        /// Its figure; "": it was not measured.
        Ratio: string
        /// The same as a sentence; if it missed, with the remedy.
        Sentence: string
        /// How wide its interval may be, as a share of its median.
        Limit: float
        /// Launches of this measure that were added because its control missed.
        Added: int
    }

/// A key figure of the heading, with a few words to it.
type Fact = { Title: string; Figure: string; Words: string }

/// All results of a run.
type Results =
    {
        Schema: string
        Scenario: string
        Title: string
        StartedUtc: string
        EndedUtc: string
        Complete: bool
        /// Its figures are unreliable; the first of its warnings have the reasons.
        Invalid: bool
        Command: string
        Seed: int
        Base: string
        Margin: float
        Settings: RunSettings
        Environment: RunEnvironment
        /// The answer of the run, in one sentence; "": none.
        Answer: string
        /// The task of the run, in a sentence or two.
        Summary: string
        /// One for each measure; empty: the run has no control.
        Controls: Control list
        Warnings: string list
        Facts: Fact list
        /// The factors that some row has, in reading order.
        Figures: Figure list
        /// The factors of the rows with an explanation.
        Factors: ExplainedFactor list
        Rows: Row list
        /// Plots and tables besides the rows.
        Panels: Panel list
        /// Why it measured as long as it did; None: in scenarios that do not measure in pairs.
        Stopping: Stopping option
    }

    /// The version of the schema that this code reads and writes.
    static member CurrentSchema = "plait-results/5"

    /// A moment as results write it.
    static member Stamp(utc: System.DateTime) : string =
        utc.ToString("yyyy-MM-ddTHH:mm:ssZ", System.Globalization.CultureInfo.InvariantCulture)

    /// Empty results, for a document of panels alone.
    static member Empty: Results =
        {
            Schema = Results.CurrentSchema
            Scenario = ""
            Title = ""
            StartedUtc = ""
            EndedUtc = ""
            Complete = true
            Invalid = false
            Command = ""
            Seed = 0
            Base = ""
            Margin = 0.0
            Settings =
                {
                    Launches = 0
                    Pairs = 0
                    SliceMilliseconds = 0
                    WarmUpMilliseconds = 0
                    Connections = 0
                }
            Environment = RunEnvironment.Unknown
            Answer = ""
            Summary = ""
            Controls = []
            Warnings = []
            Facts = []
            Figures = []
            Factors = []
            Rows = []
            Panels = []
            Stopping = None
        }

    /// The controls that did not hold.
    member this.Missed: Control list =
        this.Controls |> List.filter (fun control -> not control.Held)

    /// Whether differences of some measure may be judged: its control held, or there is none.
    member this.Judges = this.Controls.IsEmpty || this.Controls |> List.exists _.Held

    /// How reliable it is, in a word, and why: the line about its warnings.
    [<JsonInclude>]
    member this.Trust =
        let hasExact = this.Figures |> List.exists _.IsExact
        let hasBytes = this.Figures |> List.exists _.IsBytes
        let ratios = "ratios whose intervals are narrow"

        let relyOn =
            if hasBytes then $"rely on bytes, and on {ratios}" else $"rely on {ratios}"

        if this.Invalid then
            "none (compare nothing here)"
        elif not (this.Judges || hasExact) then
            "none (nothing is judged)"
        elif not this.Judges then
            "low (rely on bytes in process alone)"
        elif not this.Complete then
            "low (the run is not complete)"
        elif this.Rows.IsEmpty then
            "fair (small differences may be luck)"
        elif this.Settings.Launches < 3 then
            if hasBytes then
                "low (fewer than three launches: rely on bytes)"
            else
                "low (fewer than three launches)"
        elif not this.Missed.IsEmpty then
            let missed =
                this.Missed |> List.map (fun control -> Word.ofCase control.Measure) |> String.concat ", "

            $"fair (nothing is judged {missed})"
        elif this.Warnings.IsEmpty then
            $"good ({relyOn})"
        else
            $"fair ({relyOn})"
