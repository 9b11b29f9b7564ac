// The suites under BenchmarkDotNet: each row in a process of its own, so that no row profits from the profile of another.
module Plait.Benchmarks.Published

open System
open System.IO
open System.Text
open System.Threading.Tasks
open BenchmarkDotNet.Attributes
open BenchmarkDotNet.Columns
open BenchmarkDotNet.Configs
open BenchmarkDotNet.Diagnosers
open BenchmarkDotNet.Jobs
open BenchmarkDotNet.Loggers
open BenchmarkDotNet.Reports
open BenchmarkDotNet.Running
open Perfolizer.Horology
open Plait.Benchmarks.Suites

/// One row of one suite.
type Case(suite: Suite, row: Row) =
    member _.Suite = suite
    member _.Row = row
    override _.ToString() = $"{suite.Title}: {row.Name}"

/// The suites whose rows run any number of operations; those of the recursion run thousands of calls or none.
let all = Suites.all |> List.filter (fun suite -> suite.Title <> recursion.Title)

/// Which suites run: set by the parent, read by its children too, which find their case by its number.
module Chosen =
    [<Literal>]
    let Variable = "PLAIT_BENCH_SUITES"

    let suites () =
        match Environment.GetEnvironmentVariable Variable with
        | null
        | "" -> all
        | titles ->
            let titles = titles.Split '|'
            all |> List.filter (fun suite -> Array.contains suite.Title titles)

/// The benchmark: a thousand operations of a case. Fewer cannot be timed, where an operation suspends.
type Cases() =
    /// The cases, in the order of the reports.
    static member All: Case[] =
        [|
            for suite in Chosen.suites () do
                for row in suite.Rows do
                    Case(suite, row)
        |]

    /// The case that is measured.
    [<ParamsSource("All")>]
    member val Case = Unchecked.defaultof<Case> with get, set

    /// Its operations.
    [<Benchmark(OperationsPerInvoke = 1000)>]
    member this.Operation() : Task = this.Case.Row.Run 1000

let private config (directory: string) =
    let job =
        Job.Default
            .WithGcServer(false)
            .WithGcConcurrent(false)
            .WithLaunchCount(1)
            .WithWarmupCount(5)
            .WithIterationCount(8)
            .WithIterationTime(TimeInterval.FromMilliseconds 60.0)

    ManualConfig
        .CreateEmpty()
        .AddJob(job)
        .AddDiagnoser(MemoryDiagnoser.Default)
        .AddColumnProvider(DefaultColumnProviders.Instance)
        .AddLogger(ConsoleLogger.Default)
        .WithArtifactsPath(Path.Combine(directory, "log"))

let private bytes (report: BenchmarkReport) =
    let perOperation = report.GcStats.GetBytesAllocatedPerOperation report.BenchmarkCase
    if perOperation.HasValue then $"{perOperation.Value}" else "?"

let private mean (report: BenchmarkReport) =
    match report.ResultStatistics with
    | null -> nan
    | statistics -> statistics.Mean

let private error (report: BenchmarkReport) =
    match report.ResultStatistics with
    | null -> nan
    | statistics -> statistics.ConfidenceInterval.Margin

let private case (report: BenchmarkReport) =
    report.BenchmarkCase.Parameters["Case"] :?> Case

let private table (suite: Suite) (reports: BenchmarkReport list) =
    let over =
        reports
        |> List.tryFind (fun report -> (case report).Row.Name = suite.Base)
        |> Option.map mean
        |> Option.defaultValue nan

    [
        $"| | B/op | mean, ns | ± | / {suite.Base} |"
        "|---|---:|---:|---:|---:|"
        for row in suite.Rows do
            for report in reports |> List.filter (fun report -> (case report).Row.Name = row.Name) do
                $"| {(case report).Row.Name} | {bytes report} | {mean report:F1} | {error report:F1} | {mean report / over:F2} |"
    ]

/// Runs the suites and writes a Markdown file. 1 where a row could not be measured.
let write (file: string) (suites: Suite list) : int =
    Environment.SetEnvironmentVariable(Chosen.Variable, String.Join('|', suites |> List.map _.Title))

    let directory =
        Path.Combine(
            Path.GetDirectoryName(Path.GetFullPath file) |> string,
            "..",
            "..",
            "artifacts",
            "benchmarks"
        )

    let summary = BenchmarkRunner.Run<Cases>(config directory)
    let text = StringBuilder()

    let lines (lines: string list) =
        for line in lines do
            text.Append(line).Append('\n') |> ignore

    lines
        [
            "# Every builder, by BenchmarkDotNet"
            ""
            "```"
            yield! summary.HostEnvironmentInfo.ToFormattedString() |> Seq.map string
            "```"
            ""
            "Every row in a process of its own, a thousand operations a call; ± is half of the 99.9 % interval. The rows are not taken in turn, so that a slow second of the machine hits one of them: for ratios read [kernels.md](kernels.md). Renew with `make bench`."
        ]

    for suite in suites do
        lines [ ""; $"## {suite.Title}"; "" ]

        summary.Reports
        |> Seq.filter (fun report -> (case report).Suite.Title = suite.Title)
        |> List.ofSeq
        |> table suite
        |> lines

    File.WriteAllText(file, text.ToString())
    if summary.Reports |> Seq.forall _.Success then 0 else 1
