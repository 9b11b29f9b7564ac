// Building the candidates from packages that a run asks for, with a line of progress for each.
module internal Plait.Tool.LabRivals

open System
open System.Threading

open Plait.Report
open Plait.Lab.Scenarios

/// The rows with what was built for them, or with the reason why there is nothing to run.
let build (root: string) (choice: LabCandidateOptions.Choice) (stop: CancellationToken) : RowPlan list =
    if choice.Asked.IsEmpty then
        choice.Rows
    else
        let tell (sentence: string) =
            Console.Error.WriteLine $"[packages] {sentence}"

        let built =
            RivalBuild.build root choice.Feed choice.Asked tell stop
            |> List.map (fun candidate -> candidate.Name, candidate)
            |> Map.ofList

        for KeyValue(name, candidate) in built do
            match candidate.Absence with
            | Some absence -> tell $"{name} is {Word.ofCase absence.Status}: {absence.Reason}"
            | None -> ()

        choice.Rows
        |> List.map (fun row ->
            match Map.tryFind row.Candidate.Name built with
            | Some candidate -> { row with Candidate = candidate }
            | None -> row)
