// Pure: the load of a scenario as a job of crank, which runs our generator.
module internal Plait.Lab.CrankLoad

open Plait.Lab.CrankText
open Plait.Load

/// The files of a job that are sent. The agent starts a job where its sources lie; by itself it would put each source
/// into a folder of its own below.
let source (name: string) (folder: string) =
    Entries [ name, Entries [ "localFolder", plain folder; "destinationFolder", Text "." ] ]

/// The value of the variable for the start until the user sets it: plait attack refuses it.
let private unsetStart = "the value of crank --variable startAt="

let private variables (shares: int option) (file: ScenarioFile) : (string * Yaml) list =
    let connections, rate =
        match file.Model with
        | Closed count -> count, []
        | Open(arrivals, count) ->
            let given = Arrivals.arguments LoadArguments.number arrivals
            count, [ given.Option, Text given.Value ]

    [
        "serverAddress", Text "127.0.0.1"
        "serverPort", Whole Portable.serverPort
        "connections", Whole connections
        yield! rate
        "warmup", Whole(Portable.warmUpSeconds file)
        if (Arrivals.span file.Model).IsNone then
            "duration", Whole Portable.durationSeconds
        if shares.IsSome then
            "startAt", Text unsetStart
    ]

/// The result of one share.
let private result = [ Literal "load-"; Variable "share"; Literal ".json" ]

let private arguments (shares: int option) (file: ScenarioFile) : string =
    let request = file.Requests.Head

    let set option variable ending =
        [ [ Literal option ]; [ Variable variable; Literal ending ] ]

    let model =
        match file.Model with
        | Closed _ -> []
        | Open(arrivals, _) ->
            let given = Arrivals.arguments LoadArguments.number arrivals

            set $"--{given.Option}" given.Option given.Suffix
            @ [ for other in given.Flags -> [ Literal other ] ]

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
        match shares with
        | Some count ->
            // Rules are judged for the whole.
            [ Literal "--share" ]
            [ Variable "share"; Literal $"/{count}" ]
            [ Literal "--start-at" ]
            [ Variable "startAt" ]
            [ Literal "--json" ]
            result
        | None ->
            for rule in file.Rules do
                [ Literal "--require" ]
                [ Literal(Rule.text rule) ]

            [ Literal "--hlog" ]
            [ Literal "load.hlog" ]
        [ Literal "--crank" ]
    ]
    |> CrankText.commandLine

// Crank stops the other generators when the last one has ended; they may still wait for responses. It gives a job 30 s to stop.
let private waiting =
    "sh "
    + CrankText.commandLine
        [
            [ Literal "-c" ]
            [
                Literal
                    "for at in $(seq 25); do kill -0 $CRANK_PROCESS_ID 2>/dev/null || break; sleep 1; done"
            ]
        ]

/// The job. `tool`: the folder of the load generator. `shares`: it is one of so many, by the variable `share`.
let job (tool: string) (shares: int option) (file: ScenarioFile) : Yaml =
    // Percentiles of several generators cannot be merged; these files can.
    let files =
        match shares with
        | Some _ -> template result
        | None -> "load.hlog"

    Entries
        [
            "sources", source "plait" tool
            "noBuild", Flag true
            "executable", Text "dotnet"
            "isConsoleApp", Flag true
            "waitForExit", Flag true
            if shares.IsSome then
                "stoppingScript", Text waiting
            "arguments", Text(arguments shares file)
            "variables", Entries(variables shares file)
            "options", Entries [ "downloadFiles", Items [ Text files ] ]
        ]

/// The jobs that load together in a scenario: their names, and the variables of each. Crank starts a job when the one before it
/// runs, or has ended if it waits for that: so only the last one is waited for.
let ofScenario (shares: int option) : (string * Yaml) list =
    match shares with
    | None -> [ "load", Entries [ "job", Text "load" ] ]
    | Some count ->
        [
            for share in 1..count do
                $"load-{share}",
                Entries
                    [
                        "job", Text "load"
                        "waitForExit", Flag((share = count))
                        "variables", Entries [ "share", Whole share ]
                    ]
        ]

/// The machines of those jobs.
let machines (shares: int option) : (string * string) list =
    match shares with
    | None -> [ "load", "client" ]
    | Some count -> [ for share in 1..count -> $"load-{share}", $"client{share}" ]

/// The variables of crank's command line: the generators begin together, when crank has started all of them and each is warm.
let start (shares: int option) (file: ScenarioFile) : string =
    match shares with
    | None -> ""
    | Some count ->
        let ahead = 60 + Portable.warmUpSeconds file + 10 * count
        $" --variable startAt=$(( $(date +%%s) + {ahead} ))"

/// The command that makes one run of the files.
let merge (count: int) (file: ScenarioFile) : string =
    let files = [ for share in 1..count -> $"load-{share}.json" ] |> String.concat " "

    LoadArguments.merge files file
