// results.csv: RFC 4180, a field for each column whatever the texts hold.
module Plait.Report.Tests.CsvFile

open System
open System.Globalization
open FsCheck.FSharp
open Xunit

open Plait.Report
open Plait.Tests.Support

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

        Figures.all
        |> List.forall (fun figure ->
            let measured = row.Find figure
            let isOfPairs = measured |> Option.exists _.Pairs.IsSome

            reads figure.Key (row.Value figure)
            && (not isOfPairs || reads (figure.Key + "Low") (measured |> Option.bind _.Low))
            && (not isOfPairs || reads (figure.Key + "High") (measured |> Option.bind _.High)))
        && reads "errors" (row.Errors |> Option.map (fun errors -> float errors.Status + 3.0))
        && reads "publishedPercentOfSync" row.PublishedPercent)

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
    let table =
        Panel.table
            "t"
            "T"
            ""
            [ Column.words "mode"; Column.figure "seconds" 2 ]
            [ [ Panel.text "a, b"; Panel.number 0.1234 ]; [ Panel.text "c"; Panel.nothing ] ]

    let plot = Panel.lines "l" "L" "" (Panel.linear "x") (Panel.linear "y") []

    let written =
        Csv.write { results [] with Panels = [ plot; table; { table with Title = "U" } ] }

    Assert.Equal<string list list>(
        [ [ "mode"; "seconds" ]; [ "a, b"; "0.1234" ]; [ "c"; "" ] ],
        parse written
    )
