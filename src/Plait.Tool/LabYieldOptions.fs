// The options of the scenario yield, and what they come to.
module internal Plait.Tool.LabYieldOptions

open System.CommandLine

open Plait.Lab.Scenarios

let private quick =
    LabOptions.quick "under three minutes: fewer launches and pairs, shorter slices, wider intervals"

let private asPublished =
    Options.flag
        "--as-published"
        "measure the published rows in PooledAwait's way as well: time on the wall, on all cores, one row after another; what that changes is shown"

let private only =
    LabOptions.only
        "measure these rows (strand, csharp-task); the base csharp-task-t and the A/A control always are"

let private skip = LabOptions.skip "rows"
let private list = Options.flag "--list" "list the rows, and measure nothing"
let private effort = LabEffort.make "row" [] "every random choice"
let private out = LabOptions.out "yield"

let private candidates =
    LabOptions.candidates "the folder of all candidates; the rows' program lies in yields below it"

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list =
    [
        quick
        asPublished
        only
        skip
        list
        yield! LabEffort.all' effort
        out
        LabOptions.json
        candidates
        LabOptions.patience
    ]

/// The rows that are to be measured, the base and the control among them. Raises BadInput for names that are not known.
let rows (parsed: ParseResult) : RowPlan list =
    LabOptions.candidatesFolder parsed candidates
    |> YieldRows.candidates
    |> Selection.chooseFrom
        "'plait lab yield --list'"
        [ Yield.scenario.Base; Yield.scenario.Control ]
        (Options.value parsed only)
        (Options.value parsed skip)

/// How to measure the published way; None: not.
let published (parsed: ParseResult) : YieldAsPublished.Effort option =
    if not (Options.value parsed asPublished) then None
    elif Options.value parsed quick then Some YieldAsPublished.quick
    else Some YieldAsPublished.full

/// How to measure. What the published way takes of the time of --quick is taken off.
let settings (parsed: ParseResult) (rows: RowPlan list) : Settings =
    let preset = Yield.settings (Options.value parsed quick)

    let takenOff =
        match published parsed with
        | Some effort ->
            rows
            |> List.filter YieldAsPublished.isIts
            |> List.length
            |> YieldAsPublished.seconds effort
        | None -> 0.0

    { preset with
        BudgetSeconds = preset.BudgetSeconds |> Option.map (fun budget -> budget - takenOff)
    }
    |> LabEffort.into effort (LabEffort.isOrdered effort parsed) parsed

/// Whether the rows are only listed.
let isList (parsed: ParseResult) : bool = Options.value parsed list

/// Where to write, if the user says so.
let outputFolder (parsed: ParseResult) : string option = Options.value parsed out

/// Another file for results.json, if the user wants one.
let jsonFile (parsed: ParseResult) : string option = Options.value parsed LabOptions.json
