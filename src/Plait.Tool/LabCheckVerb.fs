// The verb that judges results by a budget, for CI: exit code 1 when a figure is beyond what it may be.
module internal Plait.Tool.LabCheckVerb

open System
open System.CommandLine
open System.IO

open Plait.Report

open Plait.Lab.Scenarios

let private budgetFile =
    Argument<string>("BUDGET.json", Description = "what rows may cost at most; docs/budgets.md describes it")

let private resultsFile =
    Argument<string>(
        "RESULTS.json",
        Description = "results to judge (a file, or a folder that a run wrote); without: the scenario is run",
        Arity = ArgumentArity.ZeroOrOne,
        DefaultValueFactory = (fun _ -> "")
    )

let private candidates =
    LabOptions.candidates "the folder that the candidates lie in, for a run"

let private json =
    Options.text "--json" "FILE" "write the results of the run to this file"

let private runScenario (parsed: ParseResult) (budget: Budget) : Results =
    let scenario = FizzBuzz.scenario

    if budget.Scenario <> scenario.Name then
        raise (
            BadInput
                $"the scenario '{budget.Scenario}' cannot be run by its name, only '{scenario.Name}' can; run it, and give its results behind the budget"
        )

    let folder = LabOptions.candidatesFolder parsed candidates

    // Bytes need no control: nothing about them is luck.
    let always =
        if budget.Run.Measure = BudgetMeasure.Bytes then
            [ scenario.Base ]
        else
            [ scenario.Base; scenario.Control ]

    let rows =
        Candidate.discover folder |> Selection.choose always (Budget.rows budget) []

    use stop = new StopSignal.StopSignal()

    let request =
        {
            Settings = Budget.settings budget.Run
            Rows = rows |> List.filter (fun row -> List.contains row.Id (always @ Budget.rows budget))
            Generator = CommandLine.selfAs CommandLine.attackWorkerVerb
            Command = CommandLine.given ()
            Repository = LabOutput.root ()
        }

    match LabProgress.run (fun tell -> Comparison.run scenario request tell ignore stop.Token) with
    | Completed, results -> results
    | Stopped, _ -> raise (OperationCanceledException())
    | Broken sentence, _ -> raise (RunFailed sentence)

let private run (parsed: ParseResult) : int =
    let file = parsed.GetRequiredValue budgetFile
    let budget = Budget.read file (LabFiles.read "a budget" file)

    LabFiles.check "--json" (Options.value parsed json)

    let results =
        match parsed.GetRequiredValue resultsFile with
        | "" -> runScenario parsed budget
        | given -> LabFiles.results given

    let findings = BudgetFindings.judge budget results

    for line in BudgetFindings.lines findings do
        Console.Out.WriteLine line

    match Table.controlLine results.Rows with
    | Some control when findings |> List.exists (fun (limit, _) -> not limit.Metric.IsBytes) ->
        Console.Out.WriteLine control
    | _ -> ()

    match Options.value parsed json with
    | Some file ->
        LabFiles.write "--json" file (fun file -> File.WriteAllText(file, ResultsJson.write results))
    | None -> ()

    match BudgetFindings.complaints findings with
    | [] -> Endings.success
    | complaints ->
        for complaint in complaints do
            Endings.complain complaint

        Endings.failure

/// plait lab check
let command () : Command =
    Verb.make
        "check"
        "Judge results by a budget: bytes and ratios of rows that may not be exceeded. Exit code 0: all are kept; 1: one is exceeded, cannot be told, or was not measured; 2: the budget or the results cannot be read."
        [ budgetFile; resultsFile ]
        [ candidates; json ]
        run
