// From pairs to the figures and the status of a row.
module Plait.Lab.Tests.Rows

open System
open Xunit

open Plait.Lab
open Plait.Report

let private settings = { Settings.full with Launches = 2; Pairs = 2 }

let private candidate =
    Candidate.parse
        "/c/x/candidate.json"
        """{"name":"x","label":"X","family":"plait","library":"Plait","order":1,"syncFn":true,
            "published":[{"source":"A","percentOfSync":91},{"source":"B","percentOfSync":58,"syncFn":true}]}"""

let private plan syncFn =
    { RowPlan.ofCandidate candidate with
        Id = (if syncFn then "x+sync-fn" else "x")
        Factors = if syncFn then [ Candidate.syncFn ] else []
        SkipsHttp = syncFn
    }

let private run syncFn = MeasuredRow(plan syncFn)

let private slice operations cpu bytes =
    { MadeSlices.slice operations cpu with
        AllocatedBytes = bytes
        Errors = { ErrorCounts.None with Length = 1L }
    }

// 60 over 50 microseconds for a request, 5,000 over 10,000 requests a second, 200 bytes over 100.
let private pair =
    { Candidate = slice 10L 600.0 2000.0; Base = slice 20L 1000.0 2000.0 }

/// A launch with so many pairs; a measure that has as many as were asked for has come to its end.
let private fill (row: MeasuredRow) inProcess http =
    let launch = row.Launch()

    for place, pairs, count in
        [ Measure.InProcess, launch.InProcess, inProcess; Measure.OverHttp, launch.Http, http ] do
        pairs.AddRange(List.replicate count pair)

        if count >= settings.Pairs then
            launch.Finished.Add place

let private result (row: MeasuredRow) =
    RowFigures.rows settings FizzBuzz.scenario [ row ] |> List.exactlyOne

[<Fact>]
let ``the figures of a row are those of its pairs`` () =
    let row = run false
    fill row 2 2
    fill row 2 2
    let result = result row

    let value (expected: float) figure =
        Assert.Equal(expected, Option.get (result.Value figure), 9)

    value 60.0 Figures.cpuMicroseconds
    value 1.2 Figures.cpuRatio
    value 200.0 Figures.bytesPerOperation
    value 1.2 Figures.httpCpuRatio
    value 5000.0 Figures.httpRequestsPerSecond
    value 50.0 Figures.httpRequestsPerSecondPercent
    value (100.0 / 1.2) Figures.httpCapacityPercent
    value 40.0 Figures.httpRequests
    let ratio = Option.get (result.Find Figures.cpuRatio)
    Assert.Equal((Some 4, Some Slower), (ratio.Pairs, ratio.Verdict))
    Assert.Equal(Some Slower, (Option.get (result.Find Figures.httpCpuRatio)).Verdict)
    Assert.Equal(Some { ErrorCounts.Status = 0L; Length = 4L; Connection = 0L; Timeout = 0L }, result.Errors)
    Assert.Equal((Status.Measured, None), (result.Status, result.Reason))

    Assert.Equal<string list>(
        Figures.all |> List.filter (fun figure -> (result.Find figure).IsSome) |> List.map _.Key,
        RowFigures.described [ result ] |> List.map _.Key
    )

[<Fact>]
let ``the percentage of requests a second has an interval over launches`` () =
    // Both sides of the second pair are equal.
    let even = { pair with Candidate = pair.Base }
    let row = run false

    for taken in [ pair; even ] do
        row.Launch().Http.AddRange [ taken; taken ]

    let percent = (result row).Find Figures.httpRequestsPerSecondPercent |> Option.get
    Assert.Equal((75.0, Some 50.0, Some 100.0), (percent.Value, percent.Low, percent.High))

let private theBase =
    let row =
        MeasuredRow { plan false with Id = "sync"; Candidate = { candidate with Family = Family.Base } }

    fill row 2 0
    row

[<Fact>]
let ``the cost of a wrapper is the request's time beyond the base's, divided by the number of wrappers`` () =
    let own, withSyncFn = run false, run true

    let control =
        MeasuredRow
            { plan false with
                Id = "sync-again"
                Candidate = { candidate with Family = Family.Control }
            }

    for row in [ own; withSyncFn; control ] do
        fill row 2 0

    let costs rows =
        RowFigures.rows settings FizzBuzz.scenario rows
        |> List.map _.Value(Figures.nanosecondsPerWrapper)

    let expected syncFn =
        1000.0 * 0.2 * 60.0 / float (FizzBuzz.wrappers syncFn)

    match costs [ own; withSyncFn; control; theBase ] with
    | [ Some plain; Some short; None; None ] ->
        Assert.Equal(expected false, plain, 9)
        Assert.Equal(expected true, short, 9)
    | other -> Assert.Fail $"%A{other}"

    Assert.Equal<float option list>([ None ], costs [ own ])
    Assert.Equal<float option list>([ None; None ], costs [ run false; theBase ])

[<Fact>]
let ``bytes over the base are those of the row less the base's`` () =
    let own = run false
    fill own 2 0
    own.BytesNoEscape <- Some 250.0
    theBase.BytesNoEscape <- Some 100.0
    let rows = RowFigures.rows settings FizzBuzz.scenario [ own; theBase ]
    Assert.Equal(Some 0.0, rows[0].Value Figures.bytesOverBase)
    Assert.Equal(Some 150.0, rows[0].Value Figures.bytesOverBaseNoEscape)
    Assert.Equal(None, rows[1].Value Figures.bytesOverBase)

[<Fact>]
let ``a row has the published figures of its own factor`` () =
    let sources syncFn =
        (result (run syncFn)).Published |> List.map _.Source

    Assert.Equal<string list>([ "A" ], sources false)
    Assert.Equal<string list>([ "B" ], sources true)

[<Fact>]
let ``a missing figure is absent from the results`` () =
    let result = result (run false)
    Assert.Empty result.Figures
    Assert.Equal(None, result.Errors)
    Assert.Equal(Status.NotAvailable, result.Status)
    Assert.Equal(None, result.Correct)

/// With a factor, pairs in process and over HTTP of each launch, trouble, and the status.
let private statuses =
    [
        false, [], None, Status.NotAvailable
        false, [ 0, 0 ], None, Status.NotAvailable
        false, [ 2, 2 ], None, Status.Partial
        false, [ 2, 2; 2, 1 ], None, Status.Partial
        false, [ 2, 2; 2, 2 ], None, Status.Measured
        true, [ 2, 0; 2, 0 ], None, Status.Measured
        true, [ 2, 0; 1, 0 ], None, Status.Partial
        false, [ 0, 0 ], Some "it broke", Status.Failed
        false, [ 1, 0 ], Some "it broke", Status.Partial
        false, [ 2, 2; 2, 2 ], Some "it broke", Status.Partial
    ]

[<Fact>]
let ``a row has a status and a reason unless it is measured`` () =
    for syncFn, launches, trouble, expected in statuses do
        let row = run syncFn

        for inProcess, http in launches do
            fill row inProcess http

        Option.iter row.Fail trouble
        let status, reason = RowFigures.status settings row
        Assert.Equal(expected, status)
        Assert.Equal(expected <> Status.Measured, reason.IsSome)

        if trouble.IsSome then
            Assert.Equal(trouble, reason)

[<Fact>]
let ``a row that was cut short for its run's budget is measured once each phase has ended`` () =
    let row = run false

    for _ in 1..2 do
        fill row 1 1
        row.Launches[row.Launches.Count - 1].Finished.AddRange [ Measure.InProcess; Measure.OverHttp ]

    Assert.Equal(Status.Measured, fst (RowFigures.status settings row))
    row.Launches[1].Finished.Remove Measure.OverHttp |> ignore
    Assert.Equal(Status.Partial, fst (RowFigures.status settings row))

[<Fact>]
let ``a row whose pairs were all dropped is not measured, and one that kept some is`` () =
    for http, expected in [ 0, Status.Partial; 1, Status.Measured ] do
        let row = run false

        for _ in 1..2 do
            fill row 1 http
            row.Launches[row.Launches.Count - 1].Finished.AddRange [ Measure.InProcess; Measure.OverHttp ]

        let status, reason = RowFigures.status settings row
        Assert.Equal(expected, status)
        Assert.Equal((http = 0), reason.IsSome)

[<Fact>]
let ``the first reason stays`` () =
    let row = run false
    row.Fail "first"
    row.Fail "second"
    Assert.Equal(Some "first", row.Trouble)

[<Fact>]
let ``a pair without a ratio does not count, so that every figure is a number`` () =
    let row = run false
    let launch = row.Launch()

    for cpu in [ 0.0; nan ] do
        let spoiled = { pair with Base = { pair.Base with CpuMicroseconds = cpu } }
        launch.InProcess.AddRange [ spoiled; pair ]
        launch.Http.AddRange [ pair; spoiled ]

    let result = result row
    let ratio = Option.get (result.Find Figures.cpuRatio)
    Assert.Equal(Some 2, ratio.Pairs)
    Assert.Equal(1.2, ratio.Value, 9)
    Assert.Equal(1.2, Option.get (result.Value Figures.httpCpuRatio), 9)
    Assert.True(Double.IsFinite(Option.get (result.Value Figures.httpCapacityPercent)))

[<Fact>]
let ``one pair has no interval and so no certain verdict`` () =
    let row = run false
    fill row 1 1
    let result = result row

    for figure in [ Figures.cpuRatio; Figures.httpCpuRatio ] do
        let ratio = Option.get (result.Find figure)
        Assert.Equal((None, None, Some Unresolved), (ratio.Low, ratio.High, ratio.Verdict))
