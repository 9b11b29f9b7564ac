// results.json: what is written reads back equal, has the names that docs/results.md gives, and is refused when it is
// something else.
module Plait.Lab.Tests.ResultsFile

open System
open System.Text.Json
open System.Text.Json.Nodes
open Xunit

open Plait.Report


[<Fact>]
let ``results read back as they were written`` () =
    Laws.forEach 150 RandomResults.results (fun results ->
        ResultsJson.read "results.json" (ResultsJson.write results) = results)

[<Fact>]
let ``results for a page read back as they were written`` () =
    Laws.forEach 100 RandomResults.results (fun results ->
        ResultsJson.read "results.json" (ResultsJson.writeForScript results) = results)

[<Fact>]
let ``an absent figure is null and never left out`` () =
    let row =
        { List.head RandomResults.sample.Rows with
            CpuMicroseconds = None
            CpuRatio = None
            NanosecondsPerWrapper = None
            Verdict = None
            Http = None
            BytesPerOperation = None
            Reason = None
            Correct = None
        }

    use document =
        JsonDocument.Parse(ResultsJson.write { RandomResults.sample with Rows = [ row ] })

    let written = document.RootElement.GetProperty("rows")[0]

    for name in
        [
            "cpuMicroseconds"
            "cpuRatio"
            "nanosecondsPerWrapper"
            "verdict"
            "http"
            "bytesPerOperation"
            "reason"
            "correct"
        ] do
        Assert.Equal(JsonValueKind.Null, written.GetProperty(name).ValueKind)

/// Names below these are data.
let private names =
    DescribedJson.properties [ "/packages"; "/variables"; "/droppedPairs" ]

[<Fact>]
let ``results have the properties that the docs describe and no others`` () =
    let written =
        [ for size in 1..40 -> size ] |> List.map (fun _ -> RandomResults.sample) |> List.head

    let all =
        FsCheck.FSharp.Gen.sampleWithSeed (FsCheck.Rnd(1UL, 1UL)) 30 40 RandomResults.results
        |> Array.append [| written |]
        |> Array.map (fun results -> JsonNode.Parse(ResultsJson.write results) |> names)
        |> Set.unionMany

    Assert.Equal<Set<string>>(names (DescribedJson.sample "results.md"), all)

[<Fact>]
let ``a file of the first schema is read, without panels`` () =
    let now = { RandomResults.sample with Panels = []; Stopping = None }

    match JsonNode.Parse(ResultsJson.write now) with
    | :? JsonObject as old ->
        old["schema"] <- JsonValue.Create "plait-results/1"
        old.Remove "panels" |> ignore
        old.Remove "stopping" |> ignore
        Assert.Equal(now, ResultsJson.read "old.json" (old.ToJsonString()))
    | _ -> Assert.Fail "results are written as an object"

[<Fact>]
let ``the heading of a page has a sentence and its figures with titles and words`` () =
    let panel =
        Panel.facts "1,000 requests a second were kept up." [ "p99", "12.3 ms", "from the intended start" ]

    Assert.Equal("facts", panel.Kind)
    Assert.Equal("1,000 requests a second were kept up.", panel.Note)

    Assert.Equal<Cell list list>(
        [ [ Panel.text "p99"; Panel.text "12.3 ms"; Panel.text "from the intended start" ] ],
        panel.Rows
    )

/// What is no results.json, and a word of the sentence about it.
let private wrong =
    [
        "", "is not a results.json"
        "null", "null"
        "[]", "is not a results.json"
        "{}", "is not a results.json"
        "{\"schema\":\"plait-results/2\"}", "is not a results.json"
        ResultsJson.write { RandomResults.sample with Schema = "plait-results/9" }, "plait-results/9"
        (ResultsJson.write RandomResults.sample).Replace("\"complete\": ", "\"complete\": 1"),
        "is not a results.json"
    ]

[<Fact>]
let ``what is no results file is refused with its name and a reason`` () =
    for content, word in wrong do
        let trouble =
            Assert.Throws<BadInput>(Action(fun () -> ResultsJson.read "x/results.json" content |> ignore))

        Assert.StartsWith("x/results.json", trouble.Message)
        Assert.Contains(word, trouble.Message)
