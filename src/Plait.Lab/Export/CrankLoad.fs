// Pure: the load of a scenario as a job of crank, which runs our generator.
module internal Plait.Lab.CrankLoad

open Plait.Lab.CrankText
open Plait.Load

/// The files of a job that are sent. The agent starts a job where its sources lie; by itself it would put each source
/// into a folder of its own below.
let source (name: string) (folder: string) =
    Entries [ name, Entries [ "localFolder", plain folder; "destinationFolder", Text "." ] ]

let private variables (file: ScenarioFile) : (string * Yaml) list =
    let connections, rate =
        match file.Model with
        | Closed count -> count, []
        | Open(arrivals, count) ->
            let asked = Arrivals.asked LoadArguments.rate arrivals
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

let private arguments (file: ScenarioFile) : string =
    let request = file.Requests.Head

    let set option variable ending =
        [ [ Literal option ]; [ Variable variable; Literal ending ] ]

    let model =
        match file.Model with
        | Closed _ -> []
        | Open(arrivals, _) ->
            let asked = Arrivals.asked LoadArguments.rate arrivals

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
        for argument in LoadArguments.ofRequest "crank" file do
            [ Literal argument ]
        for rule in file.Rules do
            [ Literal "--require" ]
            [ Literal(Rule.text rule) ]
        [ Literal "--hlog" ]
        [ Literal "load.hlog" ]
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
