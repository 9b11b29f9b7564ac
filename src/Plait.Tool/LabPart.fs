// What a run of fizzbuzz consists of: comparisons that run one after the other, and one result of them.
module internal Plait.Tool.LabPart

open System

open Plait.Report

open Plait.Lab.Scenarios

/// One comparison.
type Part =
    {
        /// What is announced before it.
        Heading: string option
        Scenario: Scenario
        Settings: Settings
        Rows: RowPlan list
    }

/// Comparisons that run one after the other, and what their results come to: those of the first, with more in them.
type Parts = { Parts: Part list; Finish: Results list -> Results }

/// One comparison, whose results are those of the run.
let alone (scenario: Scenario) (settings: Settings) (rows: RowPlan list) : Parts =
    {
        Parts = [ { Heading = None; Scenario = scenario; Settings = settings; Rows = rows } ]
        Finish = List.head
    }

/// Runs the comparisons in turn. The first one that does not end well is the last. `save` is given the results so far.
let run (plan: Parts) (request: Part -> Request) (save: Results -> unit) stop : Ending * Results =
    let rec go (done': Results list) (parts: Part list) =
        match parts with
        | [] -> Completed, plan.Finish(List.rev done')
        | part :: rest ->
            part.Heading |> Option.iter (fun heading -> Console.Error.WriteLine $"then: {heading}")

            // What is behind the first is few rows, and part of the results when it has ended.
            let keep results =
                if done'.IsEmpty then
                    save results

            let ending, results =
                LabProgress.run (fun tell -> Comparison.run part.Scenario (request part) tell keep stop)

            match ending with
            | Completed -> go (results :: done') rest
            | other -> other, { plan.Finish(List.rev (results :: done')) with Complete = false }

    go [] plan.Parts
