// A user's scenario as a file: read exactly, refused with a path, and the same by the published schema.
module Plait.Lab.Tests.ScenarioFiles

open System
open System.IO
open System.Text.Json
open System.Text.Json.Nodes
open Xunit

open Plait.Common
open Plait.Report

open Plait.Load
open Plait.Lab
open Plait.Tests.Support

let private folder = Path.Combine(Built.root, "samples", "lab")

/// A scenario with everything in it.
let full =
    """{
  "schema": "plait-scenario/1", "name": "cards", "title": "Cards", "base": "old",
  "services": [
    { "name": "upstream", "command": "node", "args": ["up.mjs", "{port}"], "ready": { "url": "http://127.0.0.1:{port}/" } }
  ],
  "candidates": [
    { "name": "old", "command": "dotnet", "args": ["old.dll", "--port", "{port}"],
      "env": { "UPSTREAM": "http://127.0.0.1:{port:upstream}/cards" }, "ready": { "line": "listening" } },
    { "name": "new", "label": "the new one", "family": "plait", "protocol": "worker", "command": "dotnet", "args": ["new.dll"] }
  ],
  "factors": [
    { "name": "pgo", "values": [ { "name": "pgo" }, { "name": "no-pgo", "env": { "DOTNET_TieredPGO": "0" } } ] },
    { "name": "gc", "values": [ { "name": "ws" }, { "name": "server", "args": ["--server-gc"] } ] }
  ],
  "requests": [ { "method": "POST", "path": "/cards", "headers": { "Accept": "text/plain" }, "body": "a \"b\"" } ],
  "load": { "model": "poisson 500", "connections": 20, "timeoutSeconds": 2 },
  "checks": { "status": [200, 201], "body": "fine" },
  "metrics": ["latency"],
  "statistics": { "seed": 7, "pairs": 4, "sliceSeconds": 0.5, "width": 0.1, "budgetSeconds": 60, "margin": 0.05 }
}"""

let private read = UserScenarioReader.read (Path.Combine(folder, "x.json"))

[<Fact>]
let ``a scenario file is read field by field`` () =
    let file = read full
    Assert.Equal(("cards", "Cards", "old"), (file.Name, file.Title, file.Base))
    Assert.Equal(Open(Poisson 500.0, 20), file.Model)
    Assert.Equal((2.0, [ ScenarioMetric.Latency ]), (file.TimeoutSeconds, file.Metrics))
    Assert.Equal({ Status = [ 200; 201 ]; Body = Some "fine"; SameBody = true }, file.Checks)

    Assert.Equal(
        {
            Method = "POST"
            Path = "/cards"
            Headers = [ "Accept", "text/plain" ]
            Body = "a \"b\""
        },
        List.exactlyOne file.Requests
    )

    let old, fresh = file.Candidates[0], file.Candidates[1]

    Assert.Equal(
        ("old", Family.Base, Http, Line "listening"),
        (old.Label, old.Family, old.Protocol, old.Ready)
    )

    Assert.Equal(("the new one", Family.Plait, Worker), (fresh.Label, fresh.Family, fresh.Protocol))
    Assert.Equal((folder, OnServerCore), (old.Folder, old.Core))
    Assert.Equal(OnClientCore, file.Services.Head.Core)
    let settings = file.Settings

    Assert.Equal(
        (7, 4, 500, Some 0.1, 0.05),
        (settings.Seed, settings.Pairs, settings.SliceMilliseconds, settings.Width, settings.Margin)
    )

    Assert.Equal(
        (StopRule.leastLaunches, Some 60.0, false),
        (settings.Launches, settings.BudgetSeconds, settings.InProcess)
    )

/// The same, loaded otherwise.
let loaded (model: string) =
    read (full.Replace("poisson 500", model))

[<Fact>]
let ``a load has every shape of arrivals, in the words of a load run's file`` () =
    let tenSeconds = TimeSpan.FromSeconds 10.

    for model in
        [
            Closed 20
            Open(Constant 0.5, 20)
            Open(Ramp(0.0, 900.0), 20)
            Open(Steps([ 100.0; 250.0 ], tenSeconds), 20)
        ] do
        Assert.Equal(model, (loaded (Arrivals.text model)).Model)

    for model, connections in [ "closed", 32; "constant 5", 64 ] do
        let file = full.Replace("\"poisson 500\", \"connections\": 20", $"\"{model}\"")
        Assert.Equal(Arrivals.parse connections model, Some (read file).Model)

[<Fact>]
let ``rows are candidates with every combination of factors, and the base once more`` () =
    Assert.Equal<string list>(
        [
            "old"
            "old-again"
            "old+server"
            "old+no-pgo"
            "old+no-pgo+server"
            "new"
            "new+server"
            "new+no-pgo"
            "new+no-pgo+server"
        ],
        UserScenarioRows.rows (read full)
    )

[<Fact>]
let ``placeholders are replaced by ports`` () =
    Assert.Equal(
        "--port 7 http://127.0.0.1:8/ {else}",
        ScenarioFile.fill 7 (Map [ "up", 8 ]) "--port {port} http://127.0.0.1:{port:up}/ {else}"
    )

/// A text of the whole, what stands there instead, and the sentence about it.
let private wrong =
    [
        "\"plait-scenario/1\"",
        "\"plait-scenario/9\"",
        "schema: expected one of \"plait-scenario/1\", found the text"
        "\"base\": \"old\"",
        "\"base\": \"older\"",
        "base: expected the name of a candidate (old, new), found 'older'"
        "\"name\": \"cards\"",
        "\"name\": \"my cards\"",
        "name: expected a name of letters, digits, - and _, found the text"
        "\"command\": \"node\"",
        "\"command\": 5",
        "services[0].command: expected a text that is not empty, found the number 5"
        "\"command\": \"node\", ",
        "",
        "services[0].command: expected the program to start, found nothing; the key is missing"
        "\"command\": \"node\"",
        "\"comand\": \"node\"",
        "services[0].comand: this key is not known; did you mean command?"
        "[\"old.dll\", \"--port\"",
        "[\"old.dll\", 5",
        "candidates[0].args[1]: expected a text, found the number 5"
        "{port:upstream}",
        "{port:elsewhere}",
        "'old' has {port:elsewhere}, and there is no service of that name; services: upstream"
        "\"worker\"",
        "\"grpc\"",
        "candidates[1].protocol: expected one of \"http\", \"worker\", found the text \"grpc\""
        "\"args\": [\"new.dll\"]",
        "\"ready\": {\"line\": \"x\"}",
        "candidates[1].ready: a worker reports by itself that it is ready"
        "{ \"line\": \"listening\" }",
        "{}",
        "candidates[0].ready: expected an object with either \"line\" or \"url\", found an object"
        "\"name\": \"new\"", "\"name\": \"old\"", "the name 'old' comes twice"
        "\"path\": \"/cards\"",
        "\"path\": \"cards\"",
        "requests[0].path: expected a path that begins with /, found the text \"cards\""
        "\"poisson 500\"",
        "\"open\", \"rate\": 500",
        "load.rate: this key is not known; known are model, connections, timeoutSeconds"
        "poisson 500",
        "open",
        "load.model: expected closed, constant R, poisson R, ramp A:B or steps A,B,CxTIME, with rates a second, found the text \"open\""
        "poisson 500", "poisson 0", "load.model: the rate is 0 requests/s; it must be more than 0"
        "poisson 500", "ramp 1:20000000", "load.model: the rate is 20000000 requests/s"
        "poisson 500", "steps 5,6x10", "load.model: 'steps 5,6x10' has no time with a unit"
        "poisson 500", "steps 5,6x1us", "load.model: each step holds for 1µs; it must hold for 1ms at least"
        "[200, 201]",
        "[200, 2010]",
        "checks.status[1]: expected a whole number from 100 to 599, found the number 2010"
        "[\"latency\"]",
        "[\"latencies\"]",
        "metrics[0]: expected one of \"bytes\", \"counters\", \"latency\", found the text"
        "\"pairs\": 4",
        "\"pairs\": 4.5",
        "statistics.pairs: expected a whole number from 1 to 1000, found the number 4.5"
        "\"width\": 0.1", "\"width\": true", "statistics.width: expected a number from 0.005 to 1, found true"
        "\"name\": \"ws\" }, ",
        "\"name\": \"ws\" } ] }, { \"name\": \"more\", \"values\": [ ",
        "factors[1].values: expected a list of two values or more, found a list of 1"
        "\"args\": [\"up.mjs\", \"{port}\"]",
        "\"workingDirectory\": \"no-such-folder\"",
        "services[0].workingDirectory: expected a folder, and there is no "
    ]

[<Fact>]
let ``a wrong value is refused with its path, the expected kind and the one found`` () =
    for part, instead, sentence in wrong do
        Assert.Contains(part, full)

        let trouble =
            Assert.Throws<BadInput>(Action(fun () -> read (full.Replace(part, instead)) |> ignore))

        Assert.Contains("x.json: " + sentence, trouble.Message)

let private schema =
    lazy File.ReadAllText(Path.Combine(Built.root, "docs", "scenario.schema.json"))

let private parsed (text: string) =
    JsonNode.Parse(text, documentOptions = JsonDocumentOptions(CommentHandling = JsonCommentHandling.Skip))

[<Fact>]
let ``the published schema allows every file that the reader accepts`` () =
    Assert.Empty(SchemaCheck.validate schema.Value (parsed full))

    for file in Directory.GetFiles(folder, "*.json") do
        let text = File.ReadAllText file
        Assert.Empty(SchemaCheck.validate schema.Value (parsed text))
        Assert.NotEmpty(UserScenarioRows.rows (UserScenarioReader.read file text))

[<Fact>]
let ``the published schema refuses a wrong key, kind or word`` () =
    for part, instead in
        [
            "\"plait-scenario/1\"", "\"plait-scenario/9\""
            "\"command\": \"node\"", "\"command\": 5"
            "\"command\": \"node\"", "\"comand\": \"node\""
            "\"worker\"", "\"grpc\""
            "\"path\": \"/cards\"", "\"path\": \"cards\""
            "[\"latency\"]", "[\"latencies\"]"
            "\"pairs\": 4", "\"pairs\": 0"
            "[200, 201]", "[200, 2010]"
        ] do
        Assert.NotEmpty(SchemaCheck.validate schema.Value (parsed (full.Replace(part, instead))))

[<Fact>]
let ``numbers in the schema and in the settings have the same limits`` () =
    let ranges = Settings.ranges
    let whole (least: int, most: int) = float least, float most

    for key, (least, most) in
        [
            "seed", whole ranges.Seed
            "launches", whole ranges.Launches
            "pairs", whole ranges.Pairs
            "width", ranges.Width
            "margin", ranges.Margin
        ] do
        let described =
            [ "properties"; "statistics"; "properties"; key ]
            |> List.fold (fun (node: JsonNode) name -> nonNull node[name]) (nonNull (parsed schema.Value))

        Assert.Equal(
            (least, most),
            ((nonNull described["minimum"]).GetValue<float>(),
             (nonNull described["maximum"]).GetValue<float>())
        )
