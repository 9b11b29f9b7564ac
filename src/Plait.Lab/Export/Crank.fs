// Pure: a scenario as a configuration of crank: a job for each service and candidate, the load generator as a job, a
// scenario for each candidate, and a profile of the machines. Several generators are a job each, because crank gives all endpoints of a
// job the same arguments.
module Plait.Lab.Crank

open Plait.Common
open Plait.Lab.CrankText

/// The name of a service's machine among the variables.
let private addressOf (service: string) = $"{service}Address"

// An address of this machine in the file is another machine there.
let private fill (file: ScenarioFile) (own: int) (text: string) : Part list =
    let elsewhere (service: ScenarioProgram) (here: string) (part: Part) =
        match part with
        | Variable _ -> [ part ]
        | Literal text ->
            text.Split $"{here}:{{port:{service.Name}}}"
            |> List.ofArray
            |> List.map (fun text -> [ Literal text ])
            |> List.reduce (fun before behind ->
                before
                @ [ Variable(addressOf service.Name); Literal $":{{port:{service.Name}}}" ]
                @ behind)

    let apart =
        List.allPairs file.Services [ "127.0.0.1"; "localhost" ]
        |> List.fold
            (fun parts (service, here) -> parts |> List.collect (elsewhere service here))
            [ Literal text ]

    apart
    |> List.map (fun part ->
        match part with
        | Literal text -> Literal(ScenarioFile.fill own (Portable.ports file) text)
        | Variable _ -> part)

let private job (file: ScenarioFile) (name: string) (program: ScenarioProgram) (port: int) : Yaml =
    let arguments =
        match program.Protocol with
        | Http -> program.Arguments
        // Here a worker gets the request on its input; there, on its command line.
        | Worker -> program.Arguments @ [ "--serve"; $"0.0.0.0:{port}" ]

    let ready =
        match program.Protocol, program.Ready with
        | Worker, _ -> [ "readyStateText", Text "serving on" ]
        | Http, Line text -> [ "readyStateText", plain text ]
        // Without a text crank waits until the port is open.
        | Http, (Answer _ | Listens) -> []

    let core =
        match program.Core with
        | OnServerCore -> [ "cpuSet", Text "0" ]
        | OnClientCore
        | OnAnyCore -> []

    let variables =
        match program.Variables with
        | [] -> []
        | all ->
            [
                "environmentVariables",
                Entries
                    [
                        for name, value in Map.toList (Map.ofList all) do
                            name, Text(fill file port value |> template)
                    ]
            ]

    Entries(
        [
            "sources", CrankLoad.source name program.Folder
            "noBuild", Flag true
            "executable", plain program.Command
            "arguments", arguments |> List.map (fill file port) |> commandLine |> Text
            "port", Whole port
        ]
        @ ready
        @ core
        @ variables
        @ [
            "options",
            Entries
                [
                    "collectCounters", Flag true
                    "counterProviders", Items [ Text "System.Runtime"; Text "Microsoft.AspNetCore.Hosting" ]
                ]
        ]
    )

let private scenario (shares: int option) (file: ScenarioFile) (variant: string) : Yaml =
    Entries
        [
            // In their order: a service before the programs that need it.
            for service in file.Services do
                service.Name, Entries [ "job", Text service.Name ]
            "application", Entries [ "job", Text variant ]
            yield! CrankLoad.ofScenario shares
        ]

let private profile (shares: int option) (file: ScenarioFile) : Yaml =
    let endpoint (machine: string) =
        Entries [ "endpoints", Items [ Text $"http://{machine}:5010" ] ]

    Entries
        [
            "variables",
            Entries
                [
                    "serverAddress", Text "server"
                    for service in file.Services do
                        addressOf service.Name, Text "upstream"
                ]
            "jobs",
            Entries
                [
                    for service in file.Services do
                        service.Name, endpoint "upstream"
                    "application", endpoint "server"
                    for job, machine in CrankLoad.machines shares do
                        job, endpoint machine
                ]
        ]

let private profileName (shares: int option) =
    if shares.IsSome then "machines" else "three-machines"

/// The points that a user must change by hand, because they are unknown here.
let private notes (programs: ScenarioProgram list) : string list =
    [
        for program in programs do
            if program.Command <> "dotnet" && not (program.Command.StartsWith '/') then
                $"# {program.Name}: crank looks for '{Printable.line program.Command}' in the job's folder; write its full path on that machine"

            if program.Arguments |> List.exists (fun argument -> argument.StartsWith "../") then
                $"# {program.Name}: its arguments name files outside of its folder, which crank does not send; copy them into it"
    ]

/// The command that runs the configuration.
let command (shares: int option) (file: ScenarioFile) : string =
    $"crank --config FILE --scenario NAME --profile {profileName shares}{CrankLoad.start shares file}"

/// The text of the configuration. `tool`: the folder of the load generator. `shares`: so many generators load together. Raises
/// BadInput for a scenario that crank cannot run.
let write (tool: string) (shares: int option) (file: ScenarioFile) : string =
    let ports = Portable.ports file
    let variants = Portable.variants file

    match file.Requests with
    | [ _ ] -> ()
    | several ->
        raise (
            BadInput
                $"the scenario has {several.Length} requests, and a load job of crank has one; export one scenario for each"
        )

    let content =
        Entries
            [
                "jobs",
                Entries
                    [
                        for service in file.Services do
                            service.Name, job file service.Name service ports[service.Name]
                        for name, program in variants do
                            name, job file program.Name program Portable.serverPort
                        "load", CrankLoad.job tool shares file
                    ]
                "scenarios",
                Entries
                    [
                        for name, _ in variants do
                            name, scenario shares file name
                    ]
                "profiles", Entries [ profileName shares, profile shares file ]
            ]

    let header =
        [
            $"# {Printable.line file.Title}, for crank. Made by 'plait lab export --to crank'."
            $"# {command shares file}"
            match shares with
            | Some count -> $"# Then: {CrankLoad.merge count file}"
            | None -> ()
            yield! notes (file.Services @ file.Candidates)
        ]

    String.concat "\n" (header @ Yaml.lines "" content) + "\n"
