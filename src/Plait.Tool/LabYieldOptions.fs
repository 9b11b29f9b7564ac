// The options of the scenario yield, and what they come to.
module internal Plait.Tool.LabYieldOptions

open System
open System.CommandLine
open System.IO

open Plait.Lab.Scenarios

let private ranges = Settings.ranges

let private quick =
    Options.flag "--quick" "under three minutes: fewer launches and pairs, shorter slices, wider intervals"

let private asPublished =
    Options.flag
        "--as-published"
        "measure the published rows in PooledAwait's way as well: time on the wall, on all cores, one row after another; what that changes is shown"

let private only =
    Options.names
        "--only"
        "measure these rows (strand, csharp-task); the base csharp-task-t and the A/A control always are"

let private skip = Options.names "--skip" "leave these rows out"

let private list = Options.flag "--list" "list the rows, and measure nothing"

let private seed =
    Options.number "--seed" [] "N" ranges.Seed "seed of every random choice"

let private launches =
    Options.number "--launches" [] "N" ranges.Launches "fresh processes of every row and of the base"

let private pairs =
    Options.number "--pairs" [] "N" ranges.Pairs "pairs of slices, row and base, in a launch"

let private slice =
    Options.number "--slice" [] "MS" ranges.SliceMilliseconds "milliseconds of one slice"

let private warmUp =
    Options.number
        "--warm-up"
        []
        "MS"
        ranges.WarmUpMilliseconds
        "milliseconds of CPU that each process has before its pairs are measured, at least"

let private out =
    Options.text
        "--out"
        "DIR"
        "the folder to write to; default: artifacts/lab/yield-<time>, with a copy in artifacts/lab/yield-latest"

let private json =
    Options.text "--json" "FILE" "write results.json to this file as well"

let private candidates =
    Options.text
        "--candidates"
        "DIR"
        "the folder of all candidates; the rows' program lies in yields below it"

let private patience =
    Options.number
        "--patience"
        []
        "MS"
        ranges.PatienceMilliseconds
        "milliseconds that a process may take to answer before it counts as hanging"

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list =
    [
        quick
        asPublished
        only
        skip
        list
        seed
        launches
        pairs
        slice
        warmUp
        out
        json
        candidates
        patience
    ]

/// The rows that are to be measured, the base and the control among them. Raises BadInput for names that are not known.
let rows (parsed: ParseResult) : RowPlan list =
    Options.value parsed candidates
    |> Option.defaultWith (fun () ->
        Candidate.defaultFolder AppContext.BaseDirectory (Directory.GetCurrentDirectory()))
    |> YieldRows.candidates
    |> Selection.chooseFrom
        "'plait lab yield --list'"
        [ Yield.scenario.Base; Yield.scenario.Control ]
        (Options.value parsed only)
        (Options.value parsed skip)

/// How to measure the published way; None: not.
let effort (parsed: ParseResult) : YieldAsPublished.Effort option =
    if not (Options.value parsed asPublished) then None
    elif Options.value parsed quick then Some YieldAsPublished.quick
    else Some YieldAsPublished.full

/// How to measure. What the published way takes of the time of --quick is taken off.
let settings (parsed: ParseResult) (rows: RowPlan list) : Settings =
    let preset = Yield.settings (Options.value parsed quick)

    let value (option: Option<int option>) fallback =
        Options.value parsed option |> Option.defaultValue fallback

    let isOrdered =
        [ launches; pairs; slice; warmUp ]
        |> List.exists (fun option -> (Options.value parsed option).IsSome)

    let published =
        match effort parsed with
        | Some effort ->
            rows
            |> List.filter YieldAsPublished.isIts
            |> List.length
            |> YieldAsPublished.seconds effort
        | None -> 0.0

    { preset with
        BudgetSeconds =
            if isOrdered then
                None
            else
                preset.BudgetSeconds |> Option.map (fun budget -> budget - published)
        Seed = value seed preset.Seed
        Launches = value launches preset.Launches
        Pairs = value pairs preset.Pairs
        SliceMilliseconds = value slice preset.SliceMilliseconds
        WarmUp =
            Options.value parsed warmUp
            |> Option.map Settings.warmedFor
            |> Option.defaultValue preset.WarmUp
        PatienceMilliseconds = value patience preset.PatienceMilliseconds
    }

/// Whether the rows are only listed.
let isList (parsed: ParseResult) : bool = Options.value parsed list

/// Where to write, if the user says so.
let outputFolder (parsed: ParseResult) : string option = Options.value parsed out

/// Another file for results.json, if the user wants one.
let jsonFile (parsed: ParseResult) : string option = Options.value parsed json
