// The first screen of a run: the answer and a line for each row, in 24 lines of 80 columns whatever the run was like.
module Plait.Lab.Tests.FirstScreens

open Xunit

open Plait.Common
open Plait.Report
open Plait.Lab

open Plait.Tests.Support.MadeRows

let private costs =
    [
        "sync-again", 1.0, 0.0
        "strand-bare", 1.03, 0.0
        "strand-unsafe", 1.09, 0.0
        "strand", 1.25, 16.0
        "pooled-value-task", 1.66, 0.0
        "csharp-value-task", 1.72, 0.0
        "task", 2.13, 248904.0
        "async", 4.94, 860544.0
    ]

let private ratioOf cost =
    { ratio cost (cost - 0.02) (cost + 0.02) with
        Verdict = Some(if cost > 1.05 then Slower else Same)
    }

let private rowOf (id, cost, bytes) =
    made
        id
        [
            Figures.cpuRatio, Some(ratioOf cost)
            Figures.httpCpuRatio, Some(ratioOf cost)
            Figures.bytesOverBase, Some(Measured.Plain bytes)
            Figures.httpBytesOverBase, Some(Measured.Plain bytes)
            Figures.nanosecondsPerWrapper, Some(Measured.Plain 3.0)
            Figures.gcPauseMicroseconds, Some(Measured.Plain 1.0)
        ]

let private usual = rowOf ("sync", 1.0, 0.0) :: List.map rowOf costs

/// Results whose controls came out so in process and over HTTP.
let private run inProcess http rows : Results =
    let controls =
        [
            control Measure.InProcess inProcess "1.00 (0.99-1.02)"
            control Measure.OverHttp http "0.97 (0.88-1.07)"
        ]

    let rows = ControlRule.apply controls rows

    { Results.Empty with
        Base = "sync"
        Margin = 0.03
        Settings = { Results.Empty.Settings with Launches = 6 }
        Controls = controls
        Answer = Answer.ofRows [ "strand"; "task"; "async" ] "plain code" rows |> Answer.among controls
        Rows = rows
        Figures = RowFigures.described rows
        Warnings = [ "the first"; "the second"; "the third" ]
    }

/// What is left of 24 lines beside what the verb prints.
let private room = 19

let private screen results = FirstScreen.lines 79 room false results

let private texts results = screen results |> List.map snd

let private lineOf (id: string) results =
    texts results |> List.find (fun line -> line.StartsWith(id + "  "))

let private counter (part: char) (line: string) =
    line |> Seq.filter ((=) part) |> Seq.length

[<Fact>]
let ``the first screen fits 80 columns and 24 lines, with warnings, with controls that missed, and with many rows``
    ()
    =
    let many =
        usual
        @ [ for at in 1..40 -> rowOf ($"a-candidate-with-a-rather-long-name-{at}", 3.0 + float at, 1e9) ]

    let failed =
        usual
        |> List.mapi (fun at row ->
            if at > 5 then
                { row with Status = Status.Failed; Reason = Some(String.replicate 40 "it ended ") }
            else
                row)

    for inProcess in [ true; false ] do
        for http in [ true; false ] do
            for rows in [ usual; many; failed; List.truncate 2 usual ] do
                let lines = texts (run inProcess http rows)
                Assert.True(lines.Length <= room, $"{lines.Length} lines")
                Assert.All(lines, fun line -> Assert.True(line.Length <= 79, line))

[<Fact>]
let ``nine rows fit on the first screen with a missed control and warnings`` () =
    for inProcess, http in [ true, true; true, false; false, true ] do
        let lines = texts (run inProcess http usual)

        for row in usual do
            Assert.Contains(lines, fun line -> line.StartsWith(row.Id + "  "))

        Assert.DoesNotContain(lines, fun line -> line.Contains "more row")

[<Fact>]
let ``the answer is first, then a line for each row with its interval, a bar and its bytes, without explanations``
    ()
    =
    let good = run true true usual
    let lines = texts good
    Assert.Equal("strand costs 1.25 x plain code, task 2.1 x, async 4.9 x.", lines[0])
    Assert.StartsWith("A/A control sync-again: 1.00 (0.99-1.02) in process", lines[1])

    Assert.Contains(
        lines,
        fun line -> line.Contains "CPU over sync, in process" && line.EndsWith "bytes over sync"
    )

    let strand, async = lineOf "strand" good, lineOf "async" good
    Assert.Contains("1.25 (1.23-1.27)", strand)
    Assert.EndsWith(" 16", strand)
    Assert.EndsWith(" 860,544", async)
    Assert.Contains("1.00 (base)", lineOf "sync" good)
    // A bar is as long as its ratio.
    let length = counter '█'
    Assert.True(length async > 3 * length strand && length strand > 0, $"{strand}\n{async}")
    let text = String.concat "\n" lines

    for word in [ "ns/wr"; "GC us"; "pub %"; "cap %"; "Left out"; Figures.cpuRatio.Explanation ] do
        Assert.DoesNotContain(word, text)

[<Fact>]
let ``if the control missed over HTTP, the rows are ranked in process, with a sentence about it`` () =
    let missed = run true false usual
    let lines = texts missed
    let text = String.concat " " lines

    Assert.StartsWith(
        "strand costs 1.25 x plain code, task 2.1 x, async 4.9 x; over HTTP nothing is judged.",
        text
    )

    Assert.Contains(
        screen missed,
        fun (kind, line) -> kind = LineKind.Bad && line.StartsWith "Over HTTP nothing is judged"
    )

    Assert.Contains("█", lineOf "strand" missed)
    Assert.DoesNotContain(lines, fun line -> line.Contains "not judged")

[<Fact>]
let ``if the control missed in process, the rows are ranked over HTTP`` () =
    let missed = run false true usual
    Assert.Contains(texts missed, fun line -> line.Contains "CPU over sync, over HTTP")
    Assert.Contains("█", lineOf "strand" missed)

[<Fact>]
let ``if the measure in process is not judged, a row measured there alone has a line without a bar`` () =
    let alone =
        usual
        |> List.map (fun row ->
            if row.Id = "async" then
                { row with Figures = row.Figures.Remove Figures.httpCpuRatio.Key }
            else
                row)

    let line = lineOf "async" (run false true alone)
    Assert.Contains("4.94 (4.92-4.96)  in process, not judged", line)
    Assert.DoesNotContain("█", line)

[<Fact>]
let ``if nothing is judged, the rows have no bars and a note`` () =
    let missed = run false false usual
    Assert.DoesNotContain(texts missed, fun line -> line.Contains '█')
    Assert.Contains("not judged", lineOf "strand" missed)
    Assert.DoesNotContain(screen missed, fun (kind, _) -> kind = LineKind.Good)

[<Fact>]
let ``many rows are shown by the cheapest and the base, and the others are counted`` () =
    let many =
        [ for at in 1..40 -> rowOf ($"row-{at}", 0.5 + float at / 100.0, 0.0) ] @ usual

    let lines = texts (run true true many)
    Assert.Contains(lines, fun line -> line.StartsWith "row-1 ")
    Assert.Contains(lines, fun line -> line.StartsWith "sync ")
    let shown = lines |> List.filter (fun line -> line.Contains '█') |> List.length
    Assert.Contains($"and {many.Length - shown} more rows: --details, and the page", lines)

let private absentFor (reason: string) =
    [
        for at in 1..11 -> { made $"package-{at}" [] with Status = Status.NotAvailable; Reason = Some reason }
    ]

[<Fact>]
let ``rows that were not requested are listed with --details only`` () =
    let results = run true true (usual @ absentFor Row.NotAsked)
    Assert.DoesNotContain(texts results, fun line -> line.Contains "available")

    let details = ResultsText.lines 79 false results |> List.map snd
    Assert.Contains(details, fun line -> line.Contains "--packages")

[<Fact>]
let ``rows that are not available are counted in free lines only`` () =
    let absent = absentFor "the package Ply 0.3.1 cannot be had"

    let said results =
        texts results |> List.filter _.Contains("11 rows are not available here")

    Assert.NotEmpty(said (run true true (usual @ absent)))
    Assert.Empty(said (run true false (usual @ absent)))
    Assert.DoesNotContain(texts (run true false (usual @ absent)), fun line -> line.Contains "more row")

[<Fact>]
let ``bytes without escape analysis are preferred`` () =
    let rows =
        usual
        |> List.map (fun row ->
            { row with
                Figures = row.Figures.Add(Figures.bytesOverBaseNoEscape.Key, Measured.Plain 7.0)
            })

    Assert.EndsWith(" 7", lineOf "strand" (run true true rows))

[<Fact>]
let ``a run without bytes has no column of them`` () =
    let rows =
        usual
        |> List.map (fun row ->
            { row with
                Figures = row.Figures.Remove(Figures.bytesOverBase.Key).Remove(Figures.httpBytesOverBase.Key)
            })

    let withoutBytes = run true true rows
    Assert.DoesNotContain(texts withoutBytes, fun line -> line.Contains "bytes")
    Assert.EndsWith("█", lineOf "async" withoutBytes)

[<Fact>]
let ``a higher terminal shows more rows`` () =
    let many = [ for at in 1..40 -> rowOf ($"row-{at}", 1.5 + float at, 0.0) ] @ usual
    let lines = FirstScreen.lines 79 100 false (run true true many) |> List.map snd

    for row in many do
        Assert.Contains(lines, fun line -> line.StartsWith(row.Id + " "))

[<Fact>]
let ``results without rows show their first figures`` () =
    let item (label: string) (value: float) note : Item =
        { Item.Of(label, Family.Other, value) with Note = note }

    let bars =
        Panel.bars
            "wall"
            "Times"
            ""
            (Panel.linear "time (s)" |> Panel.rounded 2)
            None
            None
            [
                item "Async.Sleep" 0.52 None
                item "Thread.Sleep" 61.0 (Some "did not end within 61 s (312 of 1000)")
                item "Task.Run" 4.0 None
            ]

    let results = { Results.Empty with Answer = "It took long."; Panels = [ bars ] }
    Assert.Equal("It took long.", (texts results)[0])
    Assert.Contains("0.52", lineOf "Async.Sleep" results)
    Assert.Contains("█", lineOf "Task.Run" results)
    Assert.Contains("did not end", lineOf "Thread.Sleep" results)
    let why = Some "In process nothing is judged."
    let missed = { results with Panels = [ Panel.notJudged why bars ] }
    Assert.Contains("not judged", lineOf "Async.Sleep" missed)
    Assert.DoesNotContain(texts missed, fun line -> line.Contains '█')

[<Fact>]
let ``results with nothing but tables show the first one`` () =
    let table =
        Panel.table
            "t"
            "T"
            "What it says."
            [ Column.words "what"; Column.figure "many" 0 ]
            [ for at in 1..50 -> [ Panel.text $"row {at}"; Panel.number 1.0 ] ]

    let lines = texts { Results.Empty with Panels = [ table ] }
    Assert.True(lines.Length <= room)
    Assert.Contains(lines, fun line -> line.StartsWith "row 1 ")
    Assert.DoesNotContain("What it says.", lines)
