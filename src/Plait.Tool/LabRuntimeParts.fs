// Fizzbuzz on several versions of .NET: its candidates are published for each of them, and compared in one run.
module internal Plait.Tool.LabRuntimeParts

open System
open System.IO

open Plait.Report

open Plait.Lab.Scenarios

let private isCSharp (root: string) (candidate: Candidate) =
    [ "."; "packages" ]
    |> List.exists (fun place ->
        File.Exists(Path.Combine(root, "candidates", place, candidate.Name, candidate.Name + ".csproj")))

let private onRuntimes
    parsed
    root
    feed
    stop
    (scenario: Scenario)
    (rows: RowPlan list)
    : Scenario * RowPlan list =
    let runtimes = LabFizzBuzzOptions.runtimesOf parsed
    let newest = List.last runtimes

    // A short run is about the question, and the question has three ways of writing.
    let isWanted (candidate: Candidate) =
        not (LabFizzBuzzOptions.isQuick parsed)
        || not (LabCandidateOptions.names parsed).IsEmpty
        || List.contains candidate.Name [ scenario.Base; scenario.Control; "task"; "strand" ]

    let candidates =
        rows
        |> List.filter (fun row -> not row.SyncFn && isWanted row.Candidate)
        |> List.map _.Candidate
        |> List.distinctBy _.Name
        |> List.map (fun candidate ->
            if isCSharp root candidate && candidate.Absence.IsNone then
                let reason =
                    "the assemblies that it shares with the lab are built for one runtime only"

                { candidate with Absence = Some { Status = Status.NotAvailable; Reason = reason } }
            else
                candidate)

    let tell (sentence: string) =
        Console.Error.WriteLine $"[runtimes] {sentence}"

    let published =
        RuntimeBuild.publish root feed (RuntimeMatrix.wanted scenario.Control runtimes candidates) tell stop

    for candidate, runtime in published do
        match candidate.Absence with
        | Some absence when
            List.contains candidate.Name [ scenario.Base; scenario.Control ] && runtime = newest
            ->
            raise (
                RunFailed
                    $"{candidate.Name} on {RuntimeBuild.shown runtime}, without which nothing can be compared: {absence.Reason}"
            )
        | _ -> ()

    RuntimeMatrix.scenario scenario runtimes, published |> List.map (RuntimeMatrix.row newest)

/// The comparison over the runtimes that are named. `feed`: a folder of packages.
let make parsed root feed stop scenario settings rows : LabPart.Parts =
    let scenario, rows = onRuntimes parsed root feed stop scenario rows
    LabPart.alone scenario settings rows
