// Shared by the exporters: the places of things on other machines, and the built-in comparison as a scenario file.
module Plait.Lab.Portable

open System
open System.Globalization

open Plait.Load
open Plait.Common
open Plait.Report

/// The port of the program that is measured, on its machine.
let serverPort = 5000

/// The ports of the services, on theirs.
let ports (file: ScenarioFile) : Map<string, int> =
    file.Services
    |> List.mapi (fun index service -> service.Name, serverPort + 1 + index)
    |> Map.ofList

/// How long servers are loaded before anything counts: as long as the scenario warms them at most, and no less than a
/// quarter of a minute, because the other tools do not check whether servers are steady.
let warmUpSeconds (file: ScenarioFile) : int =
    max 15 ((file.Settings.HttpWarmUp.LimitMilliseconds + 999) / 1000)

/// How long they are measured, where the load has no length of its own.
let durationSeconds = 60

/// How many redirects are followed.
let redirects = ConnectionOptions.Default.Redirects

/// Other tools take whole rates, for any unit of time: the shortest in which all of these are whole, or else the
/// longest; and a function from a rate a second to its text in it.
let unitOf (rates: float list) : string * (float -> string) =
    let units = [ 1.0, "1s"; 60.0, "1m"; 3600.0, "1h"; 3_600_000.0, "1000h" ]

    let isWhole (rate: float) = abs (rate - Math.Round rate) < 1e-6

    let seconds, unit =
        units
        |> List.tryFind (fun (seconds, _) -> rates |> List.forall (fun rate -> isWhole (seconds * rate)))
        |> Option.defaultValue (List.last units)

    unit, (fun rate -> (Math.Round(seconds * rate)).ToString("0", CultureInfo.InvariantCulture))

/// Raises BadInput where requests differ from each other, which only our own generator makes them do.
let refuseVaried (tool: string) (file: ScenarioFile) : unit =
    let isVaried (request: ScenarioRequest) =
        {
            Method = request.Method
            Url = Uri $"http://server{request.Path}"
            Headers = request.Headers
            Body = ScenarioFile.bytes request.Body
        }
        |> Template.ofRequest []
        |> Option.isSome

    if List.exists isVaried file.Requests then
        raise (
            BadInput
                $"the scenario's requests have variables like {{{{uuid}}}}, and {tool} would send them as they stand; export it for crank, which runs plait attack"
        )

/// The candidates with every combination of factors: a name and its command.
let variants (file: ScenarioFile) : (string * ScenarioProgram) list =
    [
        for program in file.Candidates do
            for values, changed in UserScenarioRows.combinations file.Factors do
                String.Join("-", program.Name :: List.map snd changed),
                { program with
                    Arguments = program.Arguments @ (values |> List.collect (fun value -> value.Arguments))
                    Variables = program.Variables @ (values |> List.collect (fun value -> value.Variables))
                }
    ]

/// The comparison that is built in, over HTTP, as if it were in a file. `folder`: that of the candidates.
let fizzBuzz (folder: string) (candidates: Candidate list) : ScenarioFile =
    let program (candidate: Candidate) : ScenarioProgram =
        {
            Name = candidate.Name
            Label = candidate.Label
            Family = candidate.Family
            Protocol = Worker
            Command = "dotnet"
            Arguments = $"{candidate.Name}/{candidate.Name}.dll" :: candidate.Arguments
            Variables = CandidateProcess.Variables
            Folder = folder
            Ready = Line "serving on"
            Core = OnServerCore
        }

    let scenario = FizzBuzz.scenario

    {
        Name = scenario.Name
        Title = scenario.Title
        Base = scenario.Base
        Services = []
        Candidates =
            candidates
            |> List.filter (fun candidate -> candidate.Family <> Family.Control)
            |> List.map program
        Factors = []
        Requests = [ { Method = "GET"; Path = scenario.Path; Headers = []; Body = "" } ]
        Model = Closed Settings.full.Connections
        TimeoutSeconds = 10.0
        Checks = { Status = [ 200 ]; Body = Some scenario.Expected; SameBody = true }
        Rules = []
        Metrics = [ ScenarioMetric.Bytes; ScenarioMetric.Counters; ScenarioMetric.Latency ]
        Settings = Settings.full
    }
