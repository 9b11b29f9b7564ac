// The verb that runs the scenario blocking: many jobs that wait, and the delay of other work.
module internal Plait.Tool.LabBlockingVerb

open System.CommandLine

open Plait.Common
open Plait.Lab

let private quick =
    LabOptions.quick "under three minutes: a tenth of the jobs, and a limit for every mode"

let private asPublished =
    Options.flag
        "--as-published"
        "run the two published modes in the published way as well (8 processors, no probes, one process for both), and show the effect of each of these three"

let private scale =
    Options.fraction "--scale" "X" (0.001, 10.0) "the share of the published 1,000 jobs"

let private sleep =
    Options.duration "--sleep" (1, 60_000) "how long a job waits; default: 500ms"

let private modeNames = [ for mode in Mode.all -> mode.Name, mode ]

let private only =
    let names = modeNames |> List.map fst |> String.concat ", "
    Options.choices "--only" modeNames $"run these modes: {names}"

let private skip = Options.choices "--skip" modeNames "leave these modes out"

let private launches =
    LabOptions.launches "how often every mode is run, each time in a fresh process; default: 1"

let private limit =
    Options.duration "--limit" (1000, 3_600_000) "how long a mode may take; default: 3m, with --quick 1m"

let private noProbe =
    Options.flag "--no-probe" "queue no probes: the jobs alone use the pool"

let private seed = LabOptions.seed "seed of the order of the modes"

let private doctor =
    Options.flag
        "--doctor"
        "look once at every process while its jobs run, as 'plait doctor' does: the results have its verdicts and lines"

let private candidates =
    LabOptions.candidates
        "the folder that the built candidates lie in: the program of the jobs is one of them"

let private options: System.CommandLine.Option list =
    [ quick; asPublished; scale; sleep; only; skip; launches; limit; noProbe; doctor; seed; candidates ]

/// The doctor's diagnosis of a process.
let private examine (pid: int) : PoolDiagnosis =
    let diagnosis =
        try
            Plait.Doctor.Judging.judge (Plait.Doctor.Look.at Plait.Doctor.Look.usual pid)
        with :? Plait.Doctor.NoAnswer as trouble ->
            Plait.Doctor.Judging.noAnswer (Plait.Doctor.Processes.facts pid) trouble.Message

    let first = List.tryHead diagnosis.BlockingLines

    {
        Verdict = Plait.Doctor.DiagnosisText.word diagnosis
        Line = first |> Option.map Plait.Doctor.DiagnosisText.culprit
        Workers = first |> Option.map _.Workers |> Option.defaultValue 0
    }

let private modes (parsed: ParseResult) : Mode list =
    let only, skip = Options.value parsed only, Options.value parsed skip

    match
        Mode.all
        |> List.filter (fun mode ->
            (only.IsEmpty || List.contains mode only) && not (List.contains mode skip))
    with
    | [] -> raise (BadInput "--skip leaves no mode to run; leave one of its names out")
    | modes -> modes

let private settings (parsed: ParseResult) : BlockingSettings =
    let preset =
        if Options.value parsed quick then BlockingCases.quick else BlockingCases.full

    if Options.value parsed doctor && Options.value parsed asPublished then
        raise (
            BadInput
                "--as-published and --doctor do not go together: the published runs had no doctor; leave one of them out"
        )

    // A user who sets the amount gets all of it, without a limit of time.
    let isOrdered =
        Options.isGiven parsed scale
        || Options.isGiven parsed launches
        || Options.isGiven parsed limit
        || Options.isGiven parsed sleep

    { preset with
        Seed = Options.valueOr preset.Seed parsed seed
        Load =
            {
                Scale = Options.valueOr preset.Load.Scale parsed scale
                SleepMilliseconds = Options.millisecondsOr preset.Load.SleepMilliseconds parsed sleep
            }
        Launches = Options.valueOr preset.Launches parsed launches
        Modes = modes parsed
        LimitSeconds = Options.secondsOr preset.LimitSeconds parsed limit
        BudgetSeconds = if isOrdered then None else preset.BudgetSeconds
        ProbeMilliseconds = if Options.value parsed noProbe then None else preset.ProbeMilliseconds
        AsPublished = Options.value parsed asPublished
        Examine = if Options.value parsed doctor then Some examine else None
    }

let private work (parsed: ParseResult) (root: string) : ScenarioVerb.Work =
    let settings = settings parsed
    let worker = Blocking.worker (LabOptions.candidatesFolder parsed candidates)

    fun session tell -> Blocking.run settings root session.Command worker tell session.Save session.Stop

/// plait lab blocking
let command () : Command =
    ScenarioVerb.make
        Blocking.name
        "Run 1,000 jobs that wait 500 ms, once for each way of waiting in a process of its own, and report the time of the jobs, the growth of the pool, and the wait of other work for a thread."
        options
        work
