// Two runs of one scenario side by side: what differs around them first, then every figure of every row with a verdict.
// Pure.
module Plait.Lab.Report.Compare

open System
open System.Globalization

open Plait.Lab
open Plait.Lab.Measure

/// Something around the two runs that is not the same.
type Difference =
    {
        Name: string
        Old: string
        New: string
        /// Whether figures cannot be compared because of it; otherwise it is to be known.
        Forbids: bool
    }

/// A figure of a row in both runs.
type Change =
    {
        Row: string
        Label: string
        Family: string
        Metric: Metric
        Old: Measured option
        New: Measured option
        /// New over old, with the widest interval that both allow.
        Ratio: Measured option
        /// "lower", "higher", "same", "unresolved", "only old" or "only new".
        Verdict: string
        /// Whether the two intervals have something in common; None: there are none.
        Overlap: bool option
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

/// What differs, that which forbids comparing first.
let differences (old: Results) (fresh: Results) : Difference list =
    let text (value: string option) = Option.defaultValue "unknown" value

    [
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

// A count of bytes repeats but for what counting itself costs.
let private bytesVerdict (old: float) (fresh: float) =
    let slack = max 16.0 (0.001 * abs old)

    if fresh > old + slack then "higher"
    elif fresh < old - slack then "lower"
    else "same"

let private ends (measured: Measured) =
    measured.Interval |> Option.defaultValue (measured.Value, measured.Value)

let private quotient (old: Measured) (fresh: Measured) : Measured option =
    if old.Value <= 0.0 || fresh.Value <= 0.0 then
        None
    else
        let interval =
            match old.Interval, fresh.Interval with
            | Some(oldLow, oldHigh), Some(newLow, newHigh) when oldLow > 0.0 ->
                Some(newLow / oldHigh, newHigh / oldLow)
            | Some _, Some _ -> Some(0.0, infinity)
            | _ -> None

        Some { Value = fresh.Value / old.Value; Interval = interval }

let private verdict
    (margin: float)
    (metric: Metric)
    (old: Measured)
    (fresh: Measured)
    (ratio: Measured option)
    =
    match ratio |> Option.bind _.Interval with
    | _ when metric.IsBytes -> bytesVerdict old.Value fresh.Value
    | None -> "unresolved"
    | Some(low, high) ->
        match Verdict.ofInterval margin low high with
        | Verdict.Faster -> "lower"
        | Verdict.Slower -> "higher"
        | Verdict.Same -> "same"
        | Verdict.Unresolved -> "unresolved"

let private change (old: Results) (fresh: Results) (row: Row) (metric: Metric) : Change option =
    let read (results: Results) =
        results.Rows
        |> List.tryFind (fun other -> other.Id = row.Id)
        |> Option.bind (metric.Read results)

    let make before after ratio verdict overlap =
        Some
            {
                Row = row.Id
                Label = row.Label
                Family = row.Family
                Metric = metric
                Old = before
                New = after
                Ratio = ratio
                Verdict = verdict
                Overlap = overlap
            }

    match read old, read fresh with
    | None, None -> None
    | before, None -> make before None None "only old" None
    | None, after -> make None after None "only new" None
    | Some before, Some after ->
        let ratio = quotient before after

        let overlap =
            if before.Interval.IsSome && after.Interval.IsSome then
                let (oldLow, oldHigh), (newLow, newHigh) = ends before, ends after
                Some(oldLow <= newHigh && newLow <= oldHigh)
            else
                None

        make (Some before) (Some after) ratio (verdict fresh.Margin metric before after ratio) overlap

// The base's ratio to itself says nothing, and what is over the base follows from the rest.
let private compared =
    [
        "bytesPerOperation"
        "bytesPerOperationNoEscape"
        "cpuRatio"
        "httpCpuRatio"
        "httpBytesPerRequest"
    ]
    |> List.choose Metric.find

/// Every figure of every row of either run, in the order of the new one. Raises BadInput when they are not of one
/// scenario and base.
let changes (old: Results) (fresh: Results) : Change list =
    if old.Scenario <> fresh.Scenario || old.Base <> fresh.Base then
        raise (
            BadInput
                $"these results cannot be compared: the old ones are of '{old.Scenario}' against '{old.Base}', the new ones of '{fresh.Scenario}' against '{fresh.Base}'"
        )

    let gone =
        old.Rows
        |> List.filter (fun row -> fresh.Rows |> List.forall (fun other -> other.Id <> row.Id))

    [
        for metric in compared do
            for row in fresh.Rows @ gone do
                if metric.IsBytes || row.Id <> fresh.Base then
                    match change old fresh row metric with
                    | Some change -> change
                    | None -> ()
    ]

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

/// Whether the surroundings forbid comparing.
let isComparable (differences: Difference list) : bool =
    differences |> List.forall (fun difference -> not difference.Forbids)

/// What differs, as lines.
let differenceLines (differences: Difference list) : string list =
    [
        for difference in differences do
            let word = if difference.Forbids then "not comparable" else "differs"

            yield! Table.wrap "" $"{word}: {difference.Name} was '{difference.Old}' and is '{difference.New}'"
    ]

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
            (if isComparable differences then
                 "Nothing here keeps the figures from being compared."
             else
                 "Not comparable: something differs that moves figures by itself.")
            [
                { Title = "what"; Digits = None; Better = "" }
                { Title = "old"; Digits = None; Better = "" }
                { Title = "new"; Digits = None; Better = "" }
                { Title = ""; Digits = None; Better = "" }
            ]
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
                    { Title = title; Digits = None; Better = "" }
            ]
            [
                for change in changes do
                    change.Metric.Name :: cells change |> List.map Panel.text
            ]

    [
        if not differences.IsEmpty then
            around
        for metric in compared do
            if not metric.IsBytes then
                match forest metric $"New over old: {metric.Name}" with
                | Some panel -> panel
                | None -> ()
        table
    ]
