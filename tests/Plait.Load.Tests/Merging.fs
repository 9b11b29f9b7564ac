// Adding and comparing files of runs: sums are exact, what cannot be added is refused, several runs share a page.
module Plait.Load.Tests.Merging

open System
open FsCheck.FSharp
open Xunit

open Plait.Common
open Plait.Report

open Plait.Load
open Plait.Tests.Support

let private source (file: string) (content: Content) : RunFile =
    { File = file; Name = file; Content = content }

let private log (intervals: (string option * float * int64 list) list) : Content =
    Log
        {
            StartedUtc = None
            Intervals =
                intervals
                |> List.map (fun (tag, start, values) ->
                    { Tag = tag; Start = start; Length = 1.0; Histogram = RandomHistograms.record values })
            Notes = []
        }

let private some = Some "intended"

let private logs =
    Gen.nonEmptyListOf (Gen.zip (Gen.choose (0, 5)) (Gen.listOf RandomHistograms.durations))

[<Fact>]
let ``the sum of logs is the record of all their samples`` () =
    Laws.forEach 60 (Gen.nonEmptyListOf logs |> Gen.map (List.truncate 4)) (fun files ->
        let sources =
            files
            |> List.mapi (fun at intervals ->
                intervals
                |> List.map (fun (second, values) -> some, float second, values)
                |> log
                |> source $"{at}.hlog")

        let merged = Merge.files [] false sources
        let all = files |> List.collect (List.collect snd)
        let _, sum = List.exactlyOne merged.Sums

        RandomHistograms.content sum = RandomHistograms.content (RandomHistograms.record all)
        && (merged.Intervals |> List.distinctBy (fun interval -> interval.Start)).Length =
            merged.Intervals.Length)

[<Fact>]
let ``the sum of load runs is exact, and so is the log it is written as`` () =
    let runs =
        [ 1UL .. 4UL ]
        |> List.map (fun seed ->
            source $"{seed}.json" (RunFile.content "x" 1L (OutcomeJson.write (RandomOutcomes.one seed))))

    let outcomes =
        [ 1UL .. 4UL ] |> List.map (fun seed -> (RandomOutcomes.one seed).Outcome)

    Assert.True(
        outcomes |> List.exists (fun outcome -> outcome.Right > 3L),
        "the runs are too empty to show anything"
    )

    let merged = Merge.files [] false runs

    let written =
        (Hlog.read "x" 1L (Hlog.write DateTime.UnixEpoch merged.Intervals)).Intervals

    for tag, read in
        [ "intended", (fun (outcome: Outcome) -> outcome.Counts.Intended); "actual", _.Counts.Actual ] do
        let expected = outcomes |> List.map read |> Histogram.Sum
        let sum = merged.Sums |> List.find (fun (other, _) -> other = Some tag) |> snd
        Assert.Equal(RandomHistograms.content expected, RandomHistograms.content sum)

        let again =
            written
            |> List.filter (fun one -> one.Tag = Some tag)
            |> List.map _.Histogram
            |> Histogram.Sum

        Assert.All(
            seq { 0 .. Histogram.Length - 1 },
            fun index -> Assert.Equal(expected[index], again[index])
        )

[<Fact>]
let ``files are not changed by being added`` () =
    let one = source "a.hlog" (log [ some, 0.0, [ 5L ] ])
    let other = source "b.hlog" (log [ some, 0.0, [ 7L ] ])
    Merge.files [] false [ one; other ] |> ignore
    let _, sum = List.exactlyOne (Merge.files [] false [ one; other ]).Sums
    Assert.Equal(2L, sum.Count)

let private refused (sources: RunFile list) (tags: string list) (words: string list) =
    Refused.says "" words (fun () -> Merge.files tags false sources)

[<Fact>]
let ``two generators with the same start and number of requests are two runs`` () =
    let run (name: string) (milliseconds: int64) =
        let content =
            match log [ some, 0.0, [ milliseconds * 1_000_000L ] ] with
            | Log log -> Log { log with StartedUtc = Some DateTime.UnixEpoch }
            | other -> other

        source name content

    let sums = (Merge.files [] false [ run "a.hlog" 5L; run "b.hlog" 7L ]).Sums
    Assert.Equal(2L, (snd (List.exactlyOne sums)).Count)

    Assert.Throws<BadInput>(
        Action(fun () -> Merge.files [] false [ run "a.hlog" 5L; run "b.hlog" 5L ] |> ignore)
    )
    |> ignore

[<Fact>]
let ``runs that cannot be added are refused`` () =
    let a = source "a.hlog" (log [ some, 0.0, [ 5L ]; Some "actual", 0.0, [ 3L ] ])
    let b = source "b.hlog" (log [ some, 0.0, [ 7L ] ])
    let bare = source "c.hlog" (log [ None, 0.0, [ 7L ] ])
    let scenario = source "r.json" (Scenario RandomResults.sample)

    let coarse =
        source
            "d.hlog"
            (Log { StartedUtc = None; Intervals = []; Notes = [ "d.hlog was recorded with 2 digits" ] })

    refused [ a; b ] [] [ "b.hlog"; "'actual'"; "a.hlog"; "--tag" ]
    refused [ b; bare ] [] [ "c.hlog"; "'intended'"; "without a tag" ]
    refused [ a; a ] [] [ "a.hlog"; "2 times" ]
    refused [ a; scenario ] [] [ "r.json"; "no histograms" ]
    refused [ a; coarse ] [] [ "2 digits"; "--rounded" ]
    refused [ a; b ] [ "lag" ] [ "--tag"; "a.hlog"; "'lag'" ]
    let merged = Merge.files [ "intended" ] false [ a; b ]
    Assert.Equal(2L, (snd (List.exactlyOne merged.Sums)).Count)

[<Fact>]
let ``counts beyond 64 bits are refused`` () =
    let huge (file: string) =
        let histogram = Histogram()
        histogram.Record(5L, Int64.MaxValue / 2L + 1L)

        source
            file
            (Log
                {
                    StartedUtc = None
                    Intervals = [ { Tag = None; Start = 0.0; Length = 1.0; Histogram = histogram } ]
                    Notes = []
                })

    refused [ huge "a.hlog"; huge "b.hlog" ] [] [ "64 bits" ]

let private contents: (string * string * string list) list =
    [
        "nothing", "  \n", [ "empty" ]
        "a page", "<!doctype html>", [ "is a page" ]
        "a distribution", Hgrm.write (RandomHistograms.record [ 5L ]), [ ".hgrm"; "give the .hlog" ]
        "JSON without a schema", "{}", [ "no schema" ]
        "JSON of others", "{\"schema\":\"k6/1\"}", [ "'k6/1'" ]
        "a list", "[1]", [ "no schema" ]
        "half of a JSON", "{\"schema\": \"plait-at", [ "damaged or cut off" ]
        "some text", "hello\n", [ "line 1" ]
    ]

let names = TheoryData<string>([ for name, _, _ in contents -> name ])

[<Theory; MemberData(nameof names)>]
let ``a file that is no run is refused with its kind`` (name: string) =
    let _, text, words = contents |> List.find (fun (other, _, _) -> other = name)
    Refused.says "dir/x" words (fun () -> RunFile.content "dir/x" 1L text)

[<Fact>]
let ``files are recognised by their content`` () =
    let recording = RandomOutcomes.plain "a" 5

    match RunFile.content "x" 1L (OutcomeJson.write recording) with
    | Attack read -> Assert.Equal(5L, read.Outcome.Right)
    | other -> Assert.Fail $"{other}"

    match RunFile.content "x" 1L (AttackReport.hlog recording) with
    | Log read -> Assert.Equal(10L, read.Intervals |> List.sumBy _.Histogram.Count)
    | other -> Assert.Fail $"{other}"

    match RunFile.content "x" 1L (ResultsJson.write RandomResults.sample) with
    | Scenario read -> Assert.Equal(RandomResults.sample, read)
    | other -> Assert.Fail $"{other}"

[<Fact>]
let ``files of the same name get distinct names`` () =
    for files, expected in
        [
            [ "a.json"; "b.hlog" ], [ "a"; "b" ]
            [ "before/attack.json"; "after/attack.json" ], [ "before/attack"; "after/attack" ]
            [ "x/1/a.json"; "y/1/a.json" ], [ "x/1/a"; "y/1/a" ]
            [ "x/a.json"; "x/a.hlog" ], [ "a.json"; "a.hlog" ]
            [ "/x/1/a.json"; "/x/2/a.json"; "/x/1/a.hlog" ], [ "1/a.json"; "2/a.json"; "1/a.hlog" ]
        ] do
        Assert.Equal<string list>(expected, RunFile.names files)

let private sources (recordings: Recording list) =
    recordings |> List.map (fun recording -> source recording.Name (Attack recording))

[<Fact>]
let ``several runs share the plots, each under its name`` () =
    let runs = [ RandomOutcomes.plain "one" 100; RandomOutcomes.plain "two" 50 ]

    let bare =
        source "log" (RunFile.content "x" 1L (AttackReport.hlog (RandomOutcomes.plain "log" 20)))

    let results = RunComparison.results "plait report" (sources runs @ [ bare ])

    let panel id =
        results.Panels |> List.find (fun panel -> panel.Id = id)

    let labels (panel: Panel) = panel.Series |> List.map _.Label

    for name in [ "one"; "two"; "log" ] do
        Assert.Contains($"{name}: from intended start", labels (panel "percentiles"))
        Assert.Contains($"{name}: from send", labels (panel "percentiles"))

    for name in [ "one"; "two" ] do
        Assert.Contains($"{name}: right", labels (panel "rate-over-time"))
        Assert.Contains($"{name}: 99 %% from intended start", labels (panel "latency-over-time"))

    let table = panel "runs"
    Assert.Equal(6, table.Rows.Length)
    Assert.Equal(Some 100.0, table.Rows.Head[2].AsNumber)
    let ids = results.Panels |> List.map _.Id
    Assert.Equal(ids.Length, (List.distinct ids).Length)
    Assert.Equal(results, ResultsJson.read "x" (ResultsJson.write results))

[<Fact>]
let ``one file has the same page as its run`` () =
    let recording = RandomOutcomes.plain "one" 10
    Assert.Equal(AttackReport.results recording, RunComparison.results "c" (sources [ recording ]))
    let scenario = source "r" (Scenario RandomResults.sample)
    Assert.Equal(RandomResults.sample, RunComparison.results "c" [ scenario ])

[<Fact>]
let ``a scenario among load runs has its panels, and a note that its rows are omitted`` () =
    let panel = LatencyPanels.percentiles []

    let scenario =
        source "fizz" (Scenario { RandomResults.sample with Panels = [ panel ] })

    let results =
        RunComparison.results "c" (scenario :: sources [ RandomOutcomes.plain "one" 10 ])

    Assert.Empty results.Rows
    Assert.Contains(results.Panels, fun other -> other.Id = "fizz-percentiles")
    Assert.Contains(results.Warnings, fun (warning: string) -> warning.StartsWith "fizz: the rows")

[<Fact>]
let ``warnings name their run`` () =
    let recording = RandomOutcomes.plain "one" 10

    let invalid =
        { recording with Outcome = { recording.Outcome with Invalid = [ "late" ] } }

    let results =
        RunComparison.results "c" (sources [ invalid; RandomOutcomes.plain "two" 10 ])

    Assert.Contains("one: invalid: late", results.Warnings)

[<Fact>]
let ``the table of text has a line for each clock of each run`` () =
    let latencies =
        sources [ RandomOutcomes.plain "one" 100; RandomOutcomes.plain "another" 50 ]
        |> List.collect RunFile.latencies

    let lines = RunComparison.table latencies
    Assert.Equal(6, lines.Length)

    Assert.Matches(
        @"^one +from intended start +100 +51\.\d+ms +91\.\d+ms +100\.\d+ms +101ms +101ms$",
        lines[2]
    )

    Assert.All(lines, fun line -> Assert.Equal(lines.Head.Length, line.Length))
