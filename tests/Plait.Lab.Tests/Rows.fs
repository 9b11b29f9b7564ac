// From pairs to the figures and the status of a row.
module Plait.Lab.Tests.Rows

open System
open Xunit


open Plait.Lab.Measure
open Plait.Report
open Plait.Lab.Scenarios

let private settings =
    { Settings.full with Launches = 2; Pairs = 2; HttpForFactors = false }

let private candidate =
    Candidate.parse
        "/c/x/candidate.json"
        """{"name":"x","label":"X","family":"plait","library":"Plait","order":1,"syncFn":true,
            "published":[{"source":"A","percentOfSync":91},{"source":"B","percentOfSync":58,"syncFn":true}]}"""

let private plan syncFn =
    { Selection.row candidate with
        Id = (if syncFn then "x+sync-fn" else "x")
        SyncFn = syncFn
    }

let private run syncFn = RowRun(plan syncFn)

let private slice operations cpu wall bytes =
    {
        Operations = operations
        CpuMicroseconds = cpu
        WallMicroseconds = wall
        AllocatedBytes = bytes
        Errors = { Errors.None with Length = 1L }
        ClientBusy = 0.0
    }

// 60 over 50 microseconds for a request, 5,000 over 10,000 requests a second, 200 bytes over 100.
let private pair =
    { Candidate = slice 10L 600.0 2000.0 2000.0; Base = slice 20L 1000.0 2000.0 2000.0 }

let private fill (row: RowRun) inProcess http =
    let launch = row.Launch()
    launch.InProcess.AddRange(List.replicate inProcess pair)
    launch.Http.AddRange(List.replicate http pair)

let private result (row: RowRun) =
    RowResult.rows settings FizzBuzz.scenario [ row ] |> List.exactlyOne

[<Fact>]
let ``the figures of a row are those of its pairs`` () =
    let row = run false
    fill row 2 2
    fill row 2 2
    let result = result row
    let ratio = Option.get result.CpuRatio
    let http = Option.get result.Http
    Assert.Equal(Some 60.0, result.CpuMicroseconds)
    Assert.Equal(1.2, ratio.Median, 9)
    Assert.Equal(4, ratio.Pairs)
    Assert.Equal(Some "slower", result.Verdict)
    Assert.Equal(Some 200.0, result.BytesPerOperation)
    Assert.Equal(1.2, http.CpuRatio.Median, 9)
    Assert.Equal(5000.0, http.RequestsPerSecond, 9)
    Assert.Equal({ PercentResult.Median = 50.0; Low = 50.0; High = 50.0 }, http.RequestsPerSecondPercent)
    Assert.Equal(100.0 / 1.2, http.CapacityPercent, 9)
    Assert.Equal(40L, http.Requests)
    Assert.Equal({ ErrorCounts.Status = 0L; Length = 4L; Connection = 0L; Timeout = 0L }, http.Errors)
    Assert.Equal(("measured", None), (result.Status, result.Reason))
    Assert.True result.Available

[<Fact>]
let ``the percentage of requests a second has an interval over launches`` () =
    // Both sides of the second pair are equal.
    let even = { pair with Candidate = pair.Base }

    let http =
        RowResult.http settings "x" [ [ pair; pair ]; [ even; even ] ] |> Option.get

    Assert.Equal({ PercentResult.Median = 75.0; Low = 50.0; High = 100.0 }, http.RequestsPerSecondPercent)

[<Fact>]
let ``a wrapper costs what a request costs beyond the base, over the wrappers`` () =
    let ratio: RatioResult option =
        Some { Median = 1.5; Low = 1.4; High = 1.6; Launches = [ 1.5 ]; Spread = 0.0; Pairs = 2 }

    let cost plan ground ratio =
        RowResult.nanosecondsPerWrapper (fun syncFn -> if syncFn then 500 else 1000) ground plan ratio

    Assert.Equal(Some 50.0, cost (plan false) (Some 100.0) ratio)
    Assert.Equal(Some 100.0, cost (plan true) (Some 100.0) ratio)
    Assert.Equal(None, cost (plan false) None ratio)
    Assert.Equal(None, cost (plan false) (Some 100.0) None)

    for family in [ "base"; "control" ] do
        let bare = { plan false with Candidate = { candidate with Family = family } }
        Assert.Equal(None, cost bare (Some 100.0) ratio)

[<Fact>]
let ``the base's own microseconds are what a wrapper's cost is made of`` () =
    let ground =
        RowRun { plan false with Id = "sync"; Candidate = { candidate with Family = "base" } }

    let own = run false
    fill ground 2 0
    fill own 2 0
    let rows = RowResult.rows settings FizzBuzz.scenario [ own; ground ]
    Assert.Equal<string list>([ "x"; "sync" ], rows |> List.map _.Id)

    Assert.Equal(
        1000.0 * 0.2 * 60.0 / float (FizzBuzz.wrappers false),
        rows[0].NanosecondsPerWrapper.Value,
        9
    )

    Assert.Equal(None, rows[1].NanosecondsPerWrapper)

[<Fact>]
let ``a row has the published figures of its own factor`` () =
    let sources syncFn =
        (result (run syncFn)).Published |> List.map _.Source

    Assert.Equal<string list>([ "A" ], sources false)
    Assert.Equal<string list>([ "B" ], sources true)

[<Fact>]
let ``a figure that was not measured is absent`` () =
    let result = result (run false)
    Assert.Equal(None, result.CpuMicroseconds)
    Assert.Equal(None, result.CpuRatio)
    Assert.Equal(None, result.NanosecondsPerWrapper)
    Assert.Equal(None, result.Verdict)
    Assert.Equal(None, result.Http)
    Assert.Equal(None, result.BytesPerOperation)
    Assert.False result.Available
    Assert.Equal(None, result.Correct)

/// With a factor, pairs in process and over HTTP of each launch, trouble, and the status.
let private statuses =
    [
        false, [], None, "not available"
        false, [ 0, 0 ], None, "not available"
        false, [ 2, 2 ], None, "partial"
        false, [ 2, 2; 2, 1 ], None, "partial"
        false, [ 2, 2; 2, 2 ], None, "measured"
        true, [ 2, 0; 2, 0 ], None, "measured"
        true, [ 2, 0; 1, 0 ], None, "partial"
        false, [ 0, 0 ], Some "it broke", "failed"
        false, [ 1, 0 ], Some "it broke", "partial"
        false, [ 2, 2; 2, 2 ], Some "it broke", "partial"
    ]

[<Fact>]
let ``a row has a status and a reason unless it is measured`` () =
    for syncFn, launches, trouble, expected in statuses do
        let row = run syncFn

        for inProcess, http in launches do
            fill row inProcess http

        Option.iter row.Fail trouble
        let status, reason = RowResult.status settings row
        Assert.Equal(expected, status)
        Assert.Equal(expected <> "measured", reason.IsSome)

        if trouble.IsSome then
            Assert.Equal(trouble, reason)

[<Fact>]
let ``a row that was cut short for its run's budget is measured once each phase has ended`` () =
    let row = run false

    for _ in 1..2 do
        fill row 1 1
        row.Launches[row.Launches.Count - 1].Finished.AddRange [ Phase.InProcess; Phase.OverHttp ]

    Assert.Equal("measured", fst (RowResult.status settings row))
    row.Launches[1].Finished.Remove Phase.OverHttp |> ignore
    Assert.Equal("partial", fst (RowResult.status settings row))

[<Fact>]
let ``the first reason stays`` () =
    let row = run false
    row.Fail "first"
    row.Fail "second"
    Assert.Equal(Some "first", row.Trouble)

[<Fact>]
let ``a pair without a ratio does not count, so that no figure is no number`` () =
    let row = run false
    let launch = row.Launch()

    for cpu in [ 0.0; nan ] do
        let spoiled = { pair with Base = { pair.Base with CpuMicroseconds = cpu } }
        launch.InProcess.AddRange [ spoiled; pair ]
        launch.Http.AddRange [ pair; spoiled ]

    let result = result row
    Assert.Equal(Some 2, result.CpuRatio |> Option.map _.Pairs)
    Assert.Equal(1.2, (Option.get result.CpuRatio).Median, 9)
    Assert.Equal(1.2, (Option.get result.Http).CpuRatio.Median, 9)
    Assert.True(Double.IsFinite (Option.get result.Http).CapacityPercent)

[<Fact>]
let ``one pair has no interval and so no certain verdict`` () =
    let row = run false
    fill row 1 1
    let result = result row
    Assert.Equal(Some "unresolved", result.Verdict)
    Assert.Equal("unresolved", (Option.get result.Http).Verdict)
