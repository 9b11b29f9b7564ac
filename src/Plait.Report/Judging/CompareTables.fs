// Two runs of one scenario side by side, as tables of the terminal and as panels of a page: what differs around them first,
// then the figures. Pure.
module Plait.Report.CompareTables

open System
open System.Globalization

open Plait.Report.Changes
open Plait.Report.Differences

let private percent (ratio: Measured option) =
    match ratio with
    | Some ratio ->
        let show (value: float) =
            (100.0 * (value - 1.0)).ToString("+0.0;-0.0;0.0", CultureInfo.InvariantCulture)

        match ratio.Interval with
        | Some(low, high) when Double.IsFinite high -> $"{show ratio.Value} %% ({show low} to {show high})"
        | _ -> $"{show ratio.Value} %%"
    | None -> "-"

let private cells (change: Change) : string list =
    let show (measured: Measured option) =
        measured |> Option.map change.Metric.Show |> Option.defaultValue "-"

    let overlap =
        match change.Overlap with
        | Some true -> "overlap"
        | Some false -> "apart"
        | None -> ""

    [ change.Row; show change.Old; show change.New; percent change.Ratio; overlap; change.Verdict ]

/// The tables, one for each figure.
let lines (changes: Change list) : string list =
    [
        for metric, changes in changes |> List.groupBy (fun change -> change.Metric.Name) do
            ""
            metric

            yield!
                changes
                |> List.map cells
                |> Aligned.lines
                    [
                        Aligned.left "row"
                        Aligned.right "old"
                        Aligned.right "new"
                        Aligned.right "change"
                        Aligned.left "intervals"
                        Aligned.left "verdict"
                    ]
    ]

/// The same for a page: what differs, new over old as a forest, and a table.
let panels (differences: Difference list) (changes: Change list) : Panel list =
    let forest (metric: Metric) title =
        changes
        |> List.filter (fun change -> change.Metric.Name = metric.Name)
        |> List.choose (fun change ->
            change.Ratio
            |> Option.map (fun ratio ->
                {
                    Label = change.Label
                    Family = change.Family
                    Value = ratio.Value
                    Low = ratio.Interval |> Option.map fst
                    High = ratio.Interval |> Option.map snd |> Option.filter Double.IsFinite
                    Other = None
                    Note = Some change.Verdict
                }))
        |> function
            | [] -> None
            | items ->
                Some(
                    Panel.forest
                        $"compare-{metric.Name}"
                        title
                        "The new figure over the old one. Left of the line it has become cheaper; an interval that crosses the line tells nothing."
                        { Label = "new / old"; Scale = "linear" }
                        1.0
                        items
                )

    let around =
        Panel.table
            "compare-surroundings"
            "What differs around the two runs"
            (if Differences.isComparable differences then
                 "Nothing here keeps the figures from being compared."
             else
                 "Not comparable: something differs that moves figures by itself.")
            [ Column.words "what"; Column.words "old"; Column.words "new"; Column.words "" ]
            [
                for difference in differences do
                    [
                        Panel.text difference.Name
                        Panel.text difference.Old
                        Panel.text difference.New
                        Panel.text (if difference.Forbids then "not comparable" else "")
                    ]
            ]

    let table =
        Panel.table
            "compare-figures"
            "Old and new"
            "Every figure of every row. The change of a ratio has the widest interval that both runs allow, and its verdict is against the margin."
            [
                for title in [ "figure"; "row"; "old"; "new"; "change"; "intervals"; "verdict" ] do
                    Column.words title
            ]
            [
                for change in changes do
                    change.Metric.Name :: cells change |> List.map Panel.text
            ]

    [
        if not differences.IsEmpty then
            around
        for metric in Changes.compared do
            if not metric.IsBytes then
                match forest metric $"New over old: {metric.Name}" with
                | Some panel -> panel
                | None -> ()
        table
    ]
