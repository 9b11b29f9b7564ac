// results.csv: RFC 4180, a field for each column whatever the texts hold.
module Plait.Lab.Tests.CsvFile

open System
open System.Globalization
open FsCheck.FSharp
open Xunit

open Plait.Report


/// Reads RFC 4180, with line feeds between records.
let private parse (text: string) : string list list =
    let rec record fields (field: string) quoted records at =
        if at = text.Length then
            List.rev records
        elif quoted then
            match text[at] with
            | '"' when at + 1 < text.Length && text[at + 1] = '"' ->
                record fields (field + "\"") true records (at + 2)
            | '"' -> record fields field false records (at + 1)
            | other -> record fields (field + string other) true records (at + 1)
        else
            match text[at] with
            | '"' when field = "" -> record fields "" true records (at + 1)
            | ',' -> record (field :: fields) "" false records (at + 1)
            | '\n' -> record [] "" false (List.rev (field :: fields) :: records) (at + 1)
            | other -> record fields (field + string other) false records (at + 1)

    record [] "" false [] 0

let private column name (records: string list list) =
    let at = List.findIndex ((=) name) records.Head
    records.Tail |> List.map (List.item at)

let private results (rows: Row list) =
    { RandomResults.sample with Rows = rows; Panels = [] }

[<Fact>]
let ``every row has a field for every column and texts read back`` () =
    Laws.forEach 100 (Gen.listOf RandomResults.rows) (fun rows ->
        let records = parse (Csv.write (results rows))

        records.Length = rows.Length + 1
        && records |> List.forall (fun record -> record.Length = records.Head.Length)
        && column "id" records = (rows |> List.map _.Id)
        && column "reason" records = (rows |> List.map (fun row -> Option.defaultValue "" row.Reason)))

[<Fact>]
let ``a figure reads back to the last digit and an absent one is empty`` () =
    Laws.forEach 100 RandomResults.rows (fun row ->
        let records = parse (Csv.write (results [ row ]))

        let reads name (value: float option) =
            match List.exactlyOne (column name records), value with
            | "", None -> true
            | text, Some value -> Double.Parse(text, CultureInfo.InvariantCulture) = value
            | _ -> false

        reads "bytesPerOperation" row.BytesPerOperation
        && reads "cpuRatioMedian" (row.CpuRatio |> Option.map _.Median)
        && reads "cpuMicroseconds" row.CpuMicroseconds
        && reads "nanosecondsPerWrapper" row.NanosecondsPerWrapper
        && reads "httpCpuRatioHigh" (row.Http |> Option.map _.CpuRatio.High)
        && reads "httpRequestsPerSecondPercentLow" (row.Http |> Option.map _.RequestsPerSecondPercent.Low)
        && reads "httpCapacityPercent" (row.Http |> Option.map _.CapacityPercent)
        && reads "httpErrors" (row.Http |> Option.map (fun http -> float http.Errors.Status + 3.0))
        && reads "publishedPercentOfSync" (row.Published |> List.tryHead |> Option.map _.PercentOfSync))

[<Fact>]
let ``a field is quoted when it must be and not otherwise`` () =
    for text, expected in
        [
            "a", "a"
            "", ""
            "a b", "a b"
            "a,b", "\"a,b\""
            "a\"b", "\"a\"\"b\""
            "a\nb", "\"a\nb\""
            "a\rb", "\"a\rb\""
        ] do
        Assert.Equal<string>(expected, Csv.field text)

[<Fact>]
let ``the header names every column once`` () =
    let header = (parse (Csv.write (results []))).Head
    Assert.Equal(header.Length, (List.distinct header).Length)
    Assert.Equal("id", header.Head)

[<Fact>]
let ``results without rows are written as their first table`` () =
    let column title digits : Column =
        { Title = title; Digits = digits; Better = "" }

    let table =
        Panel.table
            "t"
            "T"
            ""
            [ column "mode" None; column "seconds" (Some 2) ]
            [ [ Panel.text "a, b"; Panel.number 0.1234 ]; [ Panel.text "c"; Panel.nothing ] ]

    let panels = [ Panel.facts "" []; table; { table with Rows = [] } ]
    let written = Csv.write { results [] with Panels = panels }

    Assert.Equal<string list list>(
        [ [ "mode"; "seconds" ]; [ "a, b"; "0.1234" ]; [ "c"; "" ] ],
        parse written
    )
