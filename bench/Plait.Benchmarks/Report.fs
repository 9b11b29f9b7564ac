// The report as Markdown, with the goals that a figure meets or misses.
module Plait.Benchmarks.Report

open System
open System.IO
open System.Runtime.InteropServices
open System.Text
open Plait.Benchmarks.Turns

/// A figure that is promised: suite title, row, what is looked at, and the largest value.
type Goal = { Suite: string; Row: string; Figure: Figures -> float; Word: string; Most: float }

let private ratio suite row most =
    { Suite = suite; Row = row; Figure = _.Ratio; Word = "time ratio"; Most = most }

let private bytes suite row most =
    { Suite = suite; Row = row; Figure = _.Bytes; Word = "B/op"; Most = most }

/// What the library promises. Up to 1 B/op is noise.
let goals =
    [
        ratio "Two suspensions, in thread (custom awaiter)" "pooledValueTask" 1.15
        bytes "A result and no await" "pooledValueTask" 1.0
        bytes "A result and no await" "strand" 1.0
        bytes "Two suspensions, in thread (custom awaiter)" "pooledValueTask" 1.0
        bytes "Two suspensions, in thread (IValueTaskSource)" "pooledValueTask" 1.0
        bytes
            "Two Task.Yield(), on the thread pool (bytes are exact, time is the pool's)"
            "pooledValueTask"
            1.0
        for width in [ 1; 8; 64; 1000 ] do
            bytes $"{width} in flight, two Task.Yield() each" "pooledValueTask" 1.0
    ]

let private cpu () =
    try
        File.ReadLines "/proc/cpuinfo"
        |> Seq.tryFind (fun line -> line.StartsWith "model name")
        |> Option.map (fun line -> line.Substring(line.IndexOf ':' + 2))
        |> Option.defaultValue "unknown"
    with :? IOException ->
        "unknown"

/// The report's text, and whether every goal was met.
let write (rounds: int) (results: (Suite * Figures list) list) : string * bool =
    let text = StringBuilder()
    let line (s: string) = text.Append(s).Append('\n') |> ignore
    line "# The two kernels"
    line ""

    line
        $"{RuntimeInformation.FrameworkDescription}, {RuntimeInformation.OSArchitecture}, {cpu ()}, {Environment.ProcessorCount} cores, {rounds} rounds. Every row in turn in one process (A B B A); the ratio is the median of the rounds with its quartiles. Read bytes first, then ratios; nanoseconds are the least of the rounds and hold only beside each other. Renew with `make bench`."

    for suite, figures in results do
        line ""
        line $"## {suite.Title}"
        line ""
        line $"| | B/op | time / {suite.Base} | quartiles | ns |"
        line "|---|---:|---:|---:|---:|"

        for f in figures do
            line $"| {f.Row} | {f.Bytes:F1} | {f.Ratio:F2} | {f.Low:F2}-{f.High:F2} | {f.Nanoseconds:F1} |"

    line ""
    line "## Goals"
    line ""
    line "| | goal | seen | |"
    line "|---|---:|---:|---|"

    let met =
        goals
        |> List.map (fun goal ->
            let figures =
                results
                |> List.pick (fun (suite, figures) ->
                    if suite.Title = goal.Suite then Some figures else None)

            let seen = figures |> List.find (fun f -> f.Row = goal.Row) |> goal.Figure
            let word = if seen <= goal.Most then "met" else "**missed**"
            line $"| {goal.Row}, {goal.Suite}, {goal.Word} | {goal.Most:F2} | {seen:F2} | {word} |"
            seen <= goal.Most)

    text.ToString(), List.forall id met
