// The options of the scenario blocking, and what they come to.
module internal Plait.Tool.LabBlockingOptions

open System.CommandLine

open Plait.Report

open Plait.Lab.Blocking

let private quick =
    LabOptions.quick "under three minutes: a tenth of the jobs, and a limit for every mode"

let private asPublished =
    Options.flag
        "--as-published"
        "run the two published modes in the published way as well (8 processors, no probes, one process for both); what each switch changes is shown"

let private scale =
    Options.fraction "--scale" "X" (0.001, 10.0) "the share of the published 1,000 jobs"

let private sleep =
    Options.number "--sleep" [] "MS" (1, 60000) "milliseconds that a job waits"

let private only =
    LabOptions.only
        "run these modes: async-sleep, thread-sleep, degree-100, task-run, long-running, min-threads-100, min-threads-1000, new-thread, run-synchronously, result"

let private skip = LabOptions.skip "modes"
let private launches = LabOptions.launches "fresh processes of every mode"

let private limit =
    Options.number "--limit" [] "S" (1, 3600) "seconds that a mode may take"

let private noProbe =
    Options.flag "--no-probe" "queue no probes: nothing but the jobs wants threads of the pool"

let private seed = LabOptions.seed "seed of the order of the modes"
let private out = LabOptions.out BlockingResults.name

/// All of them, in the order in which help shows them.
let all': System.CommandLine.Option list =
    [
        quick
        asPublished
        scale
        sleep
        only
        skip
        launches
        limit
        noProbe
        seed
        out
        LabOptions.json
    ]

let private named (option: string) (names: string list) : Mode list =
    let known = Mode.all |> List.map _.Name

    [
        for name in names ->
            match Mode.find name with
            | Some mode -> mode
            | None ->
                let hint =
                    match NearestName.find known name with
                    | Some near -> $"did you mean {near}?"
                    | None -> "known are " + String.concat ", " known

                raise (BadInput $"{option}: there is no mode '{name}'; {hint}")
    ]

let private modes (parsed: ParseResult) : Mode list =
    let only = Options.value parsed only |> named "--only"
    let skip = Options.value parsed skip |> named "--skip"

    let isIn (modes: Mode list) (mode: Mode) =
        modes |> List.exists (fun other -> other.Name = mode.Name)

    match
        Mode.all
        |> List.filter (fun mode -> (only.IsEmpty || isIn only mode) && not (isIn skip mode))
    with
    | [] -> raise (BadInput "--skip leaves no mode to run; leave one of its names out")
    | modes -> modes

/// How to run. Raises BadInput for modes that are not known.
let settings (parsed: ParseResult) : BlockingSettings =
    let preset =
        if Options.value parsed quick then BlockingCases.quick else BlockingCases.full

    // Whoever says how much is to be run gets all of it, however long that takes.
    let isOrdered =
        (Options.value parsed scale).IsSome
        || [ launches; limit; sleep ]
           |> List.exists (fun option -> (Options.value parsed option).IsSome)

    { preset with
        Seed = Options.valueOr preset.Seed parsed seed
        Load =
            {
                Scale = Options.valueOr preset.Load.Scale parsed scale
                SleepMilliseconds = Options.valueOr preset.Load.SleepMilliseconds parsed sleep
            }
        Launches = Options.valueOr preset.Launches parsed launches
        Modes = modes parsed
        LimitSeconds =
            Options.value parsed limit |> Option.map float |> Option.defaultValue preset.LimitSeconds
        BudgetSeconds = if isOrdered then None else preset.BudgetSeconds
        ProbeMilliseconds = if Options.value parsed noProbe then None else preset.ProbeMilliseconds
        AsPublished = Options.value parsed asPublished
    }

/// Where to write, if the user says so.
let outputFolder (parsed: ParseResult) : string option = Options.value parsed out

/// Another file for results.json, if the user wants one.
let jsonFile (parsed: ParseResult) : string option = Options.value parsed LabOptions.json
