// A run in process over candidates that go wrong in every way: each is dealt with by itself, and the rest is measured.
module Plait.Lab.Tests.RunInProcess

open Xunit

open Plait.Report
open Plait.Tests.Support

let private run =
    FakeRun(
        [],
        [
            "slow", [ "--factor"; "3" ]
            "wrong-body", [ "--mode"; "wrong-body" ]
            "crash-at-start", [ "--mode"; "crash-at-start" ]
            "crash-in-the-middle", [ "--mode"; "crash-in-the-middle" ]
            "hang-at-start", [ "--mode"; "hang-at-start" ]
            "hang-in-the-middle", [ "--mode"; "hang-in-the-middle" ]
            "garbage", [ "--mode"; "garbage" ]
            "impostor", [ "--mode"; "impostor" ]
        ],
        [ "--no-http"; "--pairs"; "4"; "--patience"; "20s"; "--details" ]
    )

/// A row, its status, whether its answer was right, pairs that are kept, and words of its reason.
let private troubles: (string * Status * bool option * int * string list) list =
    [
        "wrong-body", Status.Failed, Some false, 0, [ "answer"; "wrong"; "not timed"; "at character" ]
        "crash-at-start", Status.Failed, None, 0, [ "exit code 3"; "cannot start, as it was asked to" ]
        "crash-in-the-middle",
        Status.Partial,
        Some true,
        2,
        [ "measuring in process"; "exit code 4"; "crashes, as it was asked to" ]
        "hang-at-start", Status.Failed, None, 0, [ "did not answer within 20000 ms"; "starting"; "stopped" ]
        "hang-in-the-middle",
        Status.Partial,
        Some true,
        2,
        [ "did not answer within 20020 ms"; "measuring in process" ]
        "garbage", Status.Failed, None, 0, [ "not JSON"; "Hello, I am a program" ]
        "impostor", Status.Failed, None, 0, [ "gives its name as 'somebody-else'" ]
    ]

let ids = TheoryData<string>([ for id, _, _, _, _ in troubles -> id ])

[<Theory; MemberData(nameof ids)>]
let ``a candidate that fails has a status, a reason and the measurements from before`` (id: string) =
    let _, status, correct, pairs, words =
        troubles |> List.find (fun (other, _, _, _, _) -> other = id)

    let row = run.Row id
    let reason = Option.defaultValue "" row.Reason
    Assert.Equal(status, row.Status)
    Assert.Equal(correct, row.Correct)

    let kept = row.Find Figures.cpuRatio |> Option.bind _.Pairs |> Option.defaultValue 0

    Assert.Equal(pairs, kept + run.Dropped id)
    Assert.Equal(None, row.Find Figures.httpCpuRatio)

    for word in words do
        Assert.Contains(word, reason)

    Assert.DoesNotContain("\n", reason)

    if pairs = 0 then
        Assert.Empty row.Figures

[<Fact>]
let ``a candidate that does three times the work costs about three times as much`` () =
    let row = run.Row "slow"
    let ratio = Option.get (row.Find Figures.cpuRatio)
    Assert.Equal((Status.Measured, None, Some true), (row.Status, row.Reason, row.Correct))
    // Whatever else the machine does meanwhile.
    Assert.True(ratio.Value > 1.3, $"{ratio}")
    Assert.Equal(Some 4, ratio.Pairs)
    Assert.Equal(1, (Option.get ratio.Launches).Length)

[<Fact>]
let ``base and control are measured while other candidates fail`` () =
    for id in [ "sync"; "sync-again" ] do
        let row = run.Row id
        Assert.Equal((Status.Measured, None, Some true), (row.Status, row.Reason, row.Correct))
        Assert.True(row.Ratio.IsSome && (row.Find Figures.cpuMicroseconds).IsSome)

    Assert.Equal(1.0, Option.get ((run.Row "sync").Value Figures.cpuRatio))

[<Fact>]
let ``bytes for a request are those that the stand-in allocates, with escape analysis and without`` () =
    for id in [ "sync"; "sync-again"; "slow" ] do
        let row = run.Row id
        // 1,000 bytes, the header of an array, and what counting itself costs.
        Assert.InRange(Option.get (row.Value Figures.bytesPerOperation), 1000.0, 1200.0)
        Assert.InRange(Option.get (row.Value Figures.bytesPerOperationNoEscape), 1000.0, 1200.0)

[<Fact>]
let ``the run ends with exit code 1 and one sentence that names the rows`` () =
    run.Ended |> ToolRun.endsBadly 1 [ for id, _, _, _, _ in troubles -> id ]

[<Fact>]
let ``the results are complete, with the settings of the run`` () =
    let results = run.Results
    Assert.True results.Complete
    Assert.Equal(Results.CurrentSchema, results.Schema)

    Assert.Equal(
        ("fizzbuzz", "sync", 0.03, 1),
        (results.Scenario, results.Base, results.Margin, results.Seed)
    )

    Assert.Equal(
        (1, 4, 20, 4),
        (results.Settings.Launches,
         results.Settings.Pairs,
         results.Settings.SliceMilliseconds,
         results.Settings.Connections)
    )

    Assert.StartsWith("plait lab fizzbuzz --quick --launches 1 --slice 20ms", results.Command)
    Assert.StartsWith(".NET 10", results.Environment.Runtime)
    Assert.Equal(10, results.Rows.Length)
    Assert.True(System.DateTime.Parse results.StartedUtc <= System.DateTime.Parse results.EndedUtc)

[<Fact>]
let ``json, csv and page are written and nothing else`` () =
    Assert.Equal<Set<string>>(set [ "results.json"; "results.csv"; "page.html" ], run.Files |> Set.map string)

[<Fact>]
let ``with --details the table names every row, within 120 columns, and columns are explained`` () =
    Assert.Contains("CPU ratio: ", run.Ended.Out)
    let lines = run.Ended.Out.Split '\n'

    for row in run.Results.Rows do
        Assert.Contains(
            lines,
            System.Predicate(fun (line: string) -> line.StartsWith(row.Id.Substring(0, min 25 row.Id.Length)))
        )

    for line in lines do
        // Paths are as long as they are, and stand on lines of their own.
        if not (line.Contains "/out/") && line.Trim().Contains ' ' then
            Assert.True(line.Length <= 120, line)

[<Fact>]
let ``the last line of the progress counts all steps`` () =
    let steps =
        [
            for line in run.Ended.Err.Split '\n' do
                if line.StartsWith '[' then
                    line.Substring(1, line.IndexOf ',' - 1).Split '/' |> Array.map int
        ]

    let last = List.last steps
    Assert.Equal(last[1], last[0])
    Assert.Equal<int list>([ 1 .. steps.Length ], steps |> List.map Array.head)
