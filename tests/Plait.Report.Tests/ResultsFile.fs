// results.json: what is written reads back equal, has the names that docs/results.md gives, and is refused when it is
// something else.
module Plait.Report.Tests.ResultsFile

open System
open System.Text.Json
open System.Text.Json.Nodes
open Xunit

open Plait.Common
open Plait.Report
open Plait.Tests.Support

[<Fact>]
let ``results read back equal`` () =
    Laws.forEach 150 RandomResults.results (fun results ->
        ResultsJson.read "results.json" (ResultsJson.write results) = results)

[<Fact>]
let ``results for a page read back equal`` () =
    Laws.forEach 100 RandomResults.results (fun results ->
        ResultsJson.read "results.json" (ResultsJson.writeForScript results) = results)

[<Fact>]
let ``absent values have no key`` () =
    let row =
        { List.head RandomResults.sample.Rows with
            Figures = Map [ "cpuRatio", Measured.Plain 1.5 ]
            Reason = None
            Correct = None
        }

    use document =
        JsonDocument.Parse(ResultsJson.write { RandomResults.sample with Rows = [ row ] })

    let written = document.RootElement.GetProperty("rows")[0]
    Assert.Equal("""{"cpuRatio":{"value":1.5}}""", JsonSerializer.Serialize(written.GetProperty "figures"))

    for name in [ "reason"; "correct" ] do
        Assert.False(fst (written.TryGetProperty name), name)

/// Names below these are data.
let private names =
    DescribedJson.properties [ "/packages"; "/variables"; "/droppedPairs"; "/rows/figures"; "/rows/factors" ]

[<Fact>]
let ``results have exactly the properties of the docs`` () =
    let written =
        [ for size in 1..40 -> size ] |> List.map (fun _ -> RandomResults.sample) |> List.head

    let all =
        FsCheck.FSharp.Gen.sampleWithSeed (FsCheck.Rnd(1UL, 1UL)) 30 40 RandomResults.results
        |> Array.append [| written |]
        |> Array.map (fun results -> JsonNode.Parse(ResultsJson.write results) |> names)
        |> Set.unionMany

    Assert.Equal<Set<string>>(names (DescribedJson.sample "results.md"), all)

[<Fact>]
let ``a union is a text, one with fields has a kind, and a cell is its value`` () =
    let panel =
        Panel.table
            "t"
            "T"
            ""
            [ Column.words "a" ]
            [ [ Cell.Text "x" ]; [ Cell.Number 1.5 ]; [ Cell.Interval(1.0, 0.5, 2.0) ]; [ Cell.Nothing ] ]

    let row =
        { List.head RandomResults.sample.Rows with
            Status = Status.NotAvailable
            Family = Family.CSharp
        }

    let results = { RandomResults.sample with Rows = [ row ]; Panels = [ panel ] }
    let written = nonNull (JsonNode.Parse(ResultsJson.writeForScript results))

    let at (path: obj list) =
        (written, path)
        ||> List.fold (fun node step ->
            match step with
            | :? int as index -> nonNull node[index]
            | name -> nonNull node[string name])
        |> _.ToJsonString()

    Assert.Equal("\"not available\"", at [ "rows"; 0; "status" ])
    Assert.Equal("\"csharp\"", at [ "rows"; 0; "family" ])
    Assert.Equal("\"table\"", at [ "panels"; 0; "plot"; "kind" ])

    Assert.Equal(
        """[["x"],[1.5],[{"value":1,"low":0.5,"high":2}],[null]]""",
        at [ "panels"; 0; "plot"; "rows" ]
    )

/// What is changed in a file, and the sentence about it.
let private spoiled =
    [
        "\"complete\": ", "\"complete\": 1", ""
        "\"status\": \"", "\"status\": \"x", "rows[0].status: 'x"
        "\"kind\": \"table\"", "\"kind\": \"tables\"", "panels[0].plot.kind: 'tables' is none of \"lines\""
        "\"columns\":", "\"colums\":", "panels[0].plot.colums: this key is not known"
        "\"better\": \"lower\"", "\"better\": \"less\"", "panels[0].plot.columns[0].better: 'less' is none of"
        "\"seed\":", "\"sed\":", "sed"
        "\"margin\": 0.25,", "", "the key 'margin' is missing"
        "\"margin\": 0.25", "\"margin\": \"much\"", "margin: a value of another kind belongs there"
    ]

[<Fact>]
let ``a file with an unknown or a missing key or word is refused with the path`` () =
    let panel = Panel.table "t" "T" "" [ Column.lessIsBetter "a" 1 ] []

    let text =
        ResultsJson.write
            { RandomResults.sample with
                Margin = 0.25
                Panels = [ panel ]
                Rows = List.truncate 1 RandomResults.sample.Rows
            }

    for before, after, sentence in spoiled do
        let trouble =
            Assert.Throws<BadInput>(
                Action(fun () ->
                    let at = text.LastIndexOf(before, StringComparison.Ordinal)
                    Assert.True(at >= 0, before)

                    text.Remove(at, before.Length).Insert(at, after)
                    |> ResultsJson.read "x/results.json"
                    |> ignore)
            )

        Assert.StartsWith("x/results.json", trouble.Message)
        Assert.Contains(sentence, trouble.Message)

[<Fact>]
let ``a file of an older schema is refused with its version and a remedy`` () =
    for version in [ 1; 2; 3 ] do
        Refused.says
            $"old.json has the schema 'plait-results/{version}'"
            [ "run the scenario again" ]
            (fun () -> ResultsJson.read "old.json" $"""{{"schema":"plait-results/{version}","rows":[]}}""")

/// What is no results.json, and a word of the sentence about it.
let private wrong =
    [
        "", "is not a results.json"
        "null", "no 'schema'"
        "[]", "is not a results.json"
        "{}", "is not a results.json"
        "{\"schema\":\"plait-results/5\"}", "is missing"
        ResultsJson.write { RandomResults.sample with Schema = "plait-results/9" }, "plait-results/9"
        (ResultsJson.write RandomResults.sample).Replace("\"complete\": ", "\"complete\": 1"),
        "is not a results.json"
    ]

[<Fact>]
let ``a file that is not results.json is refused with its name and a reason`` () =
    for content, word in wrong do
        Refused.says "x/results.json" [ word ] (fun () -> ResultsJson.read "x/results.json" content)
