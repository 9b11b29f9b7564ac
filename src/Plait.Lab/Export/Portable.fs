// What the exporters share: where things are on other machines, and the built-in comparison as a scenario file.
module Plait.Lab.Portable

open System

open Plait.Load
open Plait.Report

/// The port of the program that is measured, on its machine.
let serverPort = 5000

/// The ports of the services, on theirs.
let ports (file: ScenarioFile) : Map<string, int> =
    file.Services
    |> List.mapi (fun index service -> service.Name, serverPort + 1 + index)
    |> Map.ofList

/// The candidates with every combination of factors: a name and what its command is.
let variants (file: ScenarioFile) : (string * ScenarioProgram) list =
    [
        for program in file.Candidates do
            for values, changed in UserScenarioRows.combinations file.Factors do
                String.Join("-", program.Name :: changed),
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
        Metrics = [ ScenarioMetric.Bytes; ScenarioMetric.Counters; ScenarioMetric.Latency ]
        Settings = Settings.full
    }
