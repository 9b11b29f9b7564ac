// Under test: the JSON of a diagnosis, judged by the schema that the docs publish.
module Plait.Doctor.Tests.Json

open System.Reflection
open System.Text.Json
open System.Text.Json.Nodes
open System.IO
open Xunit

open Plait.Common
open Plait.Tests.Support
open Plait.Doctor
open Plait.Doctor.Tests.MadeDiagnoses

let private deep = JsonDocumentOptions(MaxDepth = UnionJson.Depth)

let private node (text: string) =
    JsonNode.Parse(text, JsonNodeOptions(), deep) |> nonNull

let private schema =
    lazy
        (use reader =
            new StreamReader(
                Assembly.GetExecutingAssembly().GetManifestResourceStream "doctor.schema.json" |> nonNull
            )

         reader.ReadToEnd())

/// Where a text is not what the published schema says.
let problems (text: string) =
    SchemaCheck.validate schema.Value (node text)

let private read (text: string) =
    JsonSerializer.Deserialize<LookJson>(text, UnionJson.options [] true false) |> nonNull

[<Fact>]
let ``the JSON is indented, ends with a line feed, and has its version first`` () =
    let text = DiagnosisJson.write starved
    Assert.StartsWith("{\n  \"schema\": \"plait-doctor/1\",\n", text)
    Assert.EndsWith("}\n", text)

[<Fact>]
let ``every diagnosis is valid by the published schema`` () =
    for diagnosis in [ starved; healthy; byPtrace; hung; computing; failed; recursive ] do
        Assert.Equal<string list>([], problems (DiagnosisJson.write diagnosis))

[<Fact>]
let ``the published schema has a word for every verdict, kind and route`` () =
    let verdicts =
        [
            Verdict.Healthy
            Verdict.Starved
            Verdict.CpuBound
            Verdict.Late
            Verdict.LockConvoy
            Verdict.Hung
            Verdict.Failed
            Verdict.NoAnswer
        ]

    for verdict in verdicts do
        Assert.Equal<string list>([], problems (DiagnosisJson.write { starved with Verdict = verdict }))

    for word in Word.all<BlockKind>() do
        let kind = Word.tryFind<BlockKind> word |> Option.get

        Assert.Equal<string list>(
            [],
            problems (DiagnosisJson.write { starved with BlockingLines = [ { sleeping with Kind = kind } ] })
        )

    for route in [ Route.EventPipe; Route.Ptrace; Route.SavedTrace ] do
        let evidence = { starved.Evidence with Route = route }
        Assert.Equal<string list>([], problems (DiagnosisJson.write { starved with Evidence = evidence }))

[<Fact>]
let ``the published schema refuses wrong files`` () =
    let json = node (DiagnosisJson.write starved)
    json["verdict"] <- JsonValue.Create "ill"
    json["more"] <- JsonValue.Create 1
    json.AsObject().Remove "why" |> ignore
    Assert.Equal(3, (SchemaCheck.validate schema.Value json).Length)

[<Fact>]
let ``the JSON reads back with all findings`` () =
    let json = read (DiagnosisJson.write starved)
    Assert.Equal("starved", json.Verdict)
    Assert.Equal(starved.Why, json.Why)
    Assert.Equal(starved.Evidence.Process, json.Process)
    Assert.Equal(starved.Numbers, json.Numbers)
    Assert.Equal<PoolReading list>(starved.Evidence.Readings, json.Readings)
    Assert.Equal<Adjustment list>(starved.Evidence.Adjustments, json.Adjustments)
    Assert.Equal("2026-11-23T08:40:00Z", json.At)
    let first = List.head json.Blames
    Assert.Equal(BlockKind.Sleep, first.Kind)
    Assert.Equal(Some(below "src/Orders.fs"), first.File)
    Assert.Equal(Some 10, first.Line)
    Assert.Equal(3, first.Stack.Length)
    Assert.Equal(sleeping.Remedy, first.Remedy)
    Assert.Equal(Some "PLT201", first.Rule)
    Assert.Equal(Some BlockKind.Sleep, json.Folded.Head.Children.Head.Kind)

[<Fact>]
let ``the JSON has no samples of single threads`` () =
    Assert.DoesNotContain("System.Private.CoreLib", DiagnosisJson.write starved)

[<Fact>]
let ``unknown values are left out of the JSON`` () =
    let numbers = (node (DiagnosisJson.write byPtrace)).["numbers"] |> nonNull
    Assert.Null(numbers["queue"])
    Assert.Equal(17, (nonNull numbers["workers"]).GetValue<int>())

[<Fact>]
let ``the JSON leaves out NaN, and a reading that has one`` () =
    let broken =
        { starved with
            Numbers = { starved.Numbers with WaitSeconds = Some infinity; CpuPercent = Some nan }
            Evidence =
                { starved.Evidence with
                    Readings =
                        [
                            { starved.Evidence.Readings.Head with CompletedPerSecond = Some nan }
                            starved.Evidence.Readings.Head
                        ]
                }
        }

    let json = read (DiagnosisJson.write broken)
    Assert.Equal(None, json.Numbers.WaitSeconds)
    Assert.Equal(None, json.Numbers.CpuPercent)
    Assert.Equal(1, json.Readings.Length)

[<Fact>]
let ``folded stacks are cut where readers of JSON would refuse them`` () =
    let rec depth (nodes: FoldedJson list) =
        match nodes with
        | [] -> 0
        | nodes -> 1 + (nodes |> List.map (fun node -> depth node.Children) |> List.max)

    Assert.Equal(200, depth (read (DiagnosisJson.write recursive)).Folded)
