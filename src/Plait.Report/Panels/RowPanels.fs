// Pure: the panels that the page shows of rows, made of their figures: costs as forests, bytes and capacity as bars, and
// the table of everything.
module Plait.Report.RowPanels

open Plait.Common

/// Rows that a plot may show: their answer was right, and something was measured.
let private plotted (results: Results) =
    results.Rows
    |> List.filter (fun row ->
        row.Correct <> Some false
        && row.Status <> Status.NotAvailable
        && row.Status <> Status.Failed)

/// The items of a figure, and the meaning of hollow marks if there are any.
let private items (results: Results) (figure: Figure) (otherWords: string) (other: Row -> float option) =
    let items =
        plotted results
        |> List.filter (fun row -> row.Family <> Family.Base)
        |> List.choose (fun row ->
            row.Find figure
            |> Option.map (fun measured ->
                { Item.Of(row.Label, row.Family, measured) with Other = other row; Note = row.Reason }))

    // A measure whose control missed ranks nothing.
    let items =
        match ControlRule.missedOf results.Controls figure with
        | None ->
            items
            |> List.sortBy (fun item -> if figure.Better = Better.Higher then -item.Value else item.Value)
        | Some _ -> items

    items, (if items |> List.exists _.Other.IsSome then Some otherWords else None)

let private why (results: Results) figure =
    ControlRule.missedOf results.Controls figure |> Option.map _.Sentence

let private forest results id title (figure: Figure) (other: Row -> float option) =
    match items results figure "published" other with
    | [], _ -> None
    | items, other ->
        Panel.forest
            id
            title
            $"{figure.Explanation}. Left of the line is cheaper than {results.Base}; the band is the margin, a difference inside it does not count."
            (Panel.log $"{figure.Title} ({figure.Unit})" |> Panel.rounded figure.Decimals)
            (Some results.Margin)
            other
            items
        |> Panel.notJudged (why results figure)
        |> Some

let private bars results id title reference (figure: Figure) otherWords (other: Row -> float option) =
    match items results figure otherWords other with
    | [], _ -> None
    | items, other ->
        Panel.bars
            id
            title
            $"{figure.Explanation}."
            (Panel.linear $"{figure.Title} ({figure.Unit})" |> Panel.rounded figure.Decimals)
            reference
            other
            items
        |> Panel.notJudged (why results figure)
        |> Some

let private publishedCost (row: Row) =
    row.PublishedPercent
    |> Option.filter (fun percent -> percent > 0.0)
    |> Option.map (fun percent -> 100.0 / percent)

/// The plots, as far as there are figures for them.
let plots (results: Results) : Panel list =
    let isInProcess =
        results.Rows |> List.exists (fun row -> (row.Find Figures.bytesOverBase).IsSome)

    [
        forest results "cpu-in-process" "CPU in process, over the base" Figures.cpuRatio publishedCost
        forest results "cpu-over-http" "CPU over HTTP, over the base" Figures.httpCpuRatio (fun _ -> None)

        if isInProcess then
            bars
                results
                "bytes"
                "Bytes in process, beyond the base"
                None
                Figures.bytesOverBase
                "escape analysis off"
                (fun row -> row.Value Figures.bytesOverBaseNoEscape)
        else
            bars
                results
                "bytes"
                "Bytes for a request, beyond the base"
                None
                Figures.httpBytesOverBase
                ""
                (fun _ -> None)

        bars
            results
            "capacity"
            "Capacity over HTTP"
            (Some 100.0)
            Figures.httpCapacityPercent
            "published"
            _.PublishedPercent
    ]
    |> List.choose id

/// The table of all rows and figures; None without rows.
let table (results: Results) : Panel option =
    if results.Rows.IsEmpty then
        None
    else
        // Behind a ratio stands its verdict.
        let isJudged (figure: Figure) =
            figure.IsRatio
            && results.Rows |> List.exists (fun row -> row.Find figure |> Option.exists _.Verdict.IsSome)

        // The heading of a measure that is not judged is marked, and none of its figures is the best.
        let column (figure: Figure) =
            let usual = Column.ofFigure figure

            match ControlRule.missedOf results.Controls figure with
            | Some control ->
                { usual with
                    Group = $"{Word.ofCase control.Measure}, not judged"
                    Better = Better.Neither
                }
            | None -> usual

        Panel.table
            "rows"
            "Every row and every figure"
            $"Intervals are 95 %% intervals over launches. Ratios are of pairs of slices taken in turn with {results.Base}; absolute figures drift with the machine, so a row may be above the base by the one and below it by the other."
            [
                Column.words "candidate"
                for figure in results.Figures do
                    column figure

                    if isJudged figure then
                        Column.words "verdict" |> Column.under (column figure).Group
            ]
            [
                for row in results.Rows do
                    [
                        Panel.text row.Id
                        for figure in results.Figures do
                            Panel.measured (row.Find figure)

                            if isJudged figure then
                                row.Find figure
                                |> Option.bind _.Verdict
                                |> Option.map Verdict.word
                                |> Panel.textOrNothing
                    ]
            ]
        |> Some

/// The results as a page has them: the panels of the rows around the scenario's own.
let addTo (results: Results) : Results =
    { results with Panels = plots results @ results.Panels @ Option.toList (table results) }
