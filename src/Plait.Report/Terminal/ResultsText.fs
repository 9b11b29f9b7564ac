// Pure: results as the terminal shows them: the answer, the ranked table, the meaning of its words, and the
// scenario's tables.
module Plait.Report.ResultsText

open System.Globalization
open Plait.Common

/// Rows as the table ranks them: by the ratio in process (over HTTP where that is all there is, or all that is judged),
/// cheapest first; rows without a ratio that is judged come last, in their own order.
let rank (rows: Row list) : Row list =
    let place figure =
        Figures.ratios |> List.findIndex ((=) figure)

    rows
    |> List.sortBy (fun row ->
        match row.RankedBy with
        | Some(figure, ratio) -> place figure, ratio.Value
        | None -> Figures.ratios.Length, 0.0)

let private kind (row: Row) =
    match row.Ratio |> Option.bind _.Verdict with
    | _ when row.Status <> Status.Measured -> LineKind.Bad
    | Some Faster -> LineKind.Good
    | Some Same when row.Family = Family.Plait -> LineKind.Good
    | _ -> LineKind.Plain

let private ratioCell isBase (figure: Figure) (measured: Measured) =
    let mark = if measured.IsNotJudged then " " + Verdict.word NotJudged else ""

    if isBase then
        "1.00 (base)   "
    elif measured.Low.IsSome then
        $"{figure.Show measured.Value} {figure.Show(Option.defaultValue 0.0 measured.Low)}-{figure.Show(Option.defaultValue 0.0 measured.High)}{mark}"
    else
        figure.Show measured.Value + mark

let private cell (row: Row) (figure: Figure) =
    match row.Find figure with
    | None -> "-"
    | Some measured when figure.IsRatio -> ratioCell (row.Family = Family.Base) figure measured
    | Some measured -> figure.Show measured.Value

/// The verdict on a ratio; one that is not judged has its own word.
let private verdictCell (figure: Figure) (row: Row) =
    match row.Status, row.Find figure |> Option.bind _.Verdict with
    | Status.Failed, _ -> "failed"
    | _, Some NotJudged -> ""
    | _ when row.Family = Family.Base -> ""
    | _, Some verdict -> Verdict.word verdict
    | _, None -> "-"

/// The columns that are not figures: the verdict behind the ratio, and the published figures.
let private verdictHeading = TextTable.left "verdict" |> TextTable.ranked 1
let private publishedHeading = TextTable.right "pub %" |> TextTable.ranked 8

/// The rows in the order of their lines, the lines of their table, the figures that it has, and the headings that it left
/// out for lack of width.
let private rowTable width (results: Results) =
    let figures =
        Figures.all
        |> List.filter (fun figure ->
            figure.Rank < Figures.pageOnly
            && results.Rows |> List.exists (fun row -> (row.Find figure).IsSome))

    let isJudged figure =
        results.Rows
        |> List.exists (fun row -> row.Find figure |> Option.exists (fun ratio -> not ratio.IsNotJudged))

    // Behind the ratio that rows are ranked by.
    let verdictAfter =
        Figures.ratios |> List.tryFind isJudged |> Option.defaultValue Figures.ratios.Head

    let heading (figure: Figure) =
        TextTable.right figure.Short |> TextTable.ranked figure.Rank

    // Rows that are not available have a line of their own, by reason.
    let ranked =
        results.Rows |> List.filter (fun row -> row.Status <> Status.NotAvailable) |> rank

    let lines, leftOut =
        TextTable.within
            width
            [
                TextTable.left "candidate"
                for figure in figures do
                    heading figure

                    if figure = verdictAfter then
                        verdictHeading
                publishedHeading
            ]
            [
                for row in ranked ->
                    [
                        row.Id
                        for figure in figures do
                            cell row figure

                            if figure = verdictAfter then
                                verdictCell figure row
                        row.PublishedPercent
                        |> Option.map (fun percent -> percent.ToString("F0", CultureInfo.InvariantCulture))
                        |> Option.defaultValue "-"
                    ]
            ]

    ranked, lines, figures, leftOut

/// Most rows that are named in the line about their reason.
let private named = 3

let private notMeasured width (rows: Row list) =
    [
        for (status, reason), rows in rows |> List.groupBy (fun row -> row.Status, row.Reason) do
            match reason with
            | Some reason ->
                let names =
                    if rows.Length <= named then
                        rows |> List.map _.Id |> String.concat ", "
                    else
                        $"{rows.Length} rows"

                yield!
                    Wrap.within width "  " $"{names} ({Word.ofCase status}): {reason}"
                    |> List.map (fun text -> LineKind.Bad, text)
            | None -> ()
    ]

let private percent (share: float) =
    (100.0 * share).ToString("0.#", CultureInfo.InvariantCulture) + " %"

let private legend width (results: Results) (figures: Figure list) (leftOut: string list) =
    let shown =
        figures |> List.filter (fun figure -> not (List.contains figure.Short leftOut))

    [
        for figure in shown do
            $"{figure.Short}: {figure.Explanation}."
        if results.Judges && shown |> List.exists _.IsRatio then
            $"verdict: against {results.Base}, with a margin of {percent results.Margin}."
        if
            not (List.contains publishedHeading.Title leftOut)
            && results.Rows |> List.exists (fun row -> not row.Published.IsEmpty)
        then
            "pub %: published, in percent of the publication's base."
        for factor in results.Factors do
            $"+{factor.Value}: {factor.Explanation}."

            if
                results.Rows |> List.exists (fun row -> (row.Find Figures.httpCpuRatio).IsSome)
                && results.Rows
                   |> List.exists (fun row ->
                       row.Has factor
                       && row.Status = Status.Measured
                       && (row.Find Figures.httpCpuRatio).IsNone)
            then
                $"Rows with +{factor.Value} were measured in process only; --all measures them over HTTP as well."
        match results.Stopping with
        | Some stopping when stopping.Reason <> "" -> $"Launches: {stopping.Reason}."
        | _ -> ()
    ]
    |> String.concat " "
    |> Wrap.within width ""

/// The lines of the rows: the ranked table, the rows that were not measured by reason, the columns that were left
/// out, and the meaning of the words.
let rows (width: int) (results: Results) : (LineKind * string) list =
    let ranked, lines, figures, leftOut = rowTable width results

    [
        for line in List.truncate 2 lines do
            LineKind.Heading, line
        for row, line in List.zip ranked (List.skip 2 lines) do
            kind row, line
        yield! notMeasured width results.Rows
        for line in
            TextTable.omission width TextTable.onThePage leftOut
            @ legend width results figures leftOut do
            LineKind.Plain, line
    ]

/// The lines of a panel that is a table, and lines about the rows and columns that they leave out; [] for a plot,
/// which is for the page.
let private tableAndMore (width: int) (panel: Panel) : string list * string list =
    match panel.Plot with
    | Table(columns, rows) ->
        let show (column: Column) (cell: Cell) =
            let number (value: float) =
                value.ToString(
                    "F" + string (Option.defaultValue 0 column.Decimals),
                    CultureInfo.InvariantCulture
                )

            match cell with
            | Cell.Text text -> text
            | Cell.Number value -> number value
            | Cell.Interval(value, low, high) -> $"{number value} {number low}-{number high}"
            | Cell.Nothing -> "-"

        let headings =
            columns
            |> List.mapi (fun at column ->
                let group = if column.Group = "" then "" else column.Group + " "
                let title = group + column.Title

                if column.Decimals.IsSome then TextTable.right title else TextTable.left title
                // The first column names the row, and the others matter less the further right they stand.
                |> TextTable.ranked at)

        // The published figure stands beside the measured one.
        let isShown cells =
            not (columns |> List.exists _.Ours)
            || List.exists2 (fun (column: Column) cell -> column.Ours && cell <> Cell.Nothing) columns cells

        let shown = rows |> List.filter isShown

        let lines, leftOut =
            if rows.IsEmpty || not shown.IsEmpty then
                TextTable.within width headings (shown |> List.map (List.map2 show columns))
            else
                [], []

        lines,
        [
            yield! TextTable.omission width TextTable.onThePage leftOut

            if shown.Length < rows.Length then
                let count = rows.Length - shown.Length
                let rows = if count = 1 then "1 published row" else $"{count} published rows"
                yield! Wrap.within width "" $"{rows} without a figure of ours: on the page."
        ]
    | _ -> [], []

/// The lines of a panel that is a table, without its title; [] for a plot, which is for the page.
let panel (width: int) (panel: Panel) : string list =
    let lines, more = tableAndMore width panel
    lines @ more

/// The same, without lines about the columns that find no room.
let table (width: int) (panel: Panel) : string list = fst (tableAndMore width panel)

/// The line about the warnings; all of them where `isAll`.
let warnings (width: int) (isAll: bool) (results: Results) : string list =
    match results.Warnings with
    | [] -> []
    | warnings when isAll ->
        warnings |> List.collect (fun warning -> Wrap.within width "" $"warning: {warning}")
    | warnings ->
        let count =
            if warnings.Length = 1 then "1 warning" else $"{warnings.Length} warnings"

        Wrap.within
            width
            ""
            $"{count}, trust in this run: {results.Trust}; --warnings shows them, and the page has them."

/// The controls in a sentence each; a measure whose control missed is red.
let controls (width: int) (results: Results) : (LineKind * string) list =
    match ControlRule.sentences results.Controls with
    | [] when results.Rows |> List.exists (fun row -> row.Ratio.IsSome) ->
        Wrap.within
            width
            ""
            "This run has no A/A control: the size of differences by chance was not measured."
        |> List.map (fun line -> LineKind.Plain, line)
    | sentences ->
        let missed = results.Missed |> List.map _.Sentence

        [
            for sentence in sentences do
                let kind = if List.contains sentence missed then LineKind.Bad else LineKind.Plain

                for line in Wrap.within width "" sentence do
                    kind, line
        ]

/// The answer, and the outcome of the control of every measure.
let heading (width: int) (results: Results) : (LineKind * string) list =
    [
        if results.Answer <> "" then
            for line in Wrap.within width "" results.Answer do
                LineKind.Heading, line

        yield! controls width results
    ]

/// Everything, the answer first.
let lines (width: int) (isAllWarnings: bool) (results: Results) : (LineKind * string) list =
    [
        yield! heading width results

        if not results.Rows.IsEmpty then
            LineKind.Plain, ""
            yield! rows width results

        for table in results.Panels do
            match panel width table with
            | [] -> ()
            | lines ->
                LineKind.Plain, ""
                LineKind.Heading, table.Title

                for why in Option.toList table.NotJudged do
                    for line in Wrap.within width "" why do
                        LineKind.Bad, line

                for line in lines do
                    LineKind.Plain, line

                for line in Wrap.within width "" table.Note do
                    LineKind.Plain, line

        if not results.Warnings.IsEmpty then
            LineKind.Plain, ""

            for line in warnings width isAllWarnings results do
                LineKind.Plain, line
    ]
