// Every figure of every row in two runs of one scenario, with a verdict; as tables of the terminal and as panels of a
// page. Pure.
module Plait.Report.Changes

open System
open System.Globalization
open Plait.Common

/// The change of a figure between two runs.
type ChangeVerdict =
    | Lower
    | Higher
    /// The difference does not count.
    | Unchanged
    | NotCertain
    /// One of the two has no interval to judge by.
    | NoInterval
    /// The A/A control of its measure did not hold in one of the runs.
    | NotJudged
    | OnlyOld
    | OnlyNew

    /// The word in tables.
    member this.Word =
        match this with
        | Unchanged -> "same"
        | NotCertain -> "unresolved"
        | other -> Word.ofCase other

/// A figure of a row in both runs.
type Change =
    {
        Row: string
        Label: string
        Family: Family
        Figure: Figure
        Old: Measured option
        New: Measured option
        /// New over old, with the widest interval that both allow.
        Ratio: Measured option
        Verdict: ChangeVerdict
        /// Whether the two intervals have something in common; None: there are none.
        Overlap: bool option
    }

// A count of bytes repeats, except for the bytes of counting itself.
let private bytesVerdict (old: float) (fresh: float) =
    let slack = max 16.0 (0.001 * abs old)

    if fresh > old + slack then Higher
    elif fresh < old - slack then Lower
    else Unchanged

let private quotient (old: Measured) (fresh: Measured) : Measured option =
    if old.Value <= 0.0 || fresh.Value <= 0.0 then
        None
    else
        let ratio = Measured.Plain(fresh.Value / old.Value)

        match old.Interval, fresh.Interval with
        | Some(oldLow, oldHigh), Some(newLow, newHigh) when oldLow > 0.0 && Double.IsFinite newHigh ->
            Some { ratio with Low = Some(newLow / oldHigh); High = Some(newHigh / oldLow) }
        | _ -> Some ratio

let private verdict margin (figure: Figure) (old: Measured) (fresh: Measured) (ratio: Measured option) =
    match ratio with
    | _ when old.IsNotJudged || fresh.IsNotJudged -> NotJudged
    | _ when figure.IsBytes -> bytesVerdict old.Value fresh.Value
    | _ when old.Interval.IsNone || fresh.Interval.IsNone -> NoInterval
    | Some { Low = Some low; High = Some high } ->
        match Verdict.ofInterval margin low high with
        | Faster -> Lower
        | Slower -> Higher
        | Same -> Unchanged
        | Unresolved
        | Verdict.NotJudged -> NotCertain
    | _ -> NotCertain

let private change (old: Results) (fresh: Results) (row: Row) (figure: Figure) : Change option =
    let read (results: Results) =
        results.Rows
        |> List.tryFind (fun other -> other.Id = row.Id)
        |> Option.bind (fun row -> row.Find figure)

    let make before after ratio verdict overlap =
        Some
            {
                Row = row.Id
                Label = row.Label
                Family = row.Family
                Figure = figure
                Old = before
                New = after
                Ratio = ratio
                Verdict = verdict
                Overlap = overlap
            }

    match read old, read fresh with
    | None, None -> None
    | before, None -> make before None None OnlyOld None
    | None, after -> make None after None OnlyNew None
    | Some before, Some after ->
        let ratio = quotient before after

        let overlap =
            Option.map2
                (fun (oldLow, oldHigh) (newLow, newHigh) -> oldLow <= newHigh && newLow <= oldHigh)
                before.Interval
                after.Interval

        make (Some before) (Some after) ratio (verdict fresh.Margin figure before after ratio) overlap

/// Every figure of Figures.compared of every row of either run, in the order of the new one; the base's ratio to itself says
/// nothing. Raises BadInput when the runs are not of one scenario and base.
let between (old: Results) (fresh: Results) : Change list =
    if old.Scenario <> fresh.Scenario || old.Base <> fresh.Base then
        raise (
            BadInput
                $"these results cannot be compared: the old ones are of '{old.Scenario}' against '{old.Base}', the new ones of '{fresh.Scenario}' against '{fresh.Base}'"
        )

    let gone =
        old.Rows
        |> List.filter (fun row -> fresh.Rows |> List.forall (fun other -> other.Id <> row.Id))

    [
        for figure in Figures.compared do
            for row in fresh.Rows @ gone do
                if not figure.IsRatio || row.Id <> fresh.Base then
                    match change old fresh row figure with
                    | Some change -> change
                    | None -> ()
    ]

/// Whether some measure is judged: of the ratios that both runs have, not all have a control that did not hold.
let isJudged (changes: Change list) : bool =
    match changes |> List.filter (fun change -> change.Figure.IsRatio && change.Ratio.IsSome) with
    | [] -> true
    | ratios -> ratios |> List.exists (fun change -> change.Verdict <> NotJudged)

let private percent (ratio: Measured) =
    let show (value: float) =
        (100.0 * (value - 1.0)).ToString("+0.0;-0.0;0.0", CultureInfo.InvariantCulture)

    match ratio.Low, ratio.High with
    | Some low, Some high -> $"{show ratio.Value} %% ({show low} to {show high})"
    | _ -> $"{show ratio.Value} %%"

let private cells (change: Change) : string list =
    let show (measured: Measured option) =
        measured
        |> Option.map (fun measured -> change.Figure.Show measured)
        |> Option.defaultValue "-"

    let overlap =
        match change.Overlap with
        | Some true -> "overlap"
        | Some false -> "apart"
        | None -> ""

    [
        change.Row
        show change.Old
        show change.New
        change.Ratio |> Option.map percent |> Option.defaultValue "-"
        overlap
        change.Verdict.Word
    ]

/// The tables, one for each figure.
let lines (changes: Change list) : string list =
    [
        for figure, changes in changes |> List.groupBy _.Figure do
            ""
            yield! Wrap.lines "" $"{figure.Key}: {figure.Explanation}"

            yield!
                changes
                |> List.map cells
                |> TextTable.lines
                    [
                        TextTable.left "row"
                        TextTable.right "old" |> TextTable.ranked 3
                        TextTable.right "new" |> TextTable.ranked 2
                        TextTable.right "change" |> TextTable.ranked 1
                        TextTable.left "intervals" |> TextTable.ranked 4
                        TextTable.left "verdict"
                    ]
    ]

/// The same for a page: new over old as a forest for each ratio, and a table.
let panels (margin: float) (changes: Change list) : Panel list =
    let forest (figure: Figure) =
        let items =
            changes
            |> List.filter (fun change -> change.Figure = figure)
            |> List.choose (fun change ->
                change.Ratio
                |> Option.map (fun ratio ->
                    { Item.Of(change.Label, change.Family, ratio) with Word = Some change.Verdict.Word }))

        if items.IsEmpty then
            []
        else
            [
                Panel.forest
                    $"compare-{figure.Key}"
                    $"New over old: {figure.Title} {Word.ofCase figure.Measure}"
                    "The new figure over the old one. Left of the line it has become cheaper. If an interval crosses the line, the difference may be chance."
                    (Panel.linear "new / old" |> Panel.rounded 2)
                    (Some margin)
                    None
                    items
            ]

    [
        yield! Figures.compared |> List.filter (fun figure -> not figure.IsBytes) |> List.collect forest

        Panel.table
            "compare-figures"
            "Old and new"
            "Every figure of every row, except figures that follow from others. The change of a ratio has the widest interval that both runs allow, and its verdict is against the margin."
            [
                for title in [ "figure"; "row"; "old"; "new"; "change"; "intervals"; "verdict" ] do
                    Column.words title
            ]
            [
                for change in changes do
                    change.Figure.Key :: cells change |> List.map Panel.text
            ]
    ]
