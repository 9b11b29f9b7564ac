// A run with a budget: rows get less than their full measure when it is late, and never less than a row needs.
module Plait.Lab.Tests.TimeBudgets

open FsCheck.FSharp
open Xunit

open Plait.Lab
open Plait.Tests.Support

/// Budget, rows, measured, seconds, and the share for the next row.
let private cases =
    [
        "nothing is known yet", 100.0, 10, 0, 0.0, 1.0
        "in time", 100.0, 10, 5, 40.0, 1.0
        "just in time", 100.0, 10, 5, 50.0, 1.0
        "a little late", 100.0, 10, 5, 55.0, 45.0 / 55.0
        "far too late", 100.0, 10, 5, 90.0, TimeBudget.Least
        "over", 100.0, 10, 5, 200.0, TimeBudget.Least
        "all done", 100.0, 10, 10, 200.0, 1.0
    ]

[<Fact>]
let ``a late run has less time for its next row`` () =
    for name, budget, rows, measured, seconds, expected in cases do
        Assert.True(abs (expected - TimeBudget.Share(budget, rows, measured, seconds)) < 1e-9, name)

[<Fact>]
let ``a run without a budget always measures in full`` () =
    let pace = TimeBudget(None, 3)

    for _ in 1..5 do
        Assert.Same(Settings.full, pace.Next Settings.full)

    Assert.Equal(0, pace.Shortened)

[<Fact>]
let ``a run that is over its budget still warms and measures each row`` () =
    let pace = TimeBudget(Some 1e-9, 4)
    pace.Next Settings.quick |> ignore
    System.Threading.Thread.Sleep 2
    let next = pace.Next Settings.quick
    Assert.Equal(1, pace.Shortened)
    Assert.Equal(3, next.Pairs)
    Assert.Equal(Settings.quick.WarmUp.FloorMilliseconds, next.WarmUp.FloorMilliseconds)

    Assert.Equal(
        int (TimeBudget.Least * float Settings.quick.WarmUp.LimitMilliseconds),
        next.WarmUp.LimitMilliseconds
    )

    Assert.Equal(Settings.quick.SliceMilliseconds, next.SliceMilliseconds)

[<Fact>]
let ``the measure of a late row is between the least and the full one`` () =
    let cases =
        Gen.zip
            (Gen.zip (Gen.choose (0, 500)) (Gen.choose (0, 60)))
            (Gen.zip (Gen.choose (0, 60)) (Gen.choose (0, 900)))

    Laws.forEach 500 cases (fun ((budget, rows), (measured, seconds)) ->
        let share = TimeBudget.Share(float budget, rows, measured, float seconds)
        share >= TimeBudget.Least && share <= 1.0)

let private rows skipsHttp count =
    let candidate =
        Candidate.parse "/c/x/candidate.json" """{"name":"x","label":"X","family":"plait","order":1}"""

    List.replicate count { RowPlan.ofCandidate candidate with SkipsHttp = skipsHttp }

[<Fact>]
let ``the least time of a run is one launch with a width, and without one all launches in the fewest pairs``
    ()
    =
    // The base twice, half a second and its warm-up; a row its start, its warm-up and its pairs, in process and over HTTP.
    let full = (0.5 + 4.0) + (0.5 + 6.0) + 3.0 * (0.5 + (4.0 + 4.8) + (6.0 + 4.8))
    Assert.Equal(full, TimeBudget.LeastSeconds(Settings.full, rows false 3), 9)
    let quick = (0.5 + 0.64) + (0.5 + 0.6) + 2.0 * (0.5 + (0.64 + 0.24))

    Assert.Equal(
        float Settings.quick.Launches * quick,
        TimeBudget.LeastSeconds(Settings.quick, rows true 2),
        9
    )

[<Fact>]
let ``the presets can be kept within their own budgets`` () =
    for settings, count in [ Settings.full, 19; Settings.quick, FizzBuzz.quickRows.Length - 1 ] do
        Assert.True(TimeBudget.LeastSeconds(settings, rows false count) < settings.BudgetSeconds.Value)

[<Fact>]
let ``the quick preset has a budget that shortens rows, the full one a width`` () =
    Assert.Equal((Some 0.05, None), (Settings.full.Width, Settings.quick.Width))

    for full in [ Settings.full; Yield.settings false; AdapterSettings.full.Pairs ] do
        Assert.True(full.Width.IsSome && full.Launches >= StopRule.leastLaunches)

    Assert.True(Settings.quick.BudgetSeconds.Value < 180.0)
    // Fixed beforehand, and not by how wide intervals are: that needs more of them.
    Assert.True(Settings.quick.Launches >= 4)
