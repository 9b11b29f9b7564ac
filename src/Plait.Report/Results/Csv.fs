// results.csv: one line a row, for spreadsheets and plotting tools. Made from results alone; a column is named by the
// key of its figure in results.json.
module Plait.Report.Csv

open System.Globalization
open Plait.Common

let private number (value: float option) =
    value
    |> Option.map (fun value -> value.ToString("R", CultureInfo.InvariantCulture))
    |> Option.defaultValue ""

let private about: (string * (Row -> string)) list =
    let text = Option.defaultValue ""
    let truth (value: bool) = if value then "true" else "false"

    [
        "id", _.Id
        "candidate", _.Candidate
        "factors",
        (fun row ->
            row.Factors
            |> Map.toList
            |> List.map (fun (name, value) -> $"{name}={value}")
            |> String.concat " ")
        "family", (fun row -> Word.ofCase row.Family)
        "library", (fun row -> text row.Library)
        "libraryVersion", (fun row -> text row.LibraryVersion)
        "status", (fun row -> Word.ofCase row.Status)
        "reason", (fun row -> text row.Reason)
        "correct", (fun row -> row.Correct |> Option.map truth |> text)
        "publishedPercentOfSync", (fun row -> number row.PublishedPercent)
        "errors", (fun row -> row.Errors |> Option.map (fun errors -> string errors.Total) |> text)
    ]

/// A column for every figure of a row, and the columns of its interval if a row has one.
let private figures (results: Results) : (string * (Row -> string)) list =
    [
        for figure in Figures.all do
            let read (part: Measured -> float option) (row: Row) =
                row.Find figure |> Option.bind part |> number

            figure.Key, read (fun measured -> Some measured.Value)

            if results.Rows |> List.exists (fun row -> row.Find figure |> Option.exists _.Pairs.IsSome) then
                figure.Key + "Low", read _.Low
                figure.Key + "High", read _.High
                figure.Key + "Spread", read _.Spread
                figure.Key + "Pairs", read (fun measured -> measured.Pairs |> Option.map float)

            if
                results.Rows
                |> List.exists (fun row ->
                    row.Find figure
                    |> Option.exists (fun measured -> measured.Pairs.IsSome || measured.Verdict.IsSome))
            then
                figure.Key + "Verdict",
                (fun row ->
                    row.Find figure
                    |> Option.bind _.Verdict
                    |> Option.map Verdict.word
                    |> Option.defaultValue "")
    ]

/// A field as RFC 4180 wants it: in quotes when it holds a comma, a quote or a line break.
let field (text: string) : string =
    if text.IndexOfAny [| ','; '"'; '\n'; '\r' |] >= 0 then
        "\"" + text.Replace("\"", "\"\"") + "\""
    else
        text

let private cell (cell: Cell) =
    match cell with
    | Cell.Text text -> text
    | Cell.Number value
    | Cell.Interval(value, _, _) -> number (Some value)
    | Cell.Nothing -> ""

/// The text of results.csv: a header line and one line a row; an absent figure is an empty field. Results without rows
/// are written as their first table.
let write (results: Results) : string =
    let firstTable =
        results.Panels
        |> List.tryPick (fun panel ->
            match panel.Plot with
            | Table(columns, rows) -> Some(columns, rows)
            | _ -> None)

    match firstTable with
    | Some(heads, rows) when results.Rows.IsEmpty ->
        [ heads |> List.map _.Title; yield! rows |> List.map (List.map cell) ]
    | _ ->
        let columns = about @ figures results

        [
            columns |> List.map fst

            for row in results.Rows do
                columns |> List.map (fun (_, read) -> read row)
        ]
    |> List.map (List.map field >> String.concat ",")
    |> String.concat "\n"
    |> fun lines -> lines + "\n"
