// The verb that judges results by a budget, for CI: exit code 1 when a figure is beyond its limit.
module internal Plait.Tool.LabCheckVerb

open System
open System.CommandLine

open Plait.Common
open Plait.Report

open Plait.Lab

let private budgetFile =
    Argument<string>(
        "BUDGET.json",
        Description = "the limits of the rows; docs/budgets.md describes the format"
    )

let private resultsFile =
    Argument<string>(
        "RESULTS.json",
        Description =
            "results to judge (a file, or a folder that a run wrote); without them, the scenario is run",
        Arity = ArgumentArity.ZeroOrOne,
        DefaultValueFactory = (fun _ -> "")
    )

let private candidates =
    LabOptions.candidates "the folder that the candidates lie in, for a run"

let private json = Options.json "the results of the run"

let private runScenario (parsed: ParseResult) (budget: Budget) : Results =
    let scenario = FizzBuzz.scenario

    if budget.Scenario <> scenario.Name then
        raise (
            BadInput
                $"'lab check' runs the scenario '{scenario.Name}' alone, and the budget is of '{budget.Scenario}'; run that scenario, and name its results after the budget"
        )

    let folder = LabOptions.candidatesFolder parsed candidates

    // Bytes need no control: they do not vary by chance.
    let always =
        if budget.Run.Measure = BudgetMeasure.Bytes then
            [ scenario.Base ]
        else
            [ scenario.Base; scenario.Control ]

    let rows =
        Candidate.discover folder |> RowPlan.choose always (Budget.rows budget) []

    use stop = new StopSignal()

    let request =
        {
            Settings = Budget.settings budget.Run
            Rows = rows |> List.filter (fun row -> List.contains row.Id (always @ Budget.rows budget))
            Generator = CommandLine.selfAs CommandLine.attackWorkerVerb
            Command = CommandLine.given ()
            Repository = LabOutput.root ()
        }

    match LabProgress.run (fun tell -> Comparison.run scenario request tell ignore stop.Token) with
    | (Completed | RulesBroken _), results -> results
    | Stopped, _ -> raise (OperationCanceledException())
    | Broken sentence, _ -> raise (RunFailed sentence)

let private run (parsed: ParseResult) : int =
    let file = parsed.GetRequiredValue budgetFile
    let budget = Budget.read file (Files.text "a budget" file)

    let json = Options.value parsed json
    json |> Option.iter (Files.trial "--json")

    let results =
        match parsed.GetRequiredValue resultsFile with
        | "" -> runScenario parsed budget
        | given -> LabOutput.read given

    let findings = BudgetFindings.judge budget results

    let show () =
        for line in BudgetFindings.lines findings do
            Console.Out.WriteLine line

        if findings |> List.exists (fun (limit, _) -> not limit.Figure.IsBytes) then
            TerminalLines.write (ResultsText.controls (Wrap.width ()) results)

    Options.withJson json show (fun () -> ResultsJson.write results)

    match BudgetFindings.complaints findings with
    | [] -> Endings.success
    | complaints ->
        for complaint in complaints do
            Endings.complain complaint

        if BudgetFindings.isNotJudged findings then Endings.notJudged else Endings.failure

/// plait lab check
let command () : Command =
    Verb.make
        "check"
        "Judge results by a budget: limits for bytes and ratios of rows. Exit code 0: all are kept; 1: one is exceeded, unresolved or not measured; 2: the budget or the results cannot be read; 3: a limited figure is not judged, because the A/A control of its measure missed."
        [ budgetFile; resultsFile ]
        [ candidates; json ]
        run
