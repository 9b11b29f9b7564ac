// results.csv: one line a row, for spreadsheets and plotting tools. Made from results alone; a column is named by the
// path of its figure in results.json, in camel case.
module Plait.Report.Csv

open System.Globalization

let private columns: (string * (Row -> string)) list =
    let number (value: float option) =
        value
        |> Option.map (fun value -> value.ToString("R", CultureInfo.InvariantCulture))
        |> Option.defaultValue ""

    let text = Option.defaultValue ""
    let truth (value: bool) = if value then "true" else "false"

    let whole (value: int64 option) = value |> Option.map string |> text

    let ratio part (row: Row) =
        row.CpuRatio |> Option.map part |> number

    let http part (row: Row) = row.Http |> Option.map part |> number

    [
        "id", _.Id
        "candidate", _.Candidate
        "syncFn", (fun row -> truth row.Factors.SyncFn)
        "family", _.Family
        "library", (fun row -> text row.Library)
        "libraryVersion", (fun row -> text row.LibraryVersion)
        "status", _.Status
        "available", (fun row -> truth row.Available)
        "reason", (fun row -> text row.Reason)
        "bytesPerOperation", (fun row -> number row.BytesPerOperation)
        "bytesPerOperationNoEscape", (fun row -> number row.BytesPerOperationNoEscape)
        "cpuMicroseconds", (fun row -> number row.CpuMicroseconds)
        "cpuRatioMedian", ratio _.Median
        "cpuRatioLow", ratio _.Low
        "cpuRatioHigh", ratio _.High
        "cpuRatioSpread", ratio _.Spread
        "cpuRatioPairs", ratio (fun ratio -> float ratio.Pairs)
        "nanosecondsPerWrapper", (fun row -> number row.NanosecondsPerWrapper)
        "verdict", (fun row -> text row.Verdict)
        "httpCpuMicroseconds", http _.CpuMicroseconds
        "httpCpuRatioMedian", http _.CpuRatio.Median
        "httpCpuRatioLow", http _.CpuRatio.Low
        "httpCpuRatioHigh", http _.CpuRatio.High
        "httpCpuRatioSpread", http _.CpuRatio.Spread
        "httpCpuRatioPairs", http (fun part -> float part.CpuRatio.Pairs)
        "httpVerdict", (fun row -> row.Http |> Option.map _.Verdict |> text)
        "httpRequestsPerSecond", http _.RequestsPerSecond
        "httpRequestsPerSecondPercentMedian", http _.RequestsPerSecondPercent.Median
        "httpRequestsPerSecondPercentLow", http _.RequestsPerSecondPercent.Low
        "httpRequestsPerSecondPercentHigh", http _.RequestsPerSecondPercent.High
        "httpCapacityPercent", http _.CapacityPercent
        "httpBytesPerRequest", (fun row -> row.Http |> Option.bind _.BytesPerRequest |> number)
        "httpRequests", (fun row -> row.Http |> Option.map _.Requests |> whole)
        "httpErrors",
        (fun row ->
            row.Http
            |> Option.map (fun part ->
                part.Errors.Status + part.Errors.Length + part.Errors.Connection + part.Errors.Timeout)
            |> whole)
        "publishedPercentOfSync",
        (fun row -> row.Published |> List.tryHead |> Option.map _.PercentOfSync |> number)
    ]

/// A field as RFC 4180 wants it: in quotes when it holds a comma, a quote or a line break.
let field (text: string) : string =
    if text.IndexOfAny [| ','; '"'; '\n'; '\r' |] >= 0 then
        "\"" + text.Replace("\"", "\"\"") + "\""
    else
        text

let private cell (cell: Cell) =
    match cell.Text, cell.Number with
    | Some text, _ -> text
    | None, Some number -> number.ToString("R", CultureInfo.InvariantCulture)
    | None, None -> ""

/// The text of results.csv: a header line and one line a row; an absent figure is an empty field. Results without rows
/// are written as their first table.
let write (results: Results) : string =
    let firstTable = results.Panels |> List.tryFind (fun panel -> panel.Kind = "table")

    match firstTable with
    | Some table when results.Rows.IsEmpty ->
        [ table.Columns |> List.map _.Title; yield! table.Rows |> List.map (List.map cell) ]
    | _ ->
        [
            columns |> List.map fst

            for row in results.Rows do
                columns |> List.map (fun (_, read) -> read row)
        ]
    |> List.map (List.map field >> String.concat ",")
    |> String.concat "\n"
    |> fun lines -> lines + "\n"
