// The verb that puts two runs of a scenario side by side.
module internal Plait.Tool.LabCompareVerb

open System
open System.CommandLine

open Plait.Common
open Plait.Report

let private oldFile =
    Argument<string>(
        "OLD.json",
        Description = "results of the earlier run (a file, or a folder that a run wrote)"
    )

let private newFile =
    Argument<string>("NEW.json", Description = "results of the later run")

/// The changes that fail in CI.
type private FailOn =
    | Never
    | Higher
    | Changed
    | Unresolved

let private conditions =
    [ "never", Never; "higher", Higher; "changed", Changed; "unresolved", Unresolved ]

let private failOn =
    Options.choice
        "--fail-on"
        conditions
        "exit with 1 if a figure is higher; changed: if one is higher or lower; unresolved: if one may be higher; default: never"

let private anyway =
    Options.flag
        "--anyway"
        "with --fail-on: judge also if the runs have other machines or settings that change the figures"

let private page =
    Options.text "--page" "FILE" "write the page of the new run, with panels of the comparison"

let private fails (condition: FailOn) (change: Changes.Change) =
    match condition, change.Verdict with
    | Never, _ -> false
    | (Higher | Changed), Changes.Higher
    | Changed, Changes.Lower -> true
    | (Higher | Changed), _ -> false
    | Unresolved,
      (Changes.Unchanged | Changes.Lower | Changes.OnlyNew | Changes.NoInterval | Changes.NotJudged) -> false
    | Unresolved, _ -> true

/// The reason to fail, if there is one. `isAnyway`: runs that are not comparable are judged too.
let private reason isAnyway condition differences (changes: Changes.Change list) : string option =
    if condition = Never then
        None
    elif not (Differences.isComparable differences || isAnyway) then
        Some "the two runs are not comparable, for the reasons above; --anyway judges them in spite of that"
    else
        match changes |> List.filter (fails condition) with
        | [] -> None
        | found ->
            let named =
                found
                |> List.map (fun change -> $"{change.Row} {change.Figure.Key} ({change.Verdict.Word})")
                |> String.concat ", "

            let word, _ = conditions |> List.find (fun (_, other) -> other = condition)
            Some $"--fail-on {word}: {named}"

/// The request of a command line.
type private CompareInput =
    {
        Old: Results
        New: Results
        Page: string option
        FailOn: FailOn
        /// Runs that are not comparable are judged too.
        IsAnyway: bool
    }

let private request (parsed: ParseResult) : CompareInput =
    {
        Old = LabOutput.read (parsed.GetRequiredValue oldFile)
        New = LabOutput.read (parsed.GetRequiredValue newFile)
        Page = Options.value parsed page
        FailOn = Options.valueOr Never parsed failOn
        IsAnyway = Options.value parsed anyway
    }

let private compareRuns (input: CompareInput) : int =
    let old, fresh = input.Old, input.New
    let changes = Changes.between old fresh
    let differences = Differences.between old fresh

    if changes.IsEmpty then
        raise (
            BadInput
                $"these results cannot be compared: neither run of '{fresh.Scenario}' has rows with bytes or ratios; their pages show their figures"
        )

    for line in Differences.lines differences do
        Console.Out.WriteLine line

    for name, results in [ "old", old; "new", fresh ] do
        for control in results.Missed do
            Wrap.lines "" $"The {name} run: {control.Sentence}"
            |> List.map (fun line -> LineKind.Bad, line)
            |> TerminalLines.write

    for line in Changes.lines changes do
        Console.Out.WriteLine line

    match input.Page with
    | Some file ->
        let panels =
            [
                if not differences.IsEmpty then
                    Differences.panel differences
                yield! Changes.panels fresh.Margin changes
            ]

        Files.writing file (fun () -> Page.write file { fresh with Panels = panels @ fresh.Panels })
    | None -> ()

    match reason input.IsAnyway input.FailOn differences changes with
    | None when input.FailOn <> Never && not (Changes.isJudged changes) ->
        Endings.complain "no ratio is judged, because the A/A control of a run missed; measure that run again"

        Endings.notJudged
    | None -> Endings.success
    | Some sentence ->
        Endings.complain sentence
        Endings.failure

let private run (parsed: ParseResult) : int = compareRuns (request parsed)

/// plait lab compare
let command () : Command =
    Verb.make
        "compare"
        "Put two runs of a scenario side by side: first the differences in machine and settings, then every figure with a verdict from both intervals."
        [ oldFile; newFile ]
        [ failOn; anyway; page ]
        run
