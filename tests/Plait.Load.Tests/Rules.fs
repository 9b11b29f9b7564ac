// The rules that a run has to keep: their text, what is refused, and judging by them.
module Plait.Load.Tests.Rules

open System
open Xunit

open Plait.Load
open Plait.Common
open Plait.Report
open Plait.Tests.Support

let private rule figure isBelow orEqual bound : Rule =
    { Figure = figure; IsBelow = isBelow; OrEqual = orEqual; Bound = bound }

/// As it may be written, the rule, and as it is written.
let private written: (string * Rule * string) list =
    [
        "p99<200ms", rule (Latency 99.0) true false 200e6, "p99<200ms"
        " p99.9 <= 1s ", rule (Latency 99.9) true true 1e9, "p99.9<=1s"
        "p50>10us", rule (Latency 50.0) false false 10e3, "p50>10us"
        "p100<1m30s", rule (Latency 100.0) true false 90e9, "max<90s"
        "max<1.234567891s", rule (Latency 100.0) true false 1234567891.0, "max<1.234567891s"
        "mean < 0.5ms", rule MeanLatency true false 500e3, "mean<500us"
        "success>99%", rule Success false false 0.99, "success>99%"
        "success>=99.95 %", rule Success false true 0.9995, "success>=99.95%"
        "rps>950", rule RightPerSecond false false 950.0, "rps>950"
        "rps >= 57000/m", rule RightPerSecond false true 950.0, "rps>=950"
        "rps<=0.5", rule RightPerSecond true true 0.5, "rps<=0.5"
    ]

[<Fact>]
let ``a rule parses, and its text parses back to it`` () =
    for text, meant, again in written do
        Assert.Equal(meant, Rule.parse text)
        Assert.Equal(again, Rule.text meant)
        Assert.Equal(meant, Rule.parse again)

[<Fact>]
let ``a wrong rule is refused with the error and the allowed forms`` () =
    for text, words in
        [
            "", [ "none of the comparisons <, <=, > and >=" ]
            "p99", [ "comparisons" ]
            "p99=5ms", [ "comparisons" ]
            "p99=<5ms", [ "comparisons" ]
            "<5ms", [ "no figure" ]
            "median<5ms", [ "no figure 'median'"; "p50, p99.9 and the like, max, mean, success and rps" ]
            "p<5ms", [ "no figure 'p'" ]
            "p0<5ms", [ "'p0' is not a percentile"; "above 0 and at most 100" ]
            "p101<5ms", [ "'p101' is not a percentile" ]
            "p99<", [ "the bound of p99 is a time with its unit, like 200ms" ]
            "p99<200", [ "not '200'" ]
            "p99<0", [ "a time with its unit" ]
            "max<-1ms", [ "not '-1ms'" ]
            for zero in [ "p99<0ms"; "max<=0s"; "mean>0.1ns" ] do
                zero, [ "is a time above 0, not" ]
            "success>0.99", [ "a share from 0% to 100%"; "not '0.99'" ]
            "success>101%", [ "not '101%'" ]
            "rps>fast", [ "a rate like 950"; "not 'fast'" ]
            for several in [ "p99<5ms<6ms"; "p50<5ms,p99<1s"; "1ms<p99<5ms"; "p99<>5ms" ] do
                several, [ "it has several comparisons" ]
        ] do
        let trouble = Assert.Throws<BadInput>(Action(fun () -> Rule.parse text |> ignore))
        Assert.StartsWith($"'{text}' is not a rule: ", trouble.Message)
        Assert.EndsWith("; write one like p99<200ms, success>99% or rps>=950", trouble.Message)

        for word in words do
            Assert.Contains(word, trouble.Message)

// Right responses of 2 to 101 ms from when they were due and from their sending, within 2.345 s. No request waited.
let private outcome =
    let outcome = (RandomOutcomes.plain "a" 100).Outcome
    let outcome = { outcome with Counts.Waited = Histogram() }
    { outcome with Counts.Actual = outcome.Counts.Intended }

let private verdict (text: string) (outcome: Outcome) =
    { outcome with Plan = { outcome.Plan with Rules = [ Rule.parse text ] } }.Verdicts
    |> List.exactlyOne

[<Fact>]
let ``rules are judged by the latency from the intended start, the share and the rate of right responses``
    ()
    =
    for text, isKept in
        [
            "p50<52ms", true
            "p50<51ms", false
            "p99<=100.5ms", true
            "p99>101ms", false
            "max<100.5ms", false
            "max<=101ms", true
            "max<101ms", false
            "mean<52ms", true
            "mean>52ms", false
            "success>=100%", true
            "success>100%", false
            "rps>42", true
            "rps<42", false
            "rps>43", false
        ] do
        Assert.True((isKept = (verdict text outcome).Kept), $"{text}: {verdict text outcome}")

[<Fact>]
let ``a share counts every request, and a missing figure breaks its rule`` () =
    let failing =
        { outcome with
            Results = Map.ofList [ RequestResult.Right, 100L; RequestResult.TimedOut, 1L ]
        }

    Assert.False((verdict "success>=99.1%" failing).Kept)
    Assert.True((verdict "success>99%" failing).Kept)
    // Not rounded to the bound that it misses.
    Assert.Equal("99.0099%", Rule.shown (verdict "success>=99.1%" failing))

    let none =
        { outcome with
            Results = Map.ofList [ RequestResult.Refused, 3L ]
            Counts.Intended = Histogram()
            Counts.Actual = Histogram()
        }

    for text in [ "p99<1h"; "p99>1ns"; "mean<1h" ] do
        let verdict = verdict text none
        Assert.Equal((None, false, "not measured"), (verdict.Figure, verdict.Kept, Rule.shown verdict))

/// The outcome whose every request was sent a millisecond late: 1 to 100 ms from its sending.
let private lagged =
    { outcome with Counts.Actual = (RandomOutcomes.plain "a" 100).Outcome.Counts.Actual }

[<Fact>]
let ``a rule is judged if the lag of requests cannot change its answer`` () =
    for text, answer in
        [
            // 51 ms, and 50 without the lag
            "p50<52ms", "kept"
            "p50<=50.5ms", "OPEN"
            "p50<49ms", "BROKEN"
            "p50>50.5ms", "OPEN"
            "p50>52ms", "BROKEN"
            "p50>49ms", "kept"
            "mean<51ms", "OPEN"
            "mean<53ms", "kept"
            "max<=100.5ms", "OPEN"
            "max<99ms", "BROKEN"
            // No lag changes what was answered.
            "success>=100%", "kept"
            "rps<42", "BROKEN"
        ] do
        let verdict = verdict text lagged
        Assert.Equal(answer, Rule.answer verdict)
        Assert.Equal((answer = "kept", answer = "BROKEN"), (verdict.Kept, verdict.IsBroken))

    // The user has said how much lag is too much.
    let allowed =
        { lagged with Plan = { lagged.Plan with MaxLag = Some(System.TimeSpan.FromHours 1.) } }

    Assert.Equal("BROKEN", Rule.answer (verdict "p50<=50.5ms" allowed))

    // Not how long requests may wait for connections, if five waited or more.
    let waiting = { allowed with Counts.Waited = allowed.Counts.Lag }

    let few =
        { allowed with Counts.Waited = (RandomOutcomes.plain "a" 100).Outcome.Counts.Waited }

    Assert.Equal("BROKEN", Rule.answer (verdict "p50<=50.5ms" few))

    Assert.Equal("OPEN", Rule.answer (verdict "p50<=50.5ms" waiting))
    Assert.Equal("kept", Rule.answer (verdict "p50<52ms" waiting))

[<Fact>]
let ``an open rule has both of its figures`` () =
    let rules = List.map Rule.parse [ "p50<=50.5ms"; "max<1s"; "mean<51ms"; "p99<1ms" ]
    let verdicts = { lagged with Plan = { lagged.Plan with Rules = rules } }.Verdicts

    match Rule.complaints verdicts with
    | [ broken; without ] ->
        Assert.StartsWith("a rule is broken: p99<1ms (it is ", broken)

        Assert.Matches(
            @"^rules have no answer, because the lag of the requests decides it: p50<=50.5ms \(it is 51\S*ms, and 50\S*ms from send\), mean<51ms \(",
            without
        )
    | others -> Assert.Fail $"{others}"

let private ruled (recording: Recording) (rules: string list) : Recording =
    let outcome = recording.Outcome

    { recording with
        Outcome = { outcome with Plan = { outcome.Plan with Rules = List.map Rule.parse rules } }
    }

[<Fact>]
let ``the report, the page and the JSON have each rule with its figure and its verdict`` () =
    let recording =
        ruled { RandomOutcomes.plain "a" 100 with Outcome = outcome } [ "max<=101ms"; "success>100%" ]

    for write in [ AttackText.write 100; AttackText.show 100 ] do
        let text = write recording.Outcome
        Assert.Matches(@"(?m)^ *max<=101ms +101ms +kept\r?$", text)
        Assert.Matches(@"(?m)^ *success>100% +100% +BROKEN\r?$", text)

    let results = AttackReport.results recording
    let panel = results.Panels |> List.find (fun panel -> panel.Id = "rules")
    Assert.Equal("A rule is broken: success>100% (it is 100%).", results.Answer)

    match panel.Plot with
    | Table(_, rows) ->
        Assert.Equal<Cell list list>(
            [
                [ Cell.Text "max<=101ms"; Cell.Text "101ms"; Cell.Text "kept" ]
                [ Cell.Text "success>100%"; Cell.Text "100%"; Cell.Text "BROKEN" ]
            ],
            rows
        )
    | plot -> Assert.Fail $"it is no table: {plot}"

    let json = OutcomeJson.write recording
    Assert.Contains("\"rule\": \"success>100%\",\n        \"figure\": 1,\n        \"kept\": false", json)
    Assert.Equal<Rule list>(recording.Outcome.Plan.Rules, (OutcomeJson.read "x" json).Outcome.Plan.Rules)

[<Fact>]
let ``a wrong rule in a file is refused with its place`` () =
    let json = OutcomeJson.write (ruled (RandomOutcomes.plain "a" 1) [ "max<1s" ])

    let trouble =
        Assert.Throws<BadInput>(
            Action(fun () -> OutcomeJson.read "x.json" (json.Replace("\"max<1s\"\n", "\"max\"\n")) |> ignore)
        )

    Assert.Contains("rules[0]", trouble.Message)
    Assert.Contains("'max' is not a rule", trouble.Message)
