// results.csv: one line a row, for spreadsheets and plotting tools. Made from results alone.
module Plait.Lab.Report.Csv

open System.Globalization

let private columns: (string * (Row -> string)) list =
    let number (value: float option) =
        value
        |> Option.map (fun value -> value.ToString("R", CultureInfo.InvariantCulture))
        |> Option.defaultValue ""

    let whole (value: int64 option) =
        value |> Option.map string |> Option.defaultValue ""

    let inProcess part (row: Row) =
        row.InProcess |> Option.map part |> number

    let http part (row: Row) = row.Http |> Option.map part |> number

    [
        "id", _.Id
        "candidate", _.Candidate
        "syncFn", (fun row -> if row.Factors.SyncFn then "true" else "false")
        "family", _.Family
        "library", (fun row -> Option.defaultValue "" row.Library)
        "libraryVersion", (fun row -> Option.defaultValue "" row.LibraryVersion)
        "status", _.Status
        "reason", (fun row -> Option.defaultValue "" row.Reason)
        "bytesPerRequest", (fun row -> number row.BytesPerRequest)
        "bytesPerRequestNoEscape", (fun row -> number row.BytesPerRequestNoEscape)
        "inProcessCpuMicroseconds", inProcess _.CpuMicroseconds
        "inProcessRatio", inProcess _.Ratio.Median
        "inProcessRatioLow", inProcess _.Ratio.Low
        "inProcessRatioHigh", inProcess _.Ratio.High
        "inProcessRatioSpread", inProcess _.Ratio.Spread
        "inProcessPairs", inProcess (fun part -> float part.Ratio.Pairs)
        "inProcessVerdict", (fun row -> row.InProcess |> Option.map _.Verdict |> Option.defaultValue "")
        "httpCpuMicroseconds", http _.CpuMicroseconds
        "httpRatio", http _.Ratio.Median
        "httpRatioLow", http _.Ratio.Low
        "httpRatioHigh", http _.Ratio.High
        "httpRatioSpread", http _.Ratio.Spread
        "httpPairs", http (fun part -> float part.Ratio.Pairs)
        "httpVerdict", (fun row -> row.Http |> Option.map _.Verdict |> Option.defaultValue "")
        "requestsPerSecond", http _.RequestsPerSecond
        "requestsPerSecondRatio", http _.RequestsPerSecondRatio
        "capacityPercent", http _.CapacityPercent
        "httpBytesPerRequest", http _.BytesPerRequest
        "requests", (fun row -> row.Http |> Option.map _.Requests |> whole)
        "errors",
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

/// The text of results.csv: a header line and one line a row; an absent figure is an empty field.
let write (results: Results) : string =
    [
        columns |> List.map fst

        for row in results.Rows do
            columns |> List.map (fun (_, read) -> read row)
    ]
    |> List.map (List.map field >> String.concat ",")
    |> String.concat "\n"
    |> fun lines -> lines + "\n"
