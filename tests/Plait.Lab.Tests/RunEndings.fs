// Runs that cannot go on, or are told to stop: one sentence, exit code 1, what was measured so far in results.json, and
// no process left behind.
module Plait.Lab.Tests.RunEndings

open System
open System.Collections.Generic
open System.IO
open Xunit

open Plait.Report
open Plait.Tests.Support

/// How the base goes wrong, more arguments, and words of the sentence.
let private bases: (string * string list * string list) list =
    [
        "crash-at-start", [ "--no-http" ], [ "sync"; "exit code 3" ]
        "wrong-body", [ "--no-http" ], [ "base"; "wrong" ]
        "crash-in-the-middle", [ "--no-http"; "--pairs"; "9" ], [ "sync"; "exit code 4" ]
        "crash-under-load", [ "--no-in-process" ], [ "sync"; "exit code 5" ]
    ]

/// A base that ends before it is asked anything ends a run as one that ends later does: that is for `make test-more`.
let modes =
    [|
        for mode, _, _ in bases do
            let row = TheoryDataRow<string> mode

            if mode = "crash-at-start" then
                row.Traits["run"] <- HashSet [ "more" ]

            row
    |]

[<Theory; MemberData(nameof modes)>]
let ``a base that fails ends the run, and the measurements are kept`` (mode: string) =
    let _, more, words = bases |> List.find (fun (other, _, _) -> other = mode)
    let run = FakeRun([ "--mode"; mode ], [ "other", [] ], more)
    run.Ended |> ToolRun.endsBadly 1 ([ "cannot go on"; "results.json" ] @ words)
    Assert.False run.Results.Complete
    Assert.NotEqual(Status.Measured, (run.Row "sync").Status)
    Assert.Equal(3, run.Results.Rows.Length)

    if mode = "crash-in-the-middle" then
        // It crashes at its third slice that counts: two pairs of whichever row came first are there.
        let pairs =
            [
                for row in run.Results.Rows do
                    row.Find Figures.cpuRatio |> Option.bind _.Pairs |> Option.defaultValue 0
                    // each counts for the base as well
                    2 * run.Dropped row.Id
            ]

        Assert.Equal(4, List.sum pairs)

[<Fact>]
let ``a candidate without its assembly fails with one sentence`` () =
    use folder = new Built.Folder()
    let candidates = Fakes.folder folder.Path [] [ "lost", [] ]
    let file = Path.Combine(candidates, "lost", "candidate.json")
    File.WriteAllText(file, (File.ReadAllText file).Replace("FakeWorker.dll", "NoWorker.dll"))
    let out = folder.File "out"

    ToolRun.run (Fakes.tiny candidates out @ [ "--no-http"; "--pairs"; "1" ])
    |> ToolRun.endsBadly 1 [ "lost" ]

    let row = Fakes.results out |> Fakes.row "lost"
    Assert.Equal(Status.Failed, row.Status)
    Assert.True((Option.get row.Reason).Contains "NoWorker.dll", Option.get row.Reason)

[<Fact; Trait("run", "more")>]
let ``a file that cannot be written costs neither the table nor the other files`` () =
    use folder = new Built.Folder()
    let candidates = Fakes.folder (folder.File "candidates") [] [ "other", [] ]
    let out, json = folder.File "out", folder.File "copy.json"
    Directory.CreateDirectory(Path.Combine(out, "results.csv")) |> ignore

    let ended =
        ToolRun.run (Fakes.tiny candidates out @ [ "--no-http"; "--pairs"; "1"; "--json"; json ])

    Assert.Equal(1, ended.Code)
    Assert.Contains("results.csv cannot be written", ended.Err)
    Assert.Contains("CPU over sync, in process", ended.Out)
    Assert.Contains("results: results.json beside it", ended.Out)
    Assert.Equal(Option.isSome (Page.template ()), File.Exists(Path.Combine(out, "page.html")))
    Assert.Equal(Fakes.results out, ResultsJson.read json (File.ReadAllText json))

[<Fact>]
let ``a control that misses is a sentence, and ends a run with 3 only if a verdict is required`` () =
    use folder = new Built.Folder()
    let candidates = Fakes.folder (folder.File "candidates") [] [ "other", [] ]

    // One pair has no interval, and does not hold.
    let run out more =
        ToolRun.runWithin
            80
            (Fakes.tiny candidates (folder.File out) @ [ "--no-http"; "--pairs"; "1" ] @ more)

    let ended = run "out" []
    Assert.Equal(0, ended.Code)
    Assert.Contains("In process nothing is judged: the A/A control sync-again", ended.Out)

    let other =
        ended.Out.Split '\n' |> Array.find (fun line -> line.StartsWith "other  ")

    Assert.Contains("not judged", other)

    // The prompt is the 24th line.
    let lines = ended.Out.TrimEnd('\n').Split '\n'
    Assert.True(lines.Length < 24, ended.Out)
    Assert.All(lines, fun line -> Assert.True(line.Length <= 80 || line.StartsWith "page:", line))
    Assert.DoesNotContain("ns/wr", ended.Out)

    run "required" [ "--require" ]
    |> ToolRun.endsBadly 3 [ "the A/A control of every measure missed"; "--require" ]

[<Fact>]
let ``a control that misses is measured on while there is time, and the run and its results report that`` () =
    use folder = new Built.Folder()
    let candidates = Fakes.folder (folder.File "candidates") [] [ "other", [] ]
    let out = folder.File "out"

    // One pair has no interval, so that both measures miss in the first launch.
    let ended =
        ToolRun.run (Fakes.tiny candidates out @ [ "--pairs"; "1"; "--budget"; "10m" ])

    Assert.Equal(0, ended.Code)
    Assert.Contains("there is time for another launch in process and over HTTP", ended.Err)
    let results = Fakes.results out
    Assert.Equal<int list>([ 1; 1 ], results.Controls |> List.map _.Added)
    let reason = results.Stopping.Value.Reason
    Assert.Contains("1 more in process and 1 more over HTTP, because the A/A control missed", reason)

    for row in results.Rows do
        Assert.Equal(Status.Measured, row.Status)
        Assert.Equal(2, (row.Find Figures.cpuRatio).Value.Launches.Value.Length)

[<Theory; InlineData "INT"; InlineData("TERM", Traits = [| "run"; "more" |])>]
let ``a stopped run ends its child processes and keeps its measurements`` (signal: string) =
    Assert.SkipUnless(OperatingSystem.IsLinux(), "processes are told apart by /proc")
    use folder = new Built.Folder()
    let candidates = Fakes.folder folder.Path [] [ "other", [] ]
    let out = folder.File "out"

    let running =
        ToolRun.start (Fakes.tiny candidates out @ [ "--no-http"; "--pairs"; "1000" ])
    // The base is warm and the first row is being measured.
    running.Says "[1/"
    Within.comes "two processes of the run" (fun () -> running.Children.Length >= 2)
    let before = running.Children
    running.Signal signal
    running.Wait() |> ToolRun.endsBadly 1 [ "stopped"; "results.json" ]

    Within.comes "the end of all children" (fun () ->
        before |> List.forall (fun id -> not (Directory.Exists $"/proc/{id}")))

    let results = Fakes.results out
    Assert.False results.Complete
    Assert.Equal(3, results.Rows.Length)

    Assert.True(
        results.Rows |> List.forall (fun row -> row.Status <> Status.Failed),
        "being stopped is no failure of a row"
    )
