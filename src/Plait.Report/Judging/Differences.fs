// The differences in machine and settings between two runs of one scenario, and whether figures can be compared in
// spite of them. Pure.
module Plait.Report.Differences

open System.Globalization
open Plait.Common

/// Something around the two runs that is not the same.
type Difference =
    {
        Name: string
        Old: string
        New: string
        /// Figures cannot be compared because of it; false: it is only shown.
        Forbids: bool
    }

let private differ name forbids (show: Results -> string) (old: Results) (fresh: Results) =
    if show old = show fresh then
        []
    else
        [ { Name = name; Old = show old; New = show fresh; Forbids = forbids } ]

let private map (values: Map<string, string>) =
    values
    |> Map.toList
    |> List.map (fun (name, value) -> $"{name}={value}")
    |> String.concat " "

/// The differences, first the ones that forbid comparing.
let between (old: Results) (fresh: Results) : Difference list =
    let text (value: string option) = Option.defaultValue "unknown" value

    [
        differ "title" true _.Title
        // The title or the summary has the switches, delays and defects.
        differ "summary" true _.Summary
        differ "processor" true (fun run -> text run.Environment.Cpu)
        differ "architecture" true _.Environment.Architecture
        differ "cores" true (fun run -> string run.Environment.Cores)
        differ "operating system" true _.Environment.Os
        differ "runtime" true _.Environment.Runtime
        differ "garbage collector" true _.Environment.Gc
        differ "tiered PGO" true (fun run -> if run.Environment.TieredPgo then "on" else "off")
        differ "variables" true (fun run -> map run.Environment.Variables)
        differ "pinning" true _.Environment.Pinning
        differ "connections" true (fun run -> string run.Settings.Connections)
        differ "complete" false (fun run -> if run.Complete then "yes" else "no")
        differ "kernel" false (fun run -> text run.Environment.Kernel)
        differ "packages" false (fun run -> map run.Environment.Packages)
        differ "slices (ms)" false (fun run -> string run.Settings.SliceMilliseconds)
        differ "warm-up (ms)" false (fun run -> string run.Settings.WarmUpMilliseconds)
        differ "launches" false (fun run -> string run.Settings.Launches)
        differ "pairs" false (fun run -> string run.Settings.Pairs)
        differ "margin" false (fun run -> run.Margin.ToString CultureInfo.InvariantCulture)
        differ "commit" false (fun run ->
            text run.Environment.Git + (if run.Environment.Dirty then ", changed" else ""))
    ]
    |> List.collect (fun find -> find old fresh)

/// Whether the surroundings forbid comparing.
let isComparable (differences: Difference list) : bool =
    differences |> List.forall (fun difference -> not difference.Forbids)

/// The differences, as lines.
let lines (differences: Difference list) : string list =
    [
        for difference in differences do
            let word = if difference.Forbids then "not comparable" else "differs"

            yield! Wrap.lines "" $"{word}: {difference.Name} was '{difference.Old}' and is '{difference.New}'"
    ]

/// The same as a panel of a page.
let panel (differences: Difference list) : Panel =
    Panel.table
        "compare-surroundings"
        "Differences around the two runs"
        (if isComparable differences then
             "The figures are comparable despite these differences."
         else
             "Not comparable: one of these differences moves figures by itself.")
        [ Column.words "what"; Column.words "old"; Column.words "new"; Column.words "" ]
        [
            for difference in differences do
                [
                    difference.Name
                    difference.Old
                    difference.New
                    if difference.Forbids then "not comparable" else ""
                ]
                |> List.map Panel.text
        ]
