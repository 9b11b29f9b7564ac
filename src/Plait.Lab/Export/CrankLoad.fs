// Pure: the load of a scenario as a job of crank, which runs our generator.
module internal Plait.Lab.CrankLoad

open System.Globalization

open Plait.Load
open Plait.Report

/// What is sent of a job. The agent starts a job where its sources lie; by itself it would put each source into a folder of its own below.
let source (name: string) (folder: string) =
    Entries [ name, Entries [ "localFolder", Text folder; "destinationFolder", Text "." ] ]

let private invariant (value: float) =
    value.ToString("0.###", CultureInfo.InvariantCulture)

let private variables (file: ScenarioFile) : (string * Yaml) list =
    let connections, rate, duration =
        match file.Model with
        | Closed count -> count, [], [ "duration", Whole 60 ]
        | Open((Constant rate | Poisson rate), count) ->
            count, [ "rate", Text(invariant rate) ], [ "duration", Whole 60 ]
        | Open(Ramp(from, until), count) ->
            count, [ "ramp", Text $"{invariant from}:{invariant until}" ], [ "duration", Whole 60 ]
        | Open(Steps(rates, each), count) ->
            let rates = rates |> List.map invariant |> String.concat ","
            count, [ "steps", Text $"{rates}x{Duration.showSpan each}" ], []

    [
        "serverAddress", Text "127.0.0.1"
        "serverPort", Whole Portable.serverPort
        "connections", Whole connections
        yield! rate
        "warmup", Whole 15
        yield! duration
    ]

let private arguments (file: ScenarioFile) : string =
    let request = file.Requests.Head

    let model =
        match file.Model with
        | Closed _ -> ""
        | Open(Poisson _, _) -> "--rate {{rate}}/s --poisson "
        | Open(Constant _, _) -> "--rate {{rate}}/s "
        | Open(Ramp _, _) -> "--ramp {{ramp}} "
        | Open(Steps _, _) -> "--steps {{steps}} "

    let duration =
        match Arrivals.ofSteps file.Model with
        | Some _ -> ""
        | None -> " --duration {{duration}}s"

    [
        "plait.dll attack"
        $"\"http://{{{{serverAddress}}}}:{{{{serverPort}}}}{request.Path}\""
        model + "--connections {{connections}} --warm-up {{warmup}}s" + duration
        $"--timeout {invariant file.TimeoutSeconds}s"
        if request.Method <> "GET" then
            $"--method {request.Method}"
        for name, value in request.Headers do
            $"--header \"{name}: {value}\""
        if request.Body <> "" then
            "--body \"" + request.Body.Replace("\"", "\\\"") + "\""
        if not file.Checks.Status.IsEmpty then
            "--expect-status " + (file.Checks.Status |> List.map string |> String.concat ",")
        "--hlog load.hlog --crank"
    ]
    |> String.concat " "

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
