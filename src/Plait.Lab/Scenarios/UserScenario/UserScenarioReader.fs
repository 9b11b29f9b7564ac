// Reads the file of a user's own scenario. docs/scenario.schema.json has its keys and their defaults; here are the
// rules that a schema cannot express. It starts nothing, and refuses an error with its path in the file.
module Plait.Lab.UserScenarioReader

open System
open System.IO
open System.Text.Json
open System.Text.Json.Serialization

open Plait.Common
open Plait.Report
open Plait.Load

/// When a program serves: one of the two.
type ReadyText = { Line: string option; Url: string option }

/// A program. Services have no family and no protocol.
type ProgramText =
    {
        Name: string
        Label: string option
        Family: Family option
        Protocol: Protocol option
        Command: string
        Args: string list
        Env: (string * string) list
        WorkingDirectory: string option
        Ready: ReadyText option
        Core: ProgramCore
    }

/// The load; its model is a text of Arrivals.parse.
type LoadText = { Model: string; Connections: int option; TimeoutSeconds: float }

/// How it is measured; missing keys have the defaults of every comparison.
type StatisticsText =
    {
        Seed: int option
        Launches: int option
        Pairs: int
        SliceSeconds: float
        Width: float option
        BudgetSeconds: float option
        Margin: float option
        WarmUpLeastSeconds: float option
        WarmUpMostSeconds: float option
        PatienceSeconds: float option
    }

/// The file.
type ScenarioText =
    {
        Schema: string
        Name: string
        Title: string option
        Base: string
        Services: ProgramText list
        Candidates: ProgramText list
        Factors: Factor list
        Requests: ScenarioRequest list
        Load: LoadText
        Checks: Checks
        Require: string list
        Metrics: ScenarioMetric list
        Statistics: StatisticsText
    }

// Variables and headers are an object, and keep their order.
type private PairsConverter() =
    inherit JsonConverter<(string * string) list>()

    override _.Read(reader, _, _) =
        let element = JsonElement.ParseValue &reader
        [ for entry in element.EnumerateObject() -> entry.Name, string (entry.Value.GetString()) ]

    override _.Write(_, _, _) = raise (NotSupportedException())

let private options = UnionJson.options [ PairsConverter() ] false false

let private schema =
    lazy
        (use stream =
            typeof<ScenarioText>.Assembly.GetManifestResourceStream "scenario.schema.json" |> nonNull

         (new StreamReader(stream)).ReadToEnd())

/// Refuses keys that have no meaning beside another key.
let private without (keys: string list) (why: string) (node: JsonEntry) =
    for key in keys do
        TypedJson.find key node |> Option.iter (fun value -> TypedJson.refuse value why)

let private program (folder: string) (node: JsonEntry) (said: ProgramText) : ScenarioProgram =
    let place =
        Path.GetFullPath(Path.Combine(folder, Option.defaultValue "." said.WorkingDirectory))

    if not (Directory.Exists place) then
        node |> without [ "workingDirectory" ] $"expected a folder, and there is no {place}"

    if said.Protocol = Some Worker then
        node
        |> without
            [ "workingDirectory"; "ready" ]
            "a worker reports by itself that it is ready, and has no folder; leave the key out"

    {
        Name = said.Name
        Label = Option.defaultValue said.Name said.Label
        Family = Option.defaultValue Family.FSharp said.Family
        Protocol = Option.defaultValue Http said.Protocol
        Command = said.Command
        Arguments = said.Args
        Variables = said.Env
        Folder = place
        Ready =
            match said.Ready with
            | Some { Line = Some line } -> Line line
            | Some { Url = Some url } -> Answer url
            | _ -> Listens
        Core = said.Core
    }

let private model (node: JsonEntry) (said: LoadText) : Model =
    let place = TypedJson.required "model" "" node

    let model =
        match Arrivals.parse (Option.defaultValue 64 said.Connections) said.Model with
        | Some(Closed _) -> Closed(Option.defaultValue 32 said.Connections)
        | Some opened -> opened
        | None ->
            TypedJson.refuse place $"'{said.Model}' has no time with a unit; write steps 100,200,400x10s"

    try
        Arrivals.check (Arrivals.span model |> Option.defaultValue TimeSpan.Zero) model
    with :? BadInput as trouble ->
        TypedJson.refuse place trouble.Message

    model

let private rules (node: JsonEntry) (said: string list) : Rule list =
    match TypedJson.find "require" node with
    | None -> []
    | Some list ->
        (TypedJson.items "rules" list, said)
        ||> List.map2 (fun place text ->
            try
                Rule.parse text
            with :? BadInput as trouble ->
                TypedJson.refuse place trouble.Message)

let private settings (connections: int) (said: StatisticsText) : Settings =
    let usual =
        { Settings.full with
            Launches = 3
            Width = None
            InProcess = false
            Connections = connections
        }

    let milliseconds (usual: int) (seconds: float option) =
        seconds |> Option.map (fun seconds -> int (1000.0 * seconds)) |> Option.defaultValue usual

    { StopRule.ask said.Width said.Launches usual with
        Seed = Option.defaultValue usual.Seed said.Seed
        Pairs = said.Pairs
        SliceMilliseconds = int (1000.0 * said.SliceSeconds)
        BudgetSeconds = said.BudgetSeconds
        Margin = Option.defaultValue usual.Margin said.Margin
        PatienceMilliseconds = milliseconds usual.PatienceMilliseconds said.PatienceSeconds
        HttpWarmUp =
            {
                FloorMilliseconds = milliseconds usual.HttpWarmUp.FloorMilliseconds said.WarmUpLeastSeconds
                LimitMilliseconds = milliseconds usual.HttpWarmUp.LimitMilliseconds said.WarmUpMostSeconds
            }
    }

let private checkNames (node: JsonEntry) (file: ScenarioFile) =
    let names (programs: ScenarioProgram list) = programs |> List.map _.Name
    let candidates, services = names file.Candidates, names file.Services

    if not (List.contains file.Base candidates) then
        let known = String.concat ", " candidates
        let place = TypedJson.required "base" "" node
        TypedJson.refuse place $"expected the name of a candidate ({known}), found '{file.Base}'"

    match services @ candidates |> List.countBy id |> List.tryFind (fun (_, count) -> count > 1) with
    | Some(twice, _) -> TypedJson.refuse node $"the name '{twice}' comes twice; names are unique"
    | None -> ()

    for program in file.Services @ file.Candidates do
        for text in program.Arguments @ (program.Variables |> List.map snd) do
            for part in text.Split "{port:" |> Array.skip 1 do
                let named = part.Split('}') |> Array.head

                if not (List.contains named services) then
                    let known = String.concat ", " services

                    TypedJson.refuse
                        node
                        $"'{program.Name}' has {{port:{named}}}, and there is no service of that name; services: {known}"

/// Reads the text of a scenario that lies at `path`. Raises BadInput with the path of the error.
let read (path: string) (content: string) : ScenarioFile =
    let node = TypedJson.parse path content

    let said =
        JsonSchema.read schema.Value node |> _.Deserialize<ScenarioText>(options) |> nonNull

    let folder =
        Path.GetDirectoryName(Path.GetFullPath path) |> Option.ofObj |> Option.defaultValue "."

    let programs (key: string) (said: ProgramText list) =
        match TypedJson.find key node with
        | Some list -> List.map2 (program folder) (TypedJson.items "programs" list) said
        | None -> []

    let load = model (TypedJson.required "load" "" node) said.Load

    let file =
        {
            Name = said.Name
            Title = Option.defaultValue said.Name said.Title
            Base = said.Base
            Services =
                programs "services" said.Services
                |> List.map (fun it -> { it with Family = Family.Other })
            Candidates =
                programs "candidates" said.Candidates
                |> List.map (fun it -> if it.Name = said.Base then { it with Family = Family.Base } else it)
            Factors = said.Factors
            Requests = said.Requests
            Model = load
            TimeoutSeconds = said.Load.TimeoutSeconds
            Checks = said.Checks
            Rules = rules node said.Require
            Metrics = said.Metrics
            Settings = settings load.Connections said.Statistics
        }

    checkNames node file
    file
