// Runs of a user's own scenario: the sample that is published, and programs that go wrong in every way.
module Plait.Lab.Tests.UserScenarioRuns

open System
open System.IO
open System.Text.Json
open Xunit

open Plait.Report
open Plait.Tests.Support

let private results (folder: string) =
    let file = Path.Combine(folder, "results.json")
    ResultsJson.read file (File.ReadAllText file)

[<Fact>]
let ``the sample scenario measures workers and another server, with bytes, latency, threads and queue`` () =
    use folder = new Built.Folder()
    let out = folder.File "out"
    let samples = Path.Combine(Built.root, "samples", "lab")
    let sample = folder.File "fizzbuzz.json"

    // As it is published, from another folder, and with shorter slices.
    let text =
        [
            "../../artifacts", Path.Combine(Built.root, "artifacts")
            "\"fizzbuzz.mjs\"", JsonSerializer.Serialize(Path.Combine(samples, "fizzbuzz.mjs"))
            "\"sliceSeconds\": 1,",
            "\"sliceSeconds\": 0.2, \"warmUpLeastSeconds\": 0.1, \"warmUpMostSeconds\": 0.2,"
        ]
        |> List.fold
            (fun (text: string) (from, into) ->
                Assert.Contains(from, text)
                text.Replace(from, into))
            (File.ReadAllText(Path.Combine(samples, "fizzbuzz.json")))

    File.WriteAllText(sample, text)
    let ended = ToolRun.run [ "lab"; "run"; sample; "--quick"; "--out"; out ]

    let results = results out
    Assert.True((List.contains ended.Code [ 0; 3 ] || ended.Err.Contains "holds no page"), ended.Err)
    Assert.True results.Complete
    Assert.Equal(("own-fizzbuzz", "sync"), (results.Scenario, results.Base))
    Assert.Equal<string list>([ "sync"; "sync-again"; "strand"; "node" ], results.Rows |> List.map _.Id)

    for row in results.Rows do
        Assert.Equal((Status.Measured, None, Some true), (row.Status, row.Reason, row.Correct))
        Assert.True(Option.get (row.Value Figures.httpRequests) > 0.0)
        Assert.True(Option.get (row.Value Figures.httpCpuMicroseconds) > 0.0)
        // A program without .NET does not tell its bytes.
        Assert.Equal(row.Id <> "node", (row.Find Figures.httpBytesPerRequest).IsSome)

    Assert.Equal<string list>(
        [ "percentiles"; "percentile-table"; "counters-threads"; "counters-completed"; "counters-memory" ],
        results.Panels |> List.map _.Id
    )

    let threads =
        results.Panels |> List.find (fun panel -> panel.Id = "counters-threads")

    Assert.Contains("strand: queue", threads.Series |> List.map _.Label)
    Assert.Contains(results.Warnings, Predicate(fun (warning: string) -> warning.Contains "counters of node"))

let private troubles =
    let fake = [ Built.fakeWorker (); "--as" ]

    [
        "wrong",
        "worker",
        "dotnet",
        fake @ [ "wrong"; "--mode"; "wrong-http-body" ],
        [ "does not answer as the base does"; "at character" ]
        "absent", "http", "./no-such-program", [], [ "absent cannot be started"; "no-such-program" ]
        "ends",
        "http",
        "node",
        [ "-e"; "console.error('it fell'); process.exit(3)" ],
        [ "ended while starting (exit code 3)"; "it fell" ]
        "silent", "http", "sleep", [ "600" ], [ "was not ready within 30000 ms"; "nothing listens on port" ]
    ]

[<Fact; Trait("run", "more")>]
let ``a failing program has its reason, and the others are measured`` () =
    use folder = new Built.Folder()
    let file, out = folder.File "own.json", folder.File "out"

    let candidate (name: string, protocol: string, command: string, args: string list, _: string list) =
        {| name = name; protocol = protocol; command = command; args = args |}

    let text =
        JsonSerializer.Serialize
            {|
                schema = "plait-scenario/1"
                name = "own"
                ``base`` = "plain"
                candidates =
                    candidate ("plain", "worker", "dotnet", [ Built.fakeWorker (); "--as"; "plain" ], [])
                    :: (troubles |> List.map candidate)
                requests = [ {| path = "/fizzbuzz" |} ]
                load = {| model = "closed"; connections = 2; timeoutSeconds = 60 |}
                statistics =
                    {|
                        launches = 1
                        pairs = 2
                        sliceSeconds = 0.1
                        warmUpLeastSeconds = 0.05
                        warmUpMostSeconds = 0.2
                        patienceSeconds = 30
                    |}
            |}

    File.WriteAllText(file, text)
    let ended = ToolRun.run [ "lab"; "run"; file; "--out"; out ]
    Assert.Equal(1, ended.Code)
    let results = results out
    Assert.True results.Complete

    let row id =
        results.Rows |> List.find (fun row -> row.Id = id)

    for id in [ "plain"; "plain-again" ] do
        Assert.Equal((Status.Measured, Some true), ((row id).Status, (row id).Correct))

    for id, _, _, _, words in troubles do
        Assert.Equal(Status.Failed, (row id).Status)

        for word in words do
            Assert.Contains(word, Option.defaultValue "" (row id).Reason)

[<Fact; Trait("run", "more")>]
let ``slices of steps last as long as the steps, not as long as the file's slices`` () =
    use folder = new Built.Folder()
    let file, out = folder.File "steps.json", folder.File "out"

    let text =
        JsonSerializer.Serialize
            {|
                schema = "plait-scenario/1"
                name = "steps"
                ``base`` = "plain"
                candidates = [ Built.plainCandidate () ]
                requests = [ {| path = "/fizzbuzz" |} ]
                load = {| model = "steps 100,300x200ms"; timeoutSeconds = 60 |}
                statistics =
                    {|
                        sliceSeconds = 2
                        warmUpLeastSeconds = 0.05
                        warmUpMostSeconds = 0.2
                        patienceSeconds = 60
                    |}
            |}

    File.WriteAllText(file, text)
    let ended = ToolRun.run [ "lab"; "run"; file; "--quick"; "--out"; out ]
    Assert.True(List.contains ended.Code [ 0; 3 ], ended.Err)
    let results = results out
    Assert.Equal(400, results.Settings.SliceMilliseconds)

    for row in results.Rows do
        Assert.Equal((Status.Measured, None), (row.Status, row.Reason))

    // Each pair has a slice of 80 requests.
    for row in results.Rows do
        let requests = Option.get (row.Value Figures.httpRequests)
        Assert.True(requests > 0.0 && requests % 80.0 = 0.0, string requests)

[<Fact>]
let ``a file that is wrong ends with 2 before anything runs`` () =
    use folder = new Built.Folder()
    let file = folder.File "own.json"
    File.WriteAllText(file, ScenarioFiles.full.Replace("poisson 500", "fast"))

    ToolRun.run [ "lab"; "run"; file ]
    |> ToolRun.endsBadly 2 [ "own.json: load.model: expected closed, constant R"; "found the text \"fast\"" ]

    File.WriteAllText(file, ScenarioFiles.full)
    let shown = ToolRun.run [ "lab"; "run"; file; "--check" ]
    Assert.Equal((0, ""), (shown.Code, shown.Err))
    Assert.Contains("old-again (A/A control)", shown.Out)
