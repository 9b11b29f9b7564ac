// The report of the turns as Markdown, with the goals that a figure meets or misses.
module Plait.Benchmarks.Report

open System
open System.Globalization
open System.IO
open System.Runtime.InteropServices
open System.Text
open Plait.Benchmarks.Suites
open Plait.Benchmarks.Turns
open Plait.Benchmarks.Goals

let private cpu () =
    try
        File.ReadLines "/proc/cpuinfo"
        |> Seq.tryFind (fun line -> line.StartsWith "model name")
        |> Option.map (fun line -> line.Substring(line.IndexOf ':' + 2))
        |> Option.defaultValue "unknown"
    with :? IOException ->
        "unknown"

/// The rows of a suite as a Markdown table.
let table (suite: Suite) (figures: Figures list) =
    let over = figures |> List.find (fun figures -> figures.Row = suite.Base)

    [
        $"| | B/op | time / {suite.Base} | quartiles | ns |"
        "|---|---:|---:|---:|---:|"
        for row in figures do
            let low, high = quartiles row over

            $"| {row.Row} | {row.Bytes:F1} | {ratio row over:F2} | {low:F2}-{high:F2} | {Array.min row.Times:F1} |"
    ]

let private goals (seen: (Goal * float) list) =
    [
        for goal, value in seen do
            let words =
                match goal.Measure with
                | Bytes -> "B/op"
                | BytesBeyond row -> $"B/op beyond {row}"
                | TimeOver row -> $"time / {row}"

            let verdict =
                if isMet goal value then "met"
                elif goal.Why = "" then "**missed**"
                else $"**missed**: {goal.Why}"

            $"| {goal.Row}: {goal.Suite.Title} | {words} | {goal.Max:F2} | {value:F2} | {verdict} |"
    ]

/// The report's text, and whether every goal was met.
let write (rounds: int) (pair: string -> string -> string -> float) (results: (Suite * Figures list) list) =
    let seen = [ for goal in Promises.all -> goal, Goals.seen pair results goal ]
    let text = StringBuilder()

    let date = DateTime.UtcNow.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture)

    let lines (lines: string list) =
        for line in lines do
            text.Append(line).Append('\n') |> ignore

    lines
        [
            $"# {Rows.title}"
            ""
            $"{RuntimeInformation.FrameworkDescription}, {RuntimeInformation.OSArchitecture}, {cpu ()}, {Environment.ProcessorCount} cores, {rounds} rounds, {date}. Every row in turn in one process (A B B A); the ratio is the median of the rounds with its quartiles. The last row of a table is its base once more, the control (A/A): a suite whose ratio differs from 1 by more than {100.0 * controlLimit:F0} %% is measured on, and no report is written where it still does. Read bytes first, then ratios; nanoseconds are the least of the rounds and hold only beside each other. Where operations yield, the time is mostly the thread pool's; where they wait for each other, the bytes depend on how often they meet. Renew with `{Rows.renew}`."
        ]

    for suite, figures in results do
        lines [ ""; $"## {suite.Title}"; "" ]

        match figures.Head.Times.Length with
        | more when more > rounds -> lines [ $"{more} rounds: the control missed in the first {rounds}."; "" ]
        | _ -> ()

        lines (table suite figures)

    lines
        [
            ""
            "## Goals"
            ""
            "Bytes as above. A time is measured with its two rows alone in a process, in turn, and is the median of three processes: among a dozen rows, which share the library's methods, a row is slower. A time that must not be longer may be 1.05, because one program differs from itself by that."
            ""
            "| | | at most | seen | |"
            "|---|---|---:|---:|---|"
        ]

    lines (goals seen)
    text.ToString(), seen |> List.forall (fun (goal, value) -> isMet goal value)
