// A run over HTTP over servers that go wrong in every way: each is dealt with by itself, and the rest is measured.
module Plait.Lab.Tests.RunOverHttp

open Xunit

open Plait.Report
open Plait.Tests.Support

let private run =
    FakeRun(
        [],
        [
            for mode in
                [ "wrong-http-body"; "crash-under-load"; "hang-under-load"; "sometimes-status"; "chunked" ] ->
                mode, [ "--mode"; mode ]
        ],
        [ "--no-in-process"; "--pairs"; "6"; "--patience"; "20s" ]
    )

/// A row, whether its answer was right, and words of its reason.
let private failures: (string * bool option * string list) list =
    [
        "wrong-http-body", Some false, [ "over HTTP"; "wrong"; "not timed" ]
        "crash-under-load", Some true, [ "exit code 5"; "crashes under load, as it was asked to" ]
        "hang-under-load", Some true, [ "did not answer within" ]
        "chunked", Some true, [ "Content-Length" ]
    ]

let ids = TheoryData<string>([ for id, _, _ in failures -> id ])

[<Theory; MemberData(nameof ids)>]
let ``a server that goes wrong fails with its reason and is not timed`` (id: string) =
    let _, correct, words = failures |> List.find (fun (other, _, _) -> other = id)
    let row = run.Row id
    Assert.Equal((Status.Failed, correct, None), (row.Status, row.Correct, row.Find Figures.httpCpuRatio))

    for word in words do
        Assert.Contains(word, Option.defaultValue "" row.Reason)

/// A row, the errors it has, and words of its reason.
let private spoiled: (string * (ErrorCounts -> int64) * string) list =
    [ "sometimes-status", _.Status, "500 instead of 200" ]

[<Fact>]
let ``a server that is wrong at times is partial, with its errors counted by kind`` () =
    for id, kind, word in spoiled do
        let row = run.Row id
        let errors = Option.get row.Errors
        Assert.Equal((Status.Partial, Some true), (row.Status, row.Correct))
        Assert.Contains(word, Option.defaultValue "" row.Reason)
        Assert.True(kind errors > 0L, $"{errors}")

        Assert.Equal(kind errors, errors.Status + errors.Length + errors.Connection + errors.Timeout)

        // Every tenth is wrong.
        let share =
            float (kind errors) / (float (kind errors) + Option.get (row.Value Figures.httpRequests))

        Assert.InRange(share, 0.02, 0.25)

[<Fact>]
let ``base and control are measured without an error although the others go wrong`` () =
    for id in [ "sync"; "sync-again" ] do
        let row = run.Row id
        let value figure = Option.get (row.Value figure)
        Assert.Equal((Status.Measured, None, Some true), (row.Status, row.Reason, row.Correct))
        Assert.Equal(Some { Status = 0L; Length = 0L; Connection = 0L; Timeout = 0L }, row.Errors)
        Assert.True(value Figures.httpRequests > 0.0 && value Figures.httpRequestsPerSecond > 0.0)
        Assert.Equal(100.0 / value Figures.httpCpuRatio, value Figures.httpCapacityPercent, 9)
        // The kinds of figures that were not asked for are absent.
        Assert.Empty(
            Figures.all
            |> List.filter (fun figure -> figure.Measure = Measure.InProcess && (row.Find figure).IsSome)
        )

[<Fact>]
let ``a base that is wrong at times is partial, and the others are measured`` () =
    let run =
        FakeRun([ "--mode"; "sometimes-status" ], [], [ "--no-in-process"; "--pairs"; "2" ])

    let theBase, control = run.Row "sync", run.Row "sync-again"
    Assert.Equal((Status.Partial, Status.Measured), (theBase.Status, control.Status))
    Assert.Contains("500 instead of 200", Option.defaultValue "" theBase.Reason)
    Assert.True((control.Find Figures.httpCpuRatio).IsSome)
    run.Ended |> ToolRun.endsBadly 1 [ "sync" ]

[<Fact>]
let ``the run ends with exit code 1 and one sentence that names the rows`` () =
    let names = [ for id, _, _ in failures -> id ] @ [ for id, _, _ in spoiled -> id ]
    run.Ended |> ToolRun.endsBadly 1 names
    Assert.True run.Results.Complete
