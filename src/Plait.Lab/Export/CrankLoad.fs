// Pure: the load of a scenario as a job of crank, which runs our generator.
module internal Plait.Lab.CrankLoad

open System.Globalization

open Plait.Lab.CrankText
open Plait.Load
open Plait.Common

/// The files of a job that are sent. The agent starts a job where its sources lie; by itself it would put each source
/// into a folder of its own below.
let source (name: string) (folder: string) =
    Entries [ name, Entries [ "localFolder", plain folder; "destinationFolder", Text "." ] ]

let private invariant (value: float) =
    value.ToString("0.###", CultureInfo.InvariantCulture)

let private variables (file: ScenarioFile) : (string * Yaml) list =
    let connections, rate =
        match file.Model with
        | Closed count -> count, []
        | Open(arrivals, count) ->
            let asked = Arrivals.asked invariant arrivals
            count, [ asked.Option, Text asked.Value ]

    [
        "serverAddress", Text "127.0.0.1"
        "serverPort", Whole Portable.serverPort
        "connections", Whole connections
        yield! rate
        "warmup", Whole(Portable.warmUpSeconds file)
        if (Arrivals.span file.Model).IsNone then
            "duration", Whole Portable.durationSeconds
    ]

let private given (option: string) (text: string) : Part list list =
    [ [ Literal option ]; [ Literal text ] ]

let private content (what: string) (option: string) (text: string) : Part list list =
    if text.StartsWith '@' then
        raise (
            BadInput
                $"the {what} begins with an @, behind which plait attack expects the name of a file; a job of crank cannot name it"
        )

    [ [ Literal $"{option}={text}" ] ]

let private arguments (file: ScenarioFile) : string =
    let request = file.Requests.Head

    let set option variable ending =
        [ [ Literal option ]; [ Variable variable; Literal ending ] ]

    let model =
        match file.Model with
        | Closed _ -> []
        | Open(arrivals, _) ->
            let asked = Arrivals.asked invariant arrivals

            set $"--{asked.Option}" asked.Option asked.Ending
            @ [ for other in asked.With -> [ Literal other ] ]

    let isClosed =
        match file.Model with
        | Closed _ -> true
        | Open _ -> false

    let duration =
        match Arrivals.span file.Model with
        | Some _ -> []
        | None -> set "--duration" "duration" "s"

    [
        [ Literal "plait.dll" ]
        [ Literal "attack" ]
        [
            Literal "http://"
            Variable "serverAddress"
            Literal ":"
            Variable "serverPort"
            Literal request.Path
        ]
        yield! model
        // An open load opens them as they are needed.
        yield! set (if isClosed then "--connections" else "--max-connections") "connections" ""
        yield! set "--warm-up" "warmup" "s"
        yield! duration
        yield! given "--timeout" $"{invariant file.TimeoutSeconds}s"
        if request.Method <> "GET" then
            yield! given "--method" request.Method
        // Behind an equals sign, because they may begin with a dash.
        for name, value in request.Headers do
            [ Literal $"--header={name}: {value}" ]
        if request.Body <> "" then
            yield! content "body" "--body" request.Body
        if not file.Checks.Status.IsEmpty then
            yield! file.Checks.Status |> List.map string |> String.concat "," |> given "--expect-status"
        match file.Checks.Body with
        | Some right -> yield! content "right body" "--expect-body" right
        | None -> ()
        for rule in file.Rules do
            yield! given "--require" (Rule.text rule)
        yield! given "--hlog" "load.hlog"
        [ Literal "--crank" ]
    ]
    |> CrankText.commandLine

/// The job. `tool`: the folder of the load generator.
let job (tool: string) (file: ScenarioFile) : Yaml =
    Entries
        [
            "sources", source "plait" tool
            "noBuild", Flag true
            "executable", Text "dotnet"
            "waitForExit", Flag true
            "arguments", Text(arguments file)
            "variables", Entries(variables file)
            // Percentiles of several generators cannot be merged; these files can.
            "options", Entries [ "downloadFiles", Items [ Text "load.hlog" ] ]
        ]
