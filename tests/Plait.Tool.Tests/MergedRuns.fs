// Several plait attack on one server, each with its share, and plait merge, which makes one run of their files.
module Plait.Tool.Tests.MergedRuns

open System
open System.Diagnostics
open System.IO
open Xunit

open Plait.Load
open Plait.Report
open Plait.Tests.Support
open Plait.Tests.Support.LoadServer

[<Fact>]
let ``shares that begin together are merged to the run that one generator would have made`` () =
    use counting = sometimes 10L "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
    use folder = new Built.Folder()
    let out index = folder.File $"m{index}.json"

    let startAt (time: DateTime) (index: int) =
        ToolRun.start
            [
                "attack"
                $"{counting.Server.Url}/"
                "--rate"
                "100/s"
                "--duration"
                "1s"
                "--no-calibration"
                "--share"
                $"{index}/3"
                "--start-at"
                time.ToString "yyyy-MM-ddTHH:mm:ss.fffZ"
                "--name"
                $"m{index}"
                "--json"
                out index
            ]

    // A busy machine takes long to start a process.
    let began = Stopwatch.StartNew()
    let waiting = startAt (DateTime.UtcNow + TimeSpan.FromHours 1.) 1
    waiting.Says "note: the run begins in "
    let start = DateTime.UtcNow + TimeSpan.FromSeconds 3. + 6. * began.Elapsed
    waiting.Interrupt()
    Assert.NotEqual(0, waiting.Wait().Code)

    let running = [ for index in 1..3 -> startAt start index ]

    for one in running do
        let ended = one.Wait()
        Assert.True((0 = ended.Code), ended.Err)

    let parts =
        [ for index in 1..3 -> (OutcomeJson.read "part" (File.ReadAllText(out index))).Outcome ]

    Assert.Equal<int64 list>([ 34L; 33L; 33L ], parts |> List.map _.Requests)

    let whole, log, page =
        folder.File "whole.json", folder.File "whole.hlog", folder.File "whole.html"

    let merge more =
        ToolRun.run ([ "merge"; out 1; out 2; out 3 ] @ more)

    let ended =
        merge [ "--json"; whole; "--out"; log; "--require"; "success>=90%"; "--require"; "p99<1h" ]

    Assert.True((0 = ended.Code), ended.Err)
    Assert.Matches(@"(?m)^Requests +\[total, rate, throughput\] +100, ", ended.Out)
    Assert.Matches(@"(?m)^Results +\[name:count\] +right:90 +wrong status:10", ended.Out)
    Assert.Matches(@"(?m)^success>=90% +90% +kept", ended.Out)
    let merged = (OutcomeJson.read "whole" (File.ReadAllText whole)).Outcome
    Assert.Equal(Share.Whole, merged.Plan.Share)
    let sum = parts |> List.map (fun part -> part.Counts.Intended) |> Histogram.Sum
    Assert.Equal(RandomHistograms.content sum, RandomHistograms.content merged.Counts.Intended)
    let intervals = (Hlog.read "whole.hlog" 1L (File.ReadAllText log)).Intervals

    Assert.Equal(
        90L,
        intervals
        |> List.filter (fun one -> one.Tag = Some "intended")
        |> List.sumBy _.Histogram.Count
    )

    if Option.isSome (Page.template ()) then
        Assert.Equal(0, (merge [ "--page"; page ]).Code)
        Assert.Equal("attack", (ResultsJson.read "page" (ReadBack.page (File.ReadAllText page))).Scenario)

    merge [ "--require"; "success>95%" ]
    |> ToolRun.endsBadly 3 [ "a rule is broken: success>95% (it is 90%)" ]

    // One of them is missing.
    let ended = ToolRun.run [ "merge"; out 1; out 3 ]
    ended |> ToolRun.endsBadly 1 [ "the run is invalid" ]
    Assert.Contains("INVALID: shares are missing: 2/3", ended.Out)

[<Fact>]
let ``an invalid run is named, and makes the whole invalid`` () =
    use folder = new Built.Folder()

    let saved (name: string) (count: int) (invalid: string list) =
        let run = RandomOutcomes.plain name count

        File.WriteAllText(
            folder.File $"{name}.json",
            OutcomeJson.write { run with Outcome = { run.Outcome with Invalid = invalid } }
        )

        folder.File $"{name}.json"

    let one, two = saved "one" 100 [], saved "two" 50 [ "connections ran out" ]
    let ended = ToolRun.run [ "merge"; one; two ]
    ended |> ToolRun.endsBadly 1 [ "the run is invalid" ]
    Assert.Contains("INVALID: two: connections ran out", ended.Out)
    Assert.Equal(0, (ToolRun.run [ "merge"; one; saved "three" 60 [] ]).Code)

    // Logs have no more than latencies.
    File.WriteAllText(folder.File "four.hlog", AttackReport.hlog (RandomOutcomes.plain "four" 20))

    let ended =
        ToolRun.run [ "merge"; one; folder.File "four.hlog"; "--out"; folder.File "x.hlog" ]

    Assert.Equal(0, ended.Code)
    Assert.Contains("note: the files are not one run, because a .hlog has latencies only", ended.Out)

    ToolRun.run
        [
            "merge"
            one
            folder.File "four.hlog"
            "--json"
            folder.File "x.json"
            "--out"
            folder.File "y.hlog"
        ]
    |> ToolRun.endsBadly 2 [ "--json needs the attack.json of every run"; "four.hlog is a log"; "--out FILE" ]

    for option, value in
        [ "--require", "p99<1ms"; "--json", folder.File "x.json"; "--page", folder.File "x.html" ] do
        ToolRun.run [ "merge"; folder.File "four.hlog"; one; option; value ]
        |> ToolRun.endsBadly 2 [ $"{option} needs the attack.json of every run"; "four.hlog" ]

    ToolRun.run [ "merge"; one; two; "--json"; one ]
    |> ToolRun.endsBadly 2 [ "one.json is one of the files to add" ]

[<Fact>]
let ``a wrong share and a wrong time are refused`` () =
    let url = "http://127.0.0.1:1/"

    for arguments, words in
        [
            [ "--share"; "4/3" ], [ "--share"; "3/10"; "'4/3'" ]
            [ "--share"; "0/3" ], [ "'0/3'" ]
            [ "--share"; "3" ], [ "'3'" ]
            [ "--share"; "3/4"; "-n"; "2"; "-c"; "8" ], [ "share 3 of 4 would have no request" ]
            [ "--start-at"; "noon" ], [ "--start-at"; "2026-11-21T10:00:00Z" ]
            [ "--start-at"; "2020-01-01T00:00:00Z" ], [ "is over by" ]
            [ "--start-at"; "5" ], [ "is over by" ]
            [ "--start-at"; "2999-01-01T00:00:00Z" ], [ "more than a day away" ]
        ] do
        ToolRun.run ([ "attack"; url; "--no-calibration" ] @ arguments)
        |> ToolRun.endsBadly 2 words

[<Fact>]
let ``a share with another answer criterion is named, and a rule of one part judges the whole`` () =
    use folder = new Built.Folder()

    let saved (index: int) (change: Plan -> Plan) =
        let run = RandomOutcomes.plain $"m{index}" (100 + index)
        let plan = { run.Outcome.Plan with Share = { Index = index - 1; Of = 2 } }
        let file = folder.File $"m{index}.json"

        File.WriteAllText(
            file,
            OutcomeJson.write { run with Outcome = { run.Outcome with Plan = change plan } }
        )

        file

    let one, two =
        saved 1 (fun plan -> { plan with Rules = [ Rule.parse "p99<1ms" ] }), saved 2 id

    let ended = ToolRun.run [ "merge"; one; two ]
    ended |> ToolRun.endsBadly 3 [ "a rule is broken: p99<1ms" ]
    Assert.Matches(@"note: only m1 had\s+--require\s+'p99<1ms',\s+and\s+m2\s+did\s+not", ended.Out)

    let other = saved 2 (fun plan -> { plan with ExpectStatus = [ 200; 503 ] })
    let ended = ToolRun.run [ "merge"; one; other; "--require"; "p99<1h" ]
    ended |> ToolRun.endsBadly 1 [ "the run is invalid" ]

    Assert.Matches(
        @"INVALID: m1 and m2 are shares of different loads: they\s+differ\s+in\s+--expect-status",
        ended.Out
    )

[<Fact>]
let ``a file whose counts contradict each other is refused by every verb that reads it`` () =
    use folder = new Built.Folder()
    let one, two = folder.File "one.json", folder.File "two.json"
    File.WriteAllText(one, OutcomeJson.write (RandomOutcomes.plain "one" 60))
    let text = OutcomeJson.write (RandomOutcomes.plain "two" 61)
    File.WriteAllText(two, text.Replace("\"right\": 61\n    }", "\"right\": 1000\n    }"))

    let words =
        [ "two.json: its counts contradict each other: results.right is 1000"; " is 61" ]

    ToolRun.run [ "merge"; one; two ] |> ToolRun.endsBadly 2 words
    ToolRun.run [ "report"; one; two ] |> ToolRun.endsBadly 2 words

[<Fact>]
let ``the note on a late start advises --no-calibration only after a measurement of the capacity`` () =
    use counting = sometimes Int64.MaxValue ""

    // Its warm-up was to begin a minute ago.
    let running =
        ToolRun.start
            [
                "attack"
                $"{counting.Server.Url}/"
                "--no-calibration"
                "--warm-up"
                "1h"
                "--start-at"
                (DateTime.UtcNow + TimeSpan.FromMinutes 59.).ToString "yyyy-MM-ddTHH:mm:ssZ"
            ]

    Within.comes "the first request" (fun () -> counting.Sent > 0L)
    running.Interrupt()
    let ended = running.Wait()

    Assert.Matches(
        "note: the run began 1m.* after --start-at: the program had started 1m.* after the warm-up was to begin; name a later time",
        ended.Err
    )

    Assert.DoesNotContain("--no-calibration", ended.Err)
