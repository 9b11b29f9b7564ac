// Reads the file of a user's own scenario: its parts, and what they say of each other. It starts nothing.
module Plait.Lab.Scenarios.ScenarioReader

open System
open System.IO

open Plait.Report
open Plait.Load

let private unique (node: Node) (names: string list) =
    match names |> List.countBy id |> List.tryFind (fun (_, count) -> count > 1) with
    | Some(twice, _) -> TypedJson.refuse node $"the name '{twice}' comes twice; names are unique"
    | None -> ()

let private checkPlaceholders (node: Node) (known: string list) (file: ScenarioFile) =
    for program in file.Services @ file.Candidates do
        for text in program.Arguments @ (program.Variables |> List.map snd) do
            for part in text.Split "{port:" |> Array.skip 1 do
                let named = part.Split('}') |> Array.head

                if not (List.contains named known) then
                    let services = String.Join(", ", known)

                    TypedJson.refuse
                        node
                        $"'{program.Name}' speaks of {{port:{named}}}, and there is no service of that name; services: {services}"

/// Reads the text of a scenario that lies at `path`. Raises BadInput with the path of what is wrong.
let read (path: string) (content: string) : ScenarioFile =
    let node = TypedJson.parse path content

    TypedJson.only
        [
            "schema"
            "name"
            "title"
            "base"
            "services"
            "candidates"
            "factors"
            "requests"
            "load"
            "checks"
            "metrics"
            "statistics"
        ]
        node

    TypedJson.required "schema" $"\"{ScenarioFile.schema}\"" node
    |> TypedJson.word [ ScenarioFile.schema ]
    |> ignore

    let folder =
        Path.GetDirectoryName(Path.GetFullPath path) |> Option.ofObj |> Option.defaultValue "."

    let list (key: string) (what: string) =
        TypedJson.find key node |> Option.map (TypedJson.items what) |> Option.defaultValue []

    let baseNode = TypedJson.required "base" "the name of a candidate" node
    let baseName = ProgramReader.name baseNode
    let candidatesNode = TypedJson.required "candidates" "a list of programs" node

    let candidates =
        TypedJson.items "programs" candidatesNode
        |> List.map (ProgramReader.candidate folder ((=) baseName))

    if not (candidates |> List.exists (fun candidate -> candidate.Name = baseName)) then
        let known = candidates |> List.map _.Name |> String.concat ", "
        TypedJson.refuse baseNode $"expected the name of a candidate ({known}), found '{baseName}'"

    let services = list "services" "programs" |> List.map (ProgramReader.service folder)
    unique node ((services @ candidates) |> List.map _.Name)
    let factors = list "factors" "factors" |> List.map ProgramReader.factor
    let loadNode = TypedJson.required "load" "an object that says how to load" node
    let load = LoadReader.model loadNode
    let requestsNode = TypedJson.required "requests" "a list of requests" node

    let requests =
        TypedJson.items "requests" requestsNode |> List.map LoadReader.request

    if requests.IsEmpty then
        TypedJson.wrong requestsNode "a list of at least one request"

    let connections =
        match load with
        | Closed count
        | Open(_, count) -> count

    let given = TypedJson.required "name" "a name" node |> ProgramReader.name

    let file =
        {
            Name = given
            Title = TypedJson.fallback "title" TypedJson.text given node
            Base = baseName
            Services = services
            Candidates = candidates
            Factors = factors
            Requests = requests
            Model = load
            TimeoutSeconds =
                TypedJson.fallback "timeoutSeconds" (TypedJson.number (0.01, 3600.0)) 10.0 loadNode
            Checks =
                TypedJson.fallback
                    "checks"
                    LoadReader.checks
                    { Status = []; Body = None; SameBody = true }
                    node
            Metrics = TypedJson.fallback "metrics" LoadReader.metrics [ "bytes"; "counters"; "latency" ] node
            Settings = StatisticsReader.statistics connections (TypedJson.find "statistics" node)
        }

    checkPlaceholders node (services |> List.map _.Name) file
    file
