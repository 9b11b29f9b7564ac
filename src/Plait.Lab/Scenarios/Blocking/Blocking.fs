// The scenario blocking: jobs that wait, in every way of waiting, and its results as every scenario has them.
module Plait.Lab.Blocking

open System
open System.Globalization
open System.Threading

open Plait.Report

/// The name of the scenario, as in 'plait lab NAME'.
let name = "blocking"

/// The command of the process that runs jobs. `folder`: that of the built candidates. Raises BadInput when it is not there.
let worker (folder: string) : string list =
    [ CandidateProcess.Host; BuiltProgram.assembly folder "blocking" "Plait.Lab.BlockingJobs" ]

let private environment (before: EnvironmentSnapshot.InitialFacts) : RunEnvironment =
    { EnvironmentSnapshot.environment before [] with
        // Nothing is bound: the pool begins with as many threads as the process has cores.
        ServerCore = None
        ClientCore = None
        Pinning = "not pinned: every process has all cores"
    }

let private control
    (settings: BlockingSettings)
    (runs: (CaseRun * BlockingFigures.Figures) list)
    : Control list =
    let names = BlockingCases.control.Id, AsyncSleep.Label settings.Load

    match BlockingFigures.controlRatio runs with
    | Some ratio ->
        [
            ControlRule.found
                Measure.InProcess
                (BlockingCases.isHeld ratio)
                BlockingCases.controlMargin
                (BlockingFigures.added settings runs)
                names
                $"{ratio:F2} of its time"
                $"{100.0 * BlockingCases.controlMargin:F0} %%"
        ]
    | None when runs |> List.exists (fun (run, _) -> run.Case = BlockingCases.control) ->
        [ ControlRule.unmeasured Measure.InProcess BlockingCases.controlMargin names None ]
    | None -> []

let private warnings
    (settings: BlockingSettings)
    (before: EnvironmentSnapshot.InitialFacts)
    (cores: int)
    (runs: (CaseRun * BlockingFigures.Figures) list)
    : string list =
    [
        if not (BlockingCases.isControlled settings) then
            "without async-sleep there is no A/A control, which measures differences by chance"

        match before.BusyCores with
        | Some busy when busy > 0.5 * float cores ->
            $"other programs were running when the measuring began ({busy:F1} cores were busy): the pool adds threads more slowly while the processors are busy"
        | _ -> ()

        if settings.Load.Scale <> 1.0 then
            let share = settings.Load.Scale.ToString("0.###", CultureInfo.InvariantCulture)

            $"scaled: {settings.Load.Jobs} jobs instead of the published 1,000 (--scale {share}), and the numbers of threads in proportion; the times of starved modes are not, because the pool adds threads by the second at every scale"

        if settings.Load.SleepMilliseconds <> 500 then
            $"each job waits {settings.Load.SleepMilliseconds} ms instead of the published 500"

        if settings.Examine.IsSome then
            "the doctor looked at each run for about a second, which costs processor time: compare the times only with those of other runs with --doctor"

        for run, _ in runs do
            for observation in run.Observations do
                match observation.Examination with
                | Some { Found = Error sentence } -> $"{run.Case.Id} could not be looked at: {sentence}"
                | _ -> ()

        if settings.Launches < 3 then
            "how fast a starved pool grows differs from run to run: take the times of its modes as one draw of a few (--launches)"

        for run, _ in runs do
            for observation in run.Observations do
                match observation.Ending with
                | TimedOut _
                | Failed _ -> $"{run.Case.Id} {BlockingRun.word settings observation}"
                | Ended _
                | Interrupted -> ()
    ]

let private failures (runs: CaseRun list) : string list =
    [
        for run in runs do
            for observation in run.Observations do
                match observation.Ending with
                | Failed sentence -> sentence
                | _ -> ()
    ]

let private results
    (settings: BlockingSettings)
    (before: EnvironmentSnapshot.InitialFacts)
    (command: string)
    (complete: bool)
    (runs: CaseRun list)
    : Results =
    let cores = before.Cores

    let figured =
        runs |> List.map (fun run -> run, BlockingFigures.figures settings.Load run.Observations)

    let controls = control settings figured

    { Results.Empty with
        Scenario = name
        Title = "Jobs that wait: blocking a pool of threads, and the delay of other work"
        StartedUtc = Results.Stamp before.Started
        EndedUtc = Results.Stamp DateTime.UtcNow
        Complete = complete
        Invalid = false
        Command = command
        Seed = settings.Seed
        Settings =
            { Results.Empty.Settings with
                Launches = settings.Launches
                SliceMilliseconds = settings.SampleMilliseconds
            }
        Environment = environment before
        Answer = BlockingPanels.answer settings figured |> Answer.among controls
        Summary = BlockingPanels.summary settings cores
        Controls = controls
        Facts = BlockingPanels.facts settings controls figured
        Warnings = warnings settings before cores figured
        Panels = BlockingPanels.panels settings controls figured
    }

/// Runs it. `worker`: the command of a process that runs jobs; `tell` gets the progress, and `save` the results so
/// far after every case.
let run
    (settings: BlockingSettings)
    (repository: string)
    (command: string)
    (worker: string list)
    (tell: Progress -> unit)
    (save: Results -> unit)
    (stop: CancellationToken)
    : Ending * Results =
    let before = EnvironmentSnapshot.look repository
    let results = results settings before command

    let missed (runs: CaseRun list) =
        runs
        |> List.map (fun run -> run, BlockingFigures.figures settings.Load run.Observations)
        |> BlockingFigures.controlRatio
        |> Option.filter (BlockingCases.isHeld >> not)

    let ending, runs =
        BlockingRun.run settings worker tell (results false >> save) missed stop

    let ending =
        match ending, failures runs with
        | Completed, sentence :: _ -> Broken sentence
        | ending, _ -> ending

    ending, results (ending = Completed) runs
