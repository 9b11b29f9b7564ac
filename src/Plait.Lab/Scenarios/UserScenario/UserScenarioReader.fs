// Reads the file of a user's own scenario. It starts nothing; what is wrong is refused with its path in the file.
module Plait.Lab.Scenarios.UserScenarioReader

open System
open System.IO

open Plait.Report
open Plait.Load

let private name (node: Node) =
    let text = TypedJson.text node

    if
        text
        |> Seq.forall (fun letter -> Char.IsAsciiLetterOrDigit letter || letter = '-' || letter = '_')
    then
        text
    else
        TypedJson.wrong node "a name of letters, digits, - and _"

let private texts (node: Node) =
    TypedJson.items "texts" node |> List.map TypedJson.anyText

let private variables (node: Node) =
    TypedJson.entries "texts" node
    |> List.map (fun (name, value) -> name, TypedJson.anyText value)

let private ready (node: Node) =
    TypedJson.only [ "line"; "url" ] node

    match TypedJson.optional "line" TypedJson.text node, TypedJson.optional "url" TypedJson.text node with
    | Some line, None -> Line line
    | None, Some url -> Answer url
    | _ -> TypedJson.wrong node "an object with either \"line\" or \"url\""

let private programCore (node: Node) =
    match TypedJson.word [ "server"; "client"; "any" ] node with
    | "server" -> OnServerCore
    | "client" -> OnClientCore
    | _ -> OnAnyCore

let private programKeys =
    [ "name"; "label"; "command"; "args"; "env"; "workingDirectory"; "ready"; "core" ]

let private program (folder: string) (core: ProgramCore) (node: Node) : ScenarioProgram =
    let given = TypedJson.required "name" "a name" node |> name

    let place =
        match TypedJson.find "workingDirectory" node with
        | None -> folder
        | Some value ->
            let place = Path.GetFullPath(Path.Combine(folder, TypedJson.text value))

            if not (Directory.Exists place) then
                TypedJson.refuse value $"expected a folder, and there is no {place}"

            place

    {
        Name = given
        Label = TypedJson.fallback "label" TypedJson.text given node
        Family = Family.Other
        Protocol = Http
        Command = TypedJson.required "command" "the program to start" node |> TypedJson.text
        Arguments = TypedJson.fallback "args" texts [] node
        Variables = TypedJson.fallback "env" variables [] node
        Folder = place
        Ready = TypedJson.fallback "ready" ready Listens node
        Core = TypedJson.fallback "core" programCore core node
    }

let private service folder (node: Node) : ScenarioProgram =
    TypedJson.only programKeys node
    program folder OnClientCore node

let private families =
    [ "base"; "plait"; "fsharp"; "csharp"; "published"; "control" ]

let private candidate folder (isBase: string -> bool) (node: Node) : ScenarioProgram =
    TypedJson.only ("protocol" :: "family" :: programKeys) node
    let read = program folder OnServerCore node

    let protocol =
        match TypedJson.fallback "protocol" (TypedJson.word [ "http"; "worker" ]) "http" node with
        | "worker" -> Worker
        | _ -> Http

    for key in [ "workingDirectory"; "ready" ] do
        match protocol, TypedJson.find key node with
        | Worker, Some value ->
            TypedJson.refuse
                value
                "a worker says by itself when it is ready, and has no folder; leave the key out"
        | _ -> ()

    { read with
        Protocol = protocol
        Family =
            if isBase read.Name then
                Family.Base
            else
                TypedJson.optional "family" (TypedJson.word families) node
                |> Option.bind Word.tryFind
                |> Option.defaultValue Family.FSharp
    }

let private factor (node: Node) : Factor =
    TypedJson.only [ "name"; "values" ] node

    let value (node: Node) : FactorValue =
        TypedJson.only [ "name"; "env"; "args" ] node

        {
            Name = TypedJson.required "name" "a name" node |> name
            Variables = TypedJson.fallback "env" variables [] node
            Arguments = TypedJson.fallback "args" texts [] node
        }

    let values = TypedJson.required "values" "a list of two values or more" node

    match TypedJson.items "values" values |> List.map value with
    | []
    | [ _ ] -> TypedJson.wrong values "a list of two values or more"
    | list -> { Name = TypedJson.required "name" "a name" node |> name; Values = list }

let private request (node: Node) : ScenarioRequest =
    TypedJson.only [ "method"; "path"; "headers"; "body" ] node
    let path = TypedJson.required "path" "a path that begins with /" node
    let text = TypedJson.text path

    if not (text.StartsWith '/') then
        TypedJson.wrong path "a path that begins with /"

    {
        Method = TypedJson.fallback "method" TypedJson.text "GET" node
        Path = text
        Headers = TypedJson.fallback "headers" variables [] node
        Body = TypedJson.fallback "body" TypedJson.anyText "" node
    }

let private connections = TypedJson.whole (1, 65536)

let private model (node: Node) : Model =
    match
        TypedJson.required "model" "\"closed\" or \"open\"" node
        |> TypedJson.word [ "closed"; "open" ]
    with
    | "closed" ->
        TypedJson.only [ "model"; "connections"; "timeoutSeconds" ] node
        Closed(TypedJson.fallback "connections" connections 32 node)
    | _ ->
        TypedJson.only [ "model"; "rate"; "arrivals"; "connections"; "timeoutSeconds" ] node

        let rate =
            TypedJson.required "rate" "requests a second" node |> TypedJson.number (0.1, 10_000_000.0)

        let arrivals =
            match
                TypedJson.fallback "arrivals" (TypedJson.word [ "constant"; "poisson" ]) "constant" node
            with
            | "poisson" -> Poisson rate
            | _ -> Constant rate

        Open(arrivals, TypedJson.fallback "connections" connections 64 node)

let private checks (node: Node) : Checks =
    TypedJson.only [ "status"; "body"; "sameBody" ] node

    let statuses (node: Node) =
        TypedJson.items "statuses" node |> List.map (TypedJson.whole (100, 599))

    {
        Status = TypedJson.fallback "status" statuses [] node
        Body = TypedJson.optional "body" TypedJson.anyText node
        SameBody = TypedJson.fallback "sameBody" TypedJson.flag true node
    }

let private metrics (node: Node) : ScenarioMetric list =
    TypedJson.items "metrics" node
    |> List.map (
        TypedJson.word [ "bytes"; "counters"; "latency" ]
        >> function
            | "bytes" -> ScenarioMetric.Bytes
            | "counters" -> ScenarioMetric.Counters
            | _ -> ScenarioMetric.Latency
    )

let private usualMetrics =
    [ ScenarioMetric.Bytes; ScenarioMetric.Counters; ScenarioMetric.Latency ]

let private milliseconds (least: float, most: float) (node: Node) =
    int (1000.0 * TypedJson.number (least, most) node)

// How it is measured: what the file does not say is as usual. `connections`: those of the load.
let private statistics (connections: int) (node: Node option) : Settings =
    let ranges = Settings.ranges

    let usual =
        { Settings.full with
            Launches = 3
            Width = None
            Pairs = 6
            SliceMilliseconds = 1000
            InProcess = false
            BudgetSeconds = None
            Connections = connections
        }

    match node with
    | None -> usual
    | Some node ->
        TypedJson.only
            [
                "seed"
                "launches"
                "pairs"
                "sliceSeconds"
                "width"
                "budgetSeconds"
                "margin"
                "warmUpLeastSeconds"
                "warmUpMostSeconds"
                "patienceSeconds"
            ]
            node

        let width = TypedJson.optional "width" (TypedJson.number ranges.Width) node
        let launches = TypedJson.optional "launches" (TypedJson.whole ranges.Launches) node

        { StopRule.ask width launches usual with
            Seed = TypedJson.fallback "seed" (TypedJson.whole ranges.Seed) usual.Seed node
            Pairs = TypedJson.fallback "pairs" (TypedJson.whole ranges.Pairs) usual.Pairs node
            SliceMilliseconds =
                TypedJson.fallback "sliceSeconds" (milliseconds (0.1, 600.0)) usual.SliceMilliseconds node
            BudgetSeconds = TypedJson.optional "budgetSeconds" (TypedJson.number (1.0, 86400.0)) node
            Margin = TypedJson.fallback "margin" (TypedJson.number ranges.Margin) usual.Margin node
            PatienceMilliseconds =
                TypedJson.fallback
                    "patienceSeconds"
                    (milliseconds (0.1, 600.0))
                    usual.PatienceMilliseconds
                    node
            HttpWarmUp =
                {
                    FloorMilliseconds =
                        TypedJson.fallback
                            "warmUpLeastSeconds"
                            (milliseconds (0.0, 600.0))
                            usual.HttpWarmUp.FloorMilliseconds
                            node
                    LimitMilliseconds =
                        TypedJson.fallback
                            "warmUpMostSeconds"
                            (milliseconds (0.0, 3600.0))
                            usual.HttpWarmUp.LimitMilliseconds
                            node
                }
        }

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
    let baseName = name baseNode
    let candidatesNode = TypedJson.required "candidates" "a list of programs" node

    let candidates =
        TypedJson.items "programs" candidatesNode |> List.map (candidate folder ((=) baseName))

    if not (candidates |> List.exists (fun candidate -> candidate.Name = baseName)) then
        let known = candidates |> List.map _.Name |> String.concat ", "
        TypedJson.refuse baseNode $"expected the name of a candidate ({known}), found '{baseName}'"

    let services = list "services" "programs" |> List.map (service folder)
    unique node ((services @ candidates) |> List.map _.Name)
    let factors = list "factors" "factors" |> List.map factor
    let loadNode = TypedJson.required "load" "an object that says how to load" node
    let load = model loadNode
    let requestsNode = TypedJson.required "requests" "a list of requests" node

    let requests = TypedJson.items "requests" requestsNode |> List.map request

    if requests.IsEmpty then
        TypedJson.wrong requestsNode "a list of at least one request"

    let connections =
        match load with
        | Closed count
        | Open(_, count) -> count

    let given = TypedJson.required "name" "a name" node |> name

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
            Checks = TypedJson.fallback "checks" checks { Status = []; Body = None; SameBody = true } node
            Metrics = TypedJson.fallback "metrics" metrics usualMetrics node
            Settings = statistics connections (TypedJson.find "statistics" node)
        }

    checkPlaceholders node (services |> List.map _.Name) file
    file
