// When a run has measured enough: the width of intervals and the time decide, and never what the intervals say.
module Plait.Lab.Tests.StopRules

open System
open Xunit

open Plait.Lab
open Plait.Report
open Plait.Lab.Tests.MadeSlices

let private settings =
    { Settings.full with Launches = 5; Width = Some 0.05; BudgetSeconds = Some 600.0 }

/// Launches, seconds, the widest interval, whether the run ends, whether by the time, and words of the reason.
let private cases =
    [
        "wide, in time", 5, 100.0, Some("x", 0.2), None
        "narrow, but too few launches", 4, 100.0, Some("x", 0.01), None
        "narrow", 5, 100.0, Some("x", 0.05), Some(false, "at most 5.0 % wide after 5 launches")
        "wide, and no time for one more",
        5,
        501.0,
        Some("x", 0.2),
        Some(true, "x is 20.0 % wide, more than the 5.0 % of --width")
        "too few, and no time for one more", 2, 401.0, Some("x", 0.01), Some(true, "after 2 launches")
        "nothing left", 1, 1.0, None, Some(false, "after 1 launch")
        "most of all", 50, 100.0, Some("x", 0.2), Some(true, "a run has at most")
    ]

[<Fact>]
let ``a run with a width goes on until all intervals are narrow, or its time is over`` () =
    for name, launches, seconds, widest, expected in cases do
        match expected, StopRule.decide settings launches seconds widest with
        | None, found -> Assert.True((found = StopRule.goingOn), name)
        | Some(byBudget, words), found ->
            Assert.True((found.ByBudget = byBudget), name)
            Assert.Contains(words, found.Reason)

[<Fact>]
let ``a run without a width makes exactly the launches that were asked for`` () =
    let fixed' = { settings with Width = None; BudgetSeconds = Some 1.0 }

    for launches in 1..4 do
        Assert.Equal(StopRule.goingOn, StopRule.decide fixed' launches 100.0 None)

    Assert.Equal("as many as were asked for (5 launches)", (StopRule.decide fixed' 5 100.0 None).Reason)

[<Fact>]
let ``--launches gives that number of launches, and --width as many as the interval needs`` () =
    let three = { settings with Launches = 3; Width = None }

    for width, launches, (asked: Settings), expected in
        [
            None, None, settings, (Some 0.05, 5)
            None, None, three, (None, 3)
            None, Some 2, settings, (None, 2)
            Some 0.1, None, three, (Some 0.1, StopRule.leastLaunches)
            Some 0.1, None, { three with Launches = 9 }, (Some 0.1, 9)
            Some 0.1, Some 2, settings, (Some 0.1, StopRule.leastLaunches)
            Some 0.1, Some 7, settings, (Some 0.1, 7)
        ] do
        let found = StopRule.ask width launches asked
        Assert.Equal(expected, (found.Width, found.Launches))

let private candidate =
    Candidate.parse "/c/x/candidate.json" """{"name":"x","family":"plait","order":1}"""

let private row (id: string) (launches: float list) =
    let row = MeasuredRow { RowPlan.ofCandidate candidate with Id = id }

    for ratio in launches do
        row
            .Launch()
            .InProcess
            .AddRange(List.replicate 3 { Candidate = slice 10L (1000.0 * ratio); Base = slice 10L 1000.0 })

    row

[<Fact>]
let ``the width of a row is that of its interval, as a share of the median`` () =
    Assert.Equal(Some 0.0, StopRule.widthOf settings (row "x" [ 1.2; 1.2 ]))
    Assert.Equal(None, StopRule.widthOf settings (row "x" []))
    let wide = StopRule.widthOf settings (row "x" [ 1.0; 2.0; 3.0 ]) |> Option.get
    Assert.Equal(1.0, wide, 6)

    Assert.Equal(
        Some("b", wide),
        StopRule.widest settings [ row "a" [ 1.0; 1.0 ]; row "b" [ 1.0; 2.0; 3.0 ]; row "c" [] ]
    )

[<Fact>]
let ``a failed row adds no launches`` () =
    let broken = row "b" [ 1.0; 2.0; 3.0 ]
    broken.Fail "it broke"
    Assert.Equal(Some("a", 0.0), StopRule.widest settings [ row "a" [ 1.0; 1.0 ]; broken ])

[<Fact>]
let ``rows that are narrow after the least launches are settled, and only those`` () =
    let narrow, wide =
        row "a" [ for _ in 1..5 -> 1.1 ], row "b" [ 1.0; 2.0; 3.0; 4.0; 5.0 ]

    StopRule.settle settings 4 [ narrow; wide ]
    Assert.Equal((false, false), (narrow.Settled, wide.Settled))
    StopRule.settle settings 5 [ narrow; wide ]
    Assert.Equal((true, false), (narrow.Settled, wide.Settled))

[<Fact>]
let ``results contain the stop rule, its outcome and the dropped pairs`` () =
    let wide, narrow = row "wide" [ 1.0; 2.0; 3.0 ], row "narrow" [ 1.0; 1.0 ]
    wide.StolenPairs <- 3
    let ended = StopRule.decide settings 5 599.0 (Some("wide", 1.0))
    let result = StopRule.result settings [ wide; narrow ] ended
    Assert.Contains("at most 5.0 % wide, at least 5 of them", result.Rule)
    Assert.Equal((Some "wide", 3), (result.WidestRow, result.Launches))
    Assert.Equal(1.0, Option.get result.Widest, 6)
    Assert.Equal<Map<string, int>>(Map [ "wide", 3 ], result.DroppedPairs)

    match StopRule.warnings settings [ wide; narrow ] ended with
    | [ time; stolen ] ->
        Assert.Contains("before its intervals were as narrow as asked", time)
        Assert.Contains("5 % of the server's core from 3 pairs, which were dropped", stolen)
    | other -> Assert.Fail $"{other}"

    wide.StolenPairs <- 1

    Assert.Contains(
        "from 1 pair, which was dropped",
        List.last (StopRule.warnings settings [ wide; narrow ] ended)
    )

    Assert.Empty(StopRule.warnings settings [ narrow ] StopRule.goingOn)

[<Fact>]
let ``a pair from which the hypervisor took more than the limit is stolen`` () =
    let ticks total steal : Machine.Ticks option =
        Some { Total = total; Idle = 0L; Steal = steal }

    for before, after, expected in
        [
            ticks 100L 5L, ticks 124L 5L, false
            ticks 100L 5L, ticks 124L 6L, false
            ticks 100L 5L, ticks 124L 7L, true
            ticks 100L 5L, ticks 100L 5L, false
            None, ticks 100L 5L, false
        ] do
        Assert.Equal(expected, Machine.isStolen 0.05 before after)

// A machine as ours was measured: launches differ by 3 %, pairs inside them by 5 %, and the truth is 1.
let private drawLaunch (random: Random) =
    let normal () =
        sqrt (-2.0 * log (1.0 - random.NextDouble())) * cos (2.0 * Math.PI * random.NextDouble())

    let luck = 1.0 + 0.03 * normal ()
    [ for _ in 1..2 -> luck * (1.0 + 0.05 * normal ()) ]

/// Draws launches until `enough` says so, twelve at most; the last estimate.
let private simulate seed (enough: Statistics.Estimate -> bool) =
    let random = Random seed

    let rec go launches =
        let launches = drawLaunch random :: launches

        if launches.Length < StopRule.leastLaunches then
            go launches
        else
            let found = Statistics.estimate (Order.random seed "x") launches |> Option.get
            if launches.Length >= 12 || enough found then found else go launches

    go []

let private holdsTruth (found: Statistics.Estimate) = found.Low <= 1.0 && 1.0 <= found.High

[<Fact; Trait("run", "more")>]
let ``stopping by width keeps the intervals honest, stopping by significance does not`` () =
    let missed enough =
        [ 1..60 ]
        |> List.filter (fun seed -> not (holdsTruth (simulate seed enough)))
        |> List.length

    let byWidth = missed (fun found -> (found.High - found.Low) / found.Median <= 0.08)
    let bySignificance = missed (holdsTruth >> not)

    let shown =
        $"by width {byWidth}, by significance {bySignificance} of 60 missed the truth"

    Assert.True(byWidth <= 6, shown)
    Assert.True(bySignificance > byWidth, shown)
