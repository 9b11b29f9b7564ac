// Two runs side by side: what differs around them, and the verdict on every figure.
module Plait.Report.Tests.Comparisons

open System
open System.IO
open Xunit

open Plait.Common
open Plait.Report

open Plait.Tests.Support
open Plait.Tests.Support.MadeRows

let private row id bytes cpu = row id (Some bytes) (Some cpu)

let private run rows : Results =
    { RandomResults.sample with
        Scenario = "fizzbuzz"
        Base = "sync"
        Margin = 0.03
        Controls = []
        Rows = rows
    }

let private old =
    run [ row "sync" 1000.0 (ratio 1.0 1.0 1.0); row "a" 2000.0 (ratio 1.2 1.19 1.21) ]

let private verdictOf figure (change: Changes.Change list) =
    change
    |> List.filter (fun change -> change.Row = "a" && change.Figure.Key = figure)
    |> List.map (fun change -> change.Verdict.Word, change.Overlap)
    |> List.exactlyOne

/// The new ratio, its verdict, and whether the intervals overlap.
let private ratios =
    [
        ratio 1.2 1.19 1.21, "same", true
        ratio 1.0 0.99 1.01, "lower", false
        ratio 1.4 1.39 1.41, "higher", false
        // Apart, but by less than the margin may be.
        ratio 1.23 1.22 1.24, "unresolved", false
        ratio 1.2 1.0 1.4, "unresolved", true
    ]

[<Fact>]
let ``a ratio is lower, higher or the same by the widest interval that both runs allow`` () =
    for fresh, verdict, overlap in ratios do
        let changes = Changes.between old (run [ old.Rows[0]; row "a" 2000.0 fresh ])
        Assert.Equal((verdict, Some overlap), verdictOf "cpuRatio" changes)

[<Fact>]
let ``bytes differ only beyond the error of counting`` () =
    for bytes, verdict in [ 2000.0, "same"; 2016.0, "same"; 2017.0, "higher"; 1983.0, "lower" ] do
        let changes =
            Changes.between old (run [ old.Rows[0]; row "a" bytes (ratio 1.2 1.19 1.21) ])

        Assert.Equal((verdict, None), verdictOf "bytesPerOperation" changes)

[<Fact>]
let ``rows of one run only are there, and the base is not compared with itself by ratio`` () =
    let changes =
        Changes.between old (run [ old.Rows[0]; row "b" 1.0 (ratio 1.0 1.0 1.0) ])

    let of' id =
        changes
        |> List.filter (fun change -> change.Row = id)
        |> List.map _.Verdict.Word
        |> List.distinct

    Assert.Equal<string list>([ "only old" ], of' "a")
    Assert.Equal<string list>([ "only new" ], of' "b")
    Assert.Equal<string list>([ "same" ], of' "sync")

    Assert.DoesNotContain(
        changes,
        Predicate(fun (change: Changes.Change) -> change.Row = "sync" && change.Figure = Figures.cpuRatio)
    )

[<Fact>]
let ``differences of the environments come first, and some of them forbid comparing`` () =
    let fresh =
        { old with
            Settings = { old.Settings with Launches = old.Settings.Launches + 1 }
            Environment =
                { old.Environment with
                    Cpu = Some "another"
                    Runtime = old.Environment.Runtime + "!"
                    Git = Some "abc"
                }
        }

    Assert.Empty(Differences.between old old)
    let differences = Differences.between old fresh

    Assert.Equal<(string * bool) list>(
        [ "processor", true; "runtime", true; "launches", false; "commit", false ],
        differences |> List.map (fun difference -> difference.Name, difference.Forbids)
    )

    Assert.False(Differences.isComparable differences)
    let lines = Differences.lines differences
    Assert.StartsWith("not comparable: processor was '", lines[0])
    Assert.Contains("is 'another'", String.concat " " lines)

[<Fact>]
let ``runs with other settings are not comparable`` () =
    let said summary = { old with Summary = summary }

    let named before after =
        Differences.between before after
        |> List.map (fun difference -> difference.Name, difference.Forbids)

    Assert.Equal<(string * bool) list>(
        [ "title", true ],
        named old { old with Title = $"{old.Title}; on: logging" }
    )

    Assert.Equal<(string * bool) list>([ "summary", true ], named (said "delay none") (said "delay stall"))

[<Fact>]
let ``runs without a figure to compare are refused`` () =
    use folder = new Built.Folder()
    let file = folder.File "results.json"
    System.IO.File.WriteAllText(file, ResultsJson.write { old with Rows = [] })
    let ended = ToolRun.run [ "lab"; "compare"; file; file ]
    ended |> ToolRun.endsBadly 2 [ "cannot be compared"; "neither run"; old.Scenario ]

[<Fact>]
let ``runs of different scenarios are refused`` () =
    let trouble =
        Assert.Throws<BadInput>(
            Action(fun () -> Changes.between old { old with Scenario = "yield" } |> ignore)
        )

    Assert.Contains("cannot be compared", trouble.Message)

[<Fact>]
let ``a page has the differences, a forest and a table`` () =
    let fresh =
        { run [ old.Rows[0]; row "a" 2000.0 (ratio 1.4 1.39 1.41) ] with
            Environment = { old.Environment with Kernel = Some "new" }
        }

    Assert.Equal("compare-surroundings", (Differences.panel (Differences.between old fresh)).Id)
    let panels = Changes.panels fresh.Margin (Changes.between old fresh)
    Assert.Equal<string list>([ "compare-cpuRatio"; "compare-figures" ], panels |> List.map _.Id)

    match panels |> List.map _.Plot with
    | [ Forest(_, _, Some margin, _, [ item ]); Table(columns, rows) ] ->
        Assert.Equal(0.03, margin)
        Assert.Equal(1.4 / 1.2, item.Value, 9)
        Assert.Equal(Some(1.39 / 1.21), item.Low)
        Assert.Equal(Some "higher", item.Word)
        Assert.All(rows, (fun cells -> Assert.Equal(columns.Length, cells.Length)))
    | _ -> Assert.Fail "a forest and a table"

/// The same with pauses of the garbage collector in the row `a`, which have no interval.
let private paused microseconds (results: Results) =
    { results with
        Rows =
            results.Rows
            |> List.map (fun row ->
                { row with
                    Figures = row.Figures.Add(Figures.gcPauseMicroseconds.Key, Measured.Plain microseconds)
                })
    }

[<Fact>]
let ``every figure that is better when lower is compared, except figures that follow from others`` () =
    let described figure =
        made "a" [ figure, Some(Measured.Plain 2.0) ]

    let compared =
        [
            for figure in Figures.all do
                let results = run [ old.Rows[0]; described figure ]

                if
                    Changes.between results results
                    |> List.exists (fun change -> change.Figure = figure && change.Row = "a")
                then
                    figure.Key
        ]

    let follows (key: string) =
        key.Contains "OverBase"
        || List.contains key [ "cpuMicroseconds"; "nanosecondsPerWrapper"; "httpCpuMicroseconds" ]

    Assert.Equal<string list>(
        [
            for figure in Figures.all do
                if figure.Better = Better.Lower && not (follows figure.Key) then
                    figure.Key
        ],
        compared
    )

let private compare' (folder: Built.Folder) (fresh: Results) (more: string list) =
    let oldFile, newFile = folder.File "old.json", folder.File "new.json"
    File.WriteAllText(oldFile, ResultsJson.write old)
    File.WriteAllText(newFile, ResultsJson.write fresh)
    ToolRun.run ([ "lab"; "compare"; oldFile; newFile ] @ more)

[<Fact>]
let ``tables and the sentence over each fit the terminal, keep the verdict, and name the columns that do not fit``
    ()
    =
    use folder = new Built.Folder()
    let file = folder.File "old.json"
    File.WriteAllText(file, ResultsJson.write old)

    for width in [ 40; 60 ] do
        let told = ToolRun.runWithin width [ "lab"; "compare"; file; file ]

        let lines = told.Out.Split '\n'
        Assert.All(lines, fun line -> Assert.True(line.Length <= width, line))
        Assert.Equal(2, lines |> Array.filter (fun line -> line.EndsWith "verdict") |> Array.length)
        Assert.Contains("Left out for lack of width: ", told.Out)

[<Fact>]
let ``the verb fails only with --fail-on`` () =
    use folder = new Built.Folder()
    let worse = run [ old.Rows[0]; row "a" 2000.0 (ratio 1.4 1.39 1.41) ]
    let told = compare' folder worse []
    Assert.Equal((0, ""), (told.Code, told.Err))
    Assert.Contains("higher", told.Out)
    Assert.Contains("+16.7 %", told.Out)

    compare' folder worse [ "--fail-on"; "higher" ]
    |> ToolRun.endsBadly 1 [ "a cpuRatio (higher)" ]

    Assert.Equal(0, (compare' folder old [ "--fail-on"; "changed" ]).Code)

    let elsewhere =
        { old with Environment = { old.Environment with Cpu = Some "another" } }

    compare' folder elsewhere [ "--fail-on"; "higher" ]
    |> ToolRun.endsBadly 1 [ "not comparable"; "--anyway" ]

    Assert.Equal(0, (compare' folder elsewhere [ "--fail-on"; "higher"; "--anyway" ]).Code)

    compare' folder old [ "--fail-on"; "sometimes" ]
    |> ToolRun.endsBadly 2 [ "--fail-on takes never, higher, changed or unresolved" ]

[<Fact>]
let ``a figure without an interval is shown with its change, the base's too, and fails nothing`` () =
    use folder = new Built.Folder()
    let before, after = paused 2.0 old, paused 9.0 old
    let changes = Changes.between before after
    Assert.Equal(("no interval", None), verdictOf Figures.gcPauseMicroseconds.Key changes)

    Assert.Contains(
        changes,
        Predicate(fun (change: Changes.Change) ->
            change.Row = "sync" && change.Figure = Figures.gcPauseMicroseconds)
    )

    let oldFile = folder.File "before.json"
    File.WriteAllText(oldFile, ResultsJson.write before)
    let newFile = folder.File "after.json"
    File.WriteAllText(newFile, ResultsJson.write after)

    for condition in [ "higher"; "changed"; "unresolved" ] do
        let told =
            ToolRun.run [ "lab"; "compare"; oldFile; newFile; "--fail-on"; condition ]

        Assert.Equal((0, ""), (told.Code, told.Err))
        Assert.Contains("gcPauseMicroseconds", told.Out)
        Assert.Contains("+350.0 %", told.Out)
