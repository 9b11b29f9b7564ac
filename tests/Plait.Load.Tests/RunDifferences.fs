// What runs differ by: the interval of a percentile from stretches of time, the difference of two runs with its interval and its
// verdict, and how both are told.
module Plait.Load.Tests.RunDifferences

open System
open Xunit

open Plait.Report
open Plait.Report.Changes

open Plait.Load
open Plait.Tests.Support

let private random (seed: int) = Random seed

let private normal (random: Random) =
    Math.Sqrt(-2.0 * Math.Log(1.0 - random.NextDouble()))
    * Math.Cos(2.0 * Math.PI * random.NextDouble())

/// So many seconds of latencies of about a millisecond. `alike`: how much a second shares with itself; 0: nothing.
let private seconds (random: Random) (count: int) (alike: float) (factor: float) : Histogram list =
    List.init count (fun _ ->
        let own = alike * normal random
        let histogram = Histogram()

        for _ in 1..300 do
            histogram.Record(int64 (factor * 1e6 * Math.Exp(own + 0.3 * normal random)))

        histogram)

let private clock (run: string) (parts: Histogram list) : Latencies =
    {
        Run = run
        Name = Latencies.intended
        Sum = Histogram.Sum parts
        Parts = parts |> List.mapi (fun at part -> float at + 0.5, part)
    }

let private at percent (differences: LatencyDifference list) =
    differences |> List.find (fun one -> one.Percent = percent)

let private compare first second =
    LatencyDifferences.ofTwo true [ clock "before" first ] [ clock "after" second ]

/// How many of 300 pairs of runs that are alike are told to differ at this percentile.
let private alarms (percent: float) (alike: float) (shuffled: bool) =
    let random = random 7

    // As if requests had nothing to do with each other: each second's are spread over all.
    let spread (parts: Histogram list) =
        let targets = parts |> List.map (fun _ -> Histogram())

        for part in parts do
            for bucket in part.Buckets do
                for _ in 1L .. bucket.Count do
                    targets[random.Next targets.Length].Record bucket.Lowest

        targets

    let run () =
        let parts = seconds random 20 alike 1.0
        if shuffled then spread parts else parts

    List.init 300 (fun _ -> compare (run ()) (run ()) |> at percent)
    |> List.filter (fun one -> one.Verdict = Lower || one.Verdict = Higher)
    |> List.length

[<Theory;
  InlineData(50.0, 0.0);
  InlineData(50.0, 0.2);
  InlineData(90.0, 0.2);
  InlineData(99.0, 0.0);
  InlineData(99.0, 0.2);
  Trait("run", "more")>]
let ``runs that are alike differ in one case of twenty, also where requests of one second are alike``
    (percent: float)
    (alike: float)
    =
    // Of 300 there are 15 on average; 27 or more come once in a thousand.
    Assert.InRange(alarms percent alike false, 0, 27)

[<Fact; Trait("run", "more")>]
let ``with each request as an observation, equal runs would differ in half of all cases`` () =
    Assert.InRange(alarms 50.0 0.2 true, 100, 300)

[<Fact>]
let ``a difference is found, with an interval that holds it`` () =
    let random = random 3
    let before, after = seconds random 30 0.05 1.0, seconds random 30 0.05 1.5

    for percent in [ 50.0; 90.0; 99.0 ] do
        let one = compare before after |> at percent
        Assert.Equal(Higher, one.Verdict)
        Assert.Equal(float (one.After - one.Before), one.Difference.Value)
        Assert.InRange(1.5, 1.0 + one.Change.Low.Value, 1.0 + one.Change.High.Value)
        let back = compare after before |> at percent
        Assert.Equal(Lower, back.Verdict)
        Assert.Equal(-one.Difference.Value, back.Difference.Value)

[<Fact>]
let ``the interval of a percentile lies around it`` () =
    let parts = seconds (random 5) 40 0.1 1.0
    let sum = Histogram.Sum parts

    for percent in [ 1.0; 50.0; 90.0; 99.0; 99.9 ] do
        match PercentileInterval.ends parts sum percent with
        | Some(low, high) ->
            Assert.InRange(sum.Percentile percent, low, high)
            Assert.True(low >= sum.Min && high <= sum.Max)
        | None -> Assert.Fail $"{percent}"

[<Fact>]
let ``too few seconds, or too few requests beyond a percentile, have no interval`` () =
    let parts = seconds (random 5) 40 0.1 1.0

    let ends parts =
        PercentileInterval.ends parts (Histogram.Sum parts)

    Assert.True((ends (List.truncate 4 parts) 50.0).IsNone)
    Assert.True((ends (List.truncate 5 parts) 50.0).IsSome)
    // 1,500 requests: one or two beyond 99.9 %.
    Assert.True((ends (List.truncate 5 parts) 99.9).IsNone)
    Assert.True((ends [] 50.0).IsNone)
    let short = compare (List.truncate 4 parts) parts |> at 50.0
    Assert.Equal((NoInterval, None), (short.Verdict, short.Difference.Low))

[<Fact>]
let ``the change of a latency is never below -100 %`` () =
    // Each second of the first run has its own latency, 1 ms to 1 s; the second run has 1 ms always.
    let of' (latency: int -> int64) =
        List.init 10 (fun at ->
            let histogram = Histogram()
            histogram.Record(latency at, 100L)
            histogram)

    let one =
        compare
            (of' (fun at -> if at % 2 = 0 then 1_000_000L else 1_000_000_000L))
            (of' (fun _ -> 1_000_000L))
        |> at 50.0

    Assert.True(one.Difference.Low.Value < -float one.Before)
    Assert.Equal(Some -1.0, one.Change.Low)
    Assert.Equal(one.Difference.Value / float one.Before, one.Change.Value, 9)

[<Fact>]
let ``equal latencies in both runs have a difference of zero`` () =
    let always () =
        List.init 10 (fun _ ->
            let histogram = Histogram()
            histogram.Record(1_000_000L, 100L)
            histogram)

    let one = compare (always ()) (always ()) |> at 50.0
    Assert.Equal((NotCertain, 0.0), (one.Verdict, one.Difference.Value))

let private recording (name: string) (seed: int) (factor: float) (model: Model) : Recording =
    let parts = seconds (random seed) 12 0.05 factor
    let plain = RandomOutcomes.plain name 10

    let second at (part: Histogram) : Second =
        {
            At = at
            Seconds = 1
            Due = part.Count
            Right = part.Count
            Failed = 0L
            Failures = Map.empty
            InFlight = 1
            Latency = part
            Actual = part
        }

    { plain with
        Outcome =
            { plain.Outcome with
                Plan = { plain.Outcome.Plan with Model = model; Duration = TimeSpan.FromSeconds 12. }
                Elapsed = TimeSpan.FromSeconds 12.
                AttackTime = TimeSpan.FromSeconds 12.
                Results = Map [ RequestResult.Right, 3600L ]
                Counts.Intended = Histogram.Sum parts
                Counts.Actual = Histogram.Sum parts
                Seconds = List.mapi second parts
            }
    }

let private opened = Open(Constant 300.0, 64)

let private sources (recordings: Recording list) : RunFile list =
    recordings
    |> List.map (fun one -> { File = one.Name; Name = one.Name; Content = Attack one })

let private before, after, third =
    recording "before" 1 1.0 opened, recording "after" 2 1.3 opened, recording "third" 3 1.0 opened

[<Fact>]
let ``the page of two runs begins with their differences`` () =
    let results = RunComparison.results "plait report" (sources [ before; after ])
    Assert.StartsWith("At 99 % after is higher than before: ", results.Answer)
    Assert.Matches(@"\d ms instead of \d[\d.]+ ms, \+\d+ µs \(\+\d+ µs to \+\d+ µs\)\.$", results.Answer)

    match results.Panels with
    | { Plot = Forest(axis, 0.0, None, _, items) } :: { Plot = Table(columns, rows) } :: _ ->
        Assert.Equal("difference to before (%)", axis.Label)

        Assert.Equal<string list>([ "50 %"; "90 %"; "95 %"; "99 %"; "99.9 %" ], items |> List.map _.Label)

        Assert.Equal((Some "after", Some "higher"), (items.Head.Run, items.Head.Word))
        Assert.True(items.Head.Low.Value > 0.0)
        Assert.InRange(items.Head.Value, items.Head.Low.Value, items.Head.High.Value)

        Assert.Equal<string list>(
            [ "latency"; "share"; "before (ms)"; "after (ms)"; "difference (ms)"; "change (%)"; "verdict" ],
            columns |> List.map _.Title
        )

        // Both clocks.
        Assert.Equal(10, rows.Length)

        match rows.Head with
        | [ Cell.Text "from intended start"
            Cell.Text "50 %"
            Cell.Number was
            Cell.Number became
            Cell.Interval(difference, low, high)
            _
            Cell.Text "higher" ] ->
            Assert.Equal(became - was, difference, 6)
            Assert.InRange(difference, low, high)
        | other -> Assert.Fail $"{other}"
    | other -> Assert.Fail $"{List.map (fun (panel: Panel) -> panel.Id) other}"

    Assert.Equal<string list>(
        [ "50 %"; "90 %"; "99 %"; "99.9 %" ],
        results.Facts |> List.map (fun fact -> fact.Title.Replace("Difference at ", ""))
    )

[<Fact>]
let ``each later run is compared with the first, and every series and item of a run names it`` () =
    let results =
        RunComparison.results "plait report" (sources [ before; after; third ])

    Assert.Equal(("", 0), (results.Answer, results.Facts.Length))

    match results.Panels.Head.Plot with
    | Forest(_, _, _, _, items) ->
        Assert.Equal(10, items.Length)
        Assert.Contains("third: 99 %", items |> List.map _.Label)
    | other -> Assert.Fail $"{other}"

    for panel in results.Panels do
        for series in panel.Series do
            match series.Run with
            | Some run -> Assert.StartsWith($"{run}: ", series.Label)
            | None -> Assert.Fail $"{panel.Id}: {series.Label} is of no run"

    let one = AttackReport.results before
    Assert.All(one.Panels |> List.collect _.Series, fun series -> Assert.Equal(None, series.Run))

[<Fact>]
let ``runs that are not valid are not judged`` () =
    let invalid =
        { after with Outcome = { after.Outcome with Invalid = [ "it was late" ] } }

    for pair in [ [ before; invalid ]; [ invalid; before ] ] do
        let differences = RunComparison.differences (sources pair)
        Assert.All(differences, fun one -> Assert.Equal(NotJudged, one.Verdict))
        let results = RunComparison.results "plait report" (sources pair)
        Assert.Equal("The figures are unreliable: see the warnings.", results.Answer)

[<Fact>]
let ``closed loops have one clock`` () =
    let closed name seed = recording name seed 1.0 (Closed 8)

    let clocks pair =
        RunComparison.differences (sources pair) |> List.map _.Clock |> List.distinct

    Assert.Equal<string list>([ "intended" ], clocks [ closed "a" 1; closed "b" 2 ])
    Assert.Equal<string list>([ "intended"; "actual" ], clocks [ before; after ])

[<Fact>]
let ``the table of the terminal has a line for each percentile of each clock`` () =
    let lines =
        RunComparison.differences (sources [ before; after ]) |> LatencyDifferences.lines 140

    Assert.Matches(@"^latency +share +before +after +difference +change +verdict$", lines.Head)

    Assert.Matches(
        @"^from intended start +50 % +[\d.]+(µs|ms) +[\d.]+ms +\+[\d.]+µs \(\+[\d.]+µs to \+[\d.]+µs\) +\+\d+\.\d% \(\+\d+\.\d% to \+\d+\.\d%\) +higher$",
        lines[2]
    )

    Assert.Equal(12, lines.Length)
    Assert.Empty(LatencyDifferences.lines 100 (RunComparison.differences (sources [ before ])))
