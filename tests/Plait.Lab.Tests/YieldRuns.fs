// The verb of the scenario yield: what is asked wrongly, and one real run that is as short as it can be.
[<Xunit.Trait("run", "more")>]
module Plait.Lab.Tests.YieldRuns

open System.IO
open Xunit

open Plait.Report

open Plait.Lab
open Plait.Tests.Support

let private wrong: (string * string list * string list) list =
    [
        "an unknown row", [ "--only"; "strnd" ], [ "strnd"; "did you mean strand?" ]
        "a row like no other", [ "--skip"; "elephant" ], [ "elephant"; "plait lab yield --list" ]
        "a number out of range", [ "--pairs"; "0" ], [ "--pairs"; "1 to 1000" ]
        "an unknown option", [ "--as-publishd" ], [ "did you mean --as-published?" ]
        "a folder without the program", [ "--candidates"; Fakes.absent ], [ "yields.dll"; "make build" ]
    ]

let names = TheoryData<string>([ for name, _, _ in wrong -> name ])

[<Theory; MemberData(nameof names)>]
let ``wrong input ends in one sentence and exit code 2`` (name: string) =
    let _, arguments, words = wrong |> List.find (fun (other, _, _) -> other = name)
    Fakes.refuses "yield" arguments words

[<Fact>]
let ``the list names every row`` () =
    let ended = ToolRun.run [ "lab"; "yield"; "--list" ]
    Assert.Equal((0, ""), (ended.Code, ended.Err))

    Assert.Equal<string list>(
        YieldRows.all |> List.map _.Name,
        ended.Out.Trim().Split '\n' |> List.ofArray |> List.map (fun line -> (line.Split ' ')[0])
    )

[<Fact>]
let ``a run keeps its time and its margin, and adds launches for the control alone`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"

    let shortest =
        [ "--launches"; "1"; "--pairs"; "1"; "--slice"; "10ms"; "--warm-up"; "100ms" ]

    let asked = [ "--only"; "csharp-task"; "--budget"; "5m"; "--margin"; "0.2" ]
    let ended = ToolRun.run ([ "lab"; "yield"; "--out"; out ] @ shortest @ asked)
    ToolRun.endsMeasured ended
    let results = Fakes.results out
    let stopping = results.Stopping.Value
    Assert.Equal((None, Some 300.0), (stopping.Width, stopping.BudgetSeconds))

    // There is time for another one, which a control that misses has.
    let added =
        stopping.Reason.EndsWith(
            ", and 1 more in process, because the A/A control missed",
            System.StringComparison.Ordinal
        )

    Assert.Equal((if added then 2 else 1), stopping.Launches)
    Assert.Equal(0.2, results.Margin)

let private panel id (results: Results) =
    results.Panels |> List.find (fun panel -> panel.Id = id)

[<Fact>]
let ``a run measures its rows in pairs and as published, and puts the published figures beside them`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"
    let rows = "csharp-pooled-value-task-t,strand"

    let ended =
        ToolRun.run
            [
                "lab"
                "yield"
                "--quick"
                "--as-published"
                "--launches"
                "1"
                "--pairs"
                "2"
                "--slice"
                "30ms"
                "--warm-up"
                "100ms"
                "--only"
                rows
                "--details"
                "--out"
                out
            ]

    ToolRun.endsMeasured ended
    let results = Fakes.results out
    Assert.True results.Complete

    Assert.Equal<string list>(
        [ "csharp-task-t"; "csharp-task-t-again"; "csharp-pooled-value-task-t"; "strand" ],
        results.Rows |> List.map _.Id
    )

    for row in results.Rows do
        Assert.Equal((Status.Measured, Some true), (row.Status, row.Correct))
        let has figure = (row.Find figure).IsSome
        Assert.True(has Figures.cpuRatio && has Figures.bytesPerOperation)
        Assert.False(has Figures.httpCpuRatio || has Figures.nanosecondsPerWrapper)

    let beside = panel "published" results

    Assert.Equal<string option list>(
        [ Some "C# async Task<T>"; Some "C# async PooledValueTask<T>" ],
        beside.Rows |> List.map (fun row -> (List.head row).AsText)
    )

    // Published bytes, and the published time over that of Task<T>.
    Assert.Equal<float option list>(
        [ Some 120.0; Some 0.0 ],
        beside.Rows |> List.map (fun row -> row[2].AsNumber)
    )

    Assert.Equal(1.374 / 1.397, (List.item 4 beside.Rows[1]).AsNumber.Value, 9)
    // The control is timed in the published way as well: it shows what that way cannot tell apart.
    let effect = panel "as-published-effect" results
    Assert.Equal(3, effect.Rows.Length)

    Assert.All(
        effect.Rows,
        fun row -> Assert.True(row[1].AsNumber.Value > 0.0 && row[2].AsNumber.Value > 0.0)
    )

    Assert.Equal(3, (panel "as-published" results).Items.Length)

    Assert.Contains(beside.Rows[1], fun cell -> cell.AsNumber = Some 1.374)

    for text in [ "B/op"; "Beside the published figures"; "as-published" ] do
        Assert.True(ended.Out.Contains text || results.Command.Contains text, text)

    Assert.DoesNotContain("ns/wr", ended.Out)
    Assert.All(ended.Out.Split '\n', fun line -> Assert.True(line.Length <= 120 || line.Contains out, line))
