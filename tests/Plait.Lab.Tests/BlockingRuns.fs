// The verb of the scenario blocking: what is asked wrongly, runs as short as they can be, and being stopped.
[<Xunit.Trait("run", "more")>]
module Plait.Lab.Tests.BlockingRuns

open System.IO
open Xunit

open Plait.Lab
open Plait.Report
open Plait.Tests.Support

let private wrong: (string * string list * string list) list =
    [
        "an unknown mode", [ "--only"; "thread-slep" ], [ "thread-slep"; "did you mean thread-sleep?" ]
        "a mode like no other", [ "--skip"; "elephant" ], [ "elephant"; "long-running"; "result" ]
        "nothing to run", [ "--only"; "result"; "--skip"; "result" ], [ "--skip"; "no mode" ]
        "no jobs", [ "--scale"; "0" ], [ "--scale"; "0.001 to 10" ]
        "a scale that is none", [ "--scale"; "half" ], [ "'half'"; "0.001 to 10" ]
        "no time", [ "--limit"; "0" ], [ "--limit"; "1s to 1h" ]
        "a look at what was published", [ "--doctor"; "--as-published" ], [ "--as-published"; "--doctor" ]
        "no programs", [ "--candidates"; Fakes.absent ], [ "Plait.Lab.BlockingJobs.dll"; "--candidates" ]
        "an unknown option", [ "--no-prob" ], [ "did you mean --no-probe?" ]
    ]

let names = TheoryData<string>([ for name, _, _ in wrong -> name ])

[<Theory; MemberData(nameof names)>]
let ``wrong input ends in one sentence and exit code 2`` (name: string) =
    let _, arguments, words = wrong |> List.find (fun (other, _, _) -> other = name)
    Fakes.refuses "blocking" arguments words

let private panel id (results: Results) =
    results.Panels |> List.find (fun panel -> panel.Id = id)

let private texts (panel: Panel) column =
    panel.Rows
    |> List.map (fun row -> (List.item column row).AsText |> Option.defaultValue "")

let private small out more =
    [ "lab"; "blocking"; "--scale"; "0.01"; "--sleep"; "20ms"; "--out"; out ] @ more

[<Fact>]
let ``a run of all modes, as published too, writes every file and shows every mode`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"
    let copy = folder.File "copy.json"

    let ended =
        ToolRun.run (small out [ "--as-published"; "--json"; copy; "--details" ])

    ToolRun.endsMeasured ended
    let results = Fakes.results out
    Assert.True results.Complete
    Assert.Empty results.Rows
    Assert.Equal(File.ReadAllText copy, File.ReadAllText(Path.Combine(out, "results.json")))
    let modes = panel "modes" results
    // The control, and the published ways.
    Assert.Equal(Mode.all.Length + 1 + 4, modes.Rows.Length)
    Assert.All(texts modes (modes.Columns.Length - 1), fun status -> Assert.Equal("ended", status))
    Assert.Equal(modes.Rows.Length, (panel "wall" results).Items.Length)
    // The published ones stand beside ours.
    Assert.Equal<float option list>(
        [ Some 0.558; Some 28.0 ],
        modes.Rows |> List.take 2 |> List.map (fun row -> row[2].AsNumber)
    )

    let effect = panel "as-published-effect" results
    Assert.Equal(4, effect.Rows.Length)
    Assert.All(effect.Rows, fun row -> Assert.True(row[4].AsNumber.Value > 0.0))

    for id in [ "pool-threads"; "threads"; "queue"; "jobs"; "probe"; "probe-percentiles" ] do
        Assert.Equal(Mode.all.Length, (panel id results).Series.Length)

    Assert.Equal(modes.Rows.Length + 1, (File.ReadAllLines(Path.Combine(out, "results.csv"))).Length)

    for word in [ "scaled: 10 jobs"; "20 ms" ] do
        Assert.Contains(results.Warnings, fun (warning: string) -> warning.Contains word)

    for line in [ "Async.Sleep"; "28.00"; "The modes"; "RunSynchronously" ] do
        Assert.Contains(line, ended.Out)

    let page = File.ReadAllText(Path.Combine(out, "page.html"))
    Assert.Equal(results, ResultsJson.read "page.html" (ReadBack.page page))

[<Fact>]
let ``a mode that does not end in time is in the table and the warnings`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"

    let ended =
        ToolRun.run
            [
                "lab"
                "blocking"
                "--scale"
                "0.05"
                "--sleep"
                "5s"
                "--limit"
                "1s"
                "--only"
                "thread-sleep"
                "--no-probe"
                "--out"
                out
            ]

    ToolRun.endsMeasured ended
    let results = Fakes.results out
    Assert.True results.Complete
    Assert.Contains("did not end within 1 s (0 of 50)", ended.Out)

    Assert.Contains(
        results.Warnings,
        fun (warning: string) -> warning.Contains "thread-sleep did not end within 1 s"
    )

    Assert.Contains(results.Warnings, fun (warning: string) -> warning.Contains "no A/A control")

    Assert.DoesNotContain(results.Panels, fun panel -> panel.Id.StartsWith "probe")

[<Fact>]
let ``the doctor finds the sleeping line of a starved pool, and a healthy pool`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"

    let ended =
        ToolRun.run
            [
                "lab"
                "blocking"
                "--doctor"
                "--details"
                "--warnings"
                "--scale"
                "0.1"
                "--limit"
                "15s"
                "--only"
                "thread-sleep,blocking-run-100"
                "--out"
                out
            ]

    ToolRun.endsMeasured ended
    let results = Fakes.results out
    let doctor = panel "doctor" results

    let column title =
        doctor.Columns |> List.findIndex (fun column -> column.Title = title)

    Assert.Equal<string list>([ "STARVED"; "HEALTHY" ], texts doctor (column "verdict"))

    match texts doctor (column "line") with
    | [ starved; other ] ->
        Assert.Matches(@"^Jobs\.\w+ \(BlockingModes\.fs:\d+\)$", starved)
        Assert.Equal("", other)
    | other -> Assert.Fail $"{other}"

    Assert.True(doctor.Rows.Head[column "workers"].AsNumber.Value >= 1.0)

    // As columns of the table that is results.csv, too.
    match File.ReadAllLines(Path.Combine(out, "results.csv")) |> List.ofArray with
    | head :: starved :: _ ->
        Assert.Contains(",doctor,line,", head)
        Assert.Contains(",STARVED,Jobs.", starved)
    | other -> Assert.Fail $"{other}"

    Assert.Contains("Diagnoses of the doctor", ended.Out)
    Assert.Contains("STARVED", ended.Out)

    Assert.Contains(
        results.Warnings,
        fun (warning: string) -> warning.Contains "the doctor looked at each run"
    )

[<Fact>]
let ``a stopped run keeps the modes that ended and the samples of the running one`` () =
    Assert.SkipUnless(System.OperatingSystem.IsLinux(), "signals are sent by kill")
    use folder = new Built.Folder()
    let out = folder.File "out"

    let running =
        ToolRun.start
            [
                "lab"
                "blocking"
                "--scale"
                "0.02"
                "--sleep"
                "1s"
                "--only"
                "async-sleep,thread-sleep"
                "--launches"
                "9"
                "--out"
                out
            ]

    running.Says "[1/"
    running.Interrupt()
    running.Wait() |> ToolRun.endsBadly 1 [ "stopped"; "results.json" ]
    let results = Fakes.results out
    Assert.False results.Complete
    let modes = panel "modes" results
    // Two modes, and the control.
    Assert.Equal(3, modes.Rows.Length)
    Assert.Contains(modes.Rows, fun row -> row[1].AsNumber.IsSome)
