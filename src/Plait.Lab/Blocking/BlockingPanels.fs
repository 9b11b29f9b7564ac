// What the scenario blocking shows: the table, and how threads, queue and the delay of others went.
module Plait.Lab.Blocking.BlockingPanels

open Plait.Lab.Blocking.BlockingFigures
open Plait.Lab.Report

/// Points of a curve on the page.
let private most = 300

let private label (settings: BlockingSettings) (case: Case) =
    case.Mode.Label settings.Load + case.Switch

/// Where a mode did not end, the bar is as long as it was watched.
let private shown (run: CaseRun) (figures: Figures) =
    match figures.Wall, run.Observations with
    | Some seconds, _ -> Some seconds
    | None, observations ->
        observations
        |> List.tryPick (fun one -> one.Moments |> List.tryLast |> Option.map _.Seconds)

let private statusOf settings (run: CaseRun) =
    match run.Observations |> List.map (BlockingRun.word settings) |> List.distinct with
    | [] -> "not run"
    | words -> String.concat "; " words

let private published (run: CaseRun) =
    match run.Case.Processors, run.Case.Switch with
    | Some _, ", 8 processors" -> None
    | _ -> run.Case.Mode.Published

let private wall settings (runs: (CaseRun * Figures) list) =
    let load = settings.Load

    { Panel.bars
          "wall"
          "Time until all jobs have ended"
          $"{load.Jobs} jobs that each wait {load.SleepMilliseconds} ms. The line is the ideal: all wait at the same time. Outlined: published, for 1,000 jobs of 500 ms on 8 cores."
          { Label = "time (s)"; Scale = "linear" }
          [
              for run, figures in runs do
                  match shown run figures with
                  | None -> ()
                  | Some seconds ->
                      {
                          Label = label settings run.Case
                          Family = ""
                          Value = seconds
                          Low = if run.Observations.Length > 1 then figures.Low else None
                          High = if run.Observations.Length > 1 then figures.High else None
                          Other = published run
                          Note = Some(statusOf settings run)
                      }
          ] with
        Reference = Some(float load.SleepMilliseconds / 1000.0)
        OtherLabel = Some "published: 1,000 jobs, 8 cores"
    }

let private curves settings (runs: (CaseRun * Figures) list) style (points: Observation -> float[] list) =
    [
        for run, _ in runs do
            match run.Observations with
            | first :: _ ->
                let all = points first

                if not all.IsEmpty then
                    {
                        Label = label settings run.Case
                        Family = ""
                        Points = thin most all
                        Of = all.Length
                        Style = style
                    }
            | [] -> ()
    ]

let private time = { Label = "time (s)"; Scale = "linear" }

let private overTime settings runs id title note scale unit' (value: Moment -> float) =
    curves settings runs "step" (fun one ->
        one.Moments |> List.map (fun moment -> [| moment.Seconds; value moment |]))
    |> Panel.lines id title note time { Label = unit'; Scale = scale }

let private delays settings runs =
    curves settings runs "line" (fun one ->
        one.Probes
        |> List.map (fun probe -> [| probe.QueuedSeconds; max 0.001 (1000.0 * probe.DelaySeconds) |]))
    |> Panel.lines
        "probe"
        "What others wait for"
        "A work item that does nothing is put into the queue of the pool every 10 ms: how long it waits for a thread, by the time at which it was put there. Whatever else the process has to do, such as answering a request, waits as long. Probes that never ran count with the time they had waited when the run ended."
        time
        { Label = "delay (ms)"; Scale = "log" }

/// Percentiles that are drawn.
let private percents =
    [ 0.0; 10.0; 25.0; 50.0; 75.0; 90.0; 95.0; 99.0; 99.5; 99.9; 100.0 ]

let private delayPercentiles settings (runs: (CaseRun * Figures) list) =
    Panel.percentiles
        "probe-percentiles"
        "Delays of the probes, by percentile"
        "Of the work items that others queued, how many waited how long."
        { Label = "delay (ms)"; Scale = "log" }
        [
            for run, figures in runs do
                if figures.Delays.Length > 0 then
                    {
                        Label = label settings run.Case
                        Family = ""
                        Points =
                            [|
                                for percent in percents ->
                                    [| percent; max 0.001 (percentile percent figures.Delays) |]
                            |]
                        Of = percents.Length
                        Style = "line"
                    }
        ]

let private table settings (runs: (CaseRun * Figures) list) =
    let column title digits better : Column =
        { Title = title; Digits = digits; Better = better }

    let number (value: float option) =
        value |> Option.map Panel.number |> Option.defaultValue Panel.nothing

    let delay percent (figures: Figures) =
        if figures.Delays.Length = 0 then
            Panel.nothing
        else
            Panel.number (percentile percent figures.Delays)

    Panel.table
        "modes"
        "The modes"
        "published: for 1,000 jobs of 500 ms on 8 cores. at once: the most jobs that waited at the same time; floor: the least time that so many at a time can take. pool, all: the most threads of the pool, and of the process. p50, p99, max: milliseconds that a probe waited for a thread."
        [
            column "mode" None ""
            column "wall s" (Some 2) "better lower"
            column "published" (Some 2) ""
            column "floor" (Some 1) ""
            column "at once" (Some 0) ""
            column "pool" (Some 0) ""
            column "all" (Some 0) ""
            column "queue" (Some 0) ""
            column "p50" (Some 1) "better lower"
            column "p99" (Some 0) "better lower"
            column "max" (Some 0) "better lower"
            column "status" None ""
        ]
        [
            for run, figures in runs ->
                [
                    Panel.text (label settings run.Case)
                    number figures.Wall
                    number (published run)
                    number figures.Floor
                    if run.Observations.IsEmpty then Panel.nothing else Panel.number (float figures.AtOnce)
                    if run.Observations.IsEmpty then
                        Panel.nothing
                    else
                        Panel.number (float figures.PoolThreads)
                    if run.Observations.IsEmpty then Panel.nothing else Panel.number (float figures.Threads)
                    if run.Observations.IsEmpty then Panel.nothing else Panel.number (float figures.Queue)
                    delay 50.0 figures
                    delay 99.0 figures
                    delay 100.0 figures
                    Panel.text (statusOf settings run)
                ]
        ]

let private effect settings (runs: (CaseRun * Figures) list) =
    let wall id =
        runs
        |> List.tryFind (fun (run, _) -> run.Case.Id = id)
        |> Option.bind (fun (_, figures) -> figures.Wall)

    let pairs =
        [
            "no probe", "thread-sleep+no-probe", "thread-sleep"
            "8 processors", "thread-sleep+8-processors", "thread-sleep"
            "both: as published", "thread-sleep+as-published", "thread-sleep"
            "both, and behind Thread.Sleep in one process", "async-sleep+as-published", "async-sleep"
        ]

    let column title digits : Column =
        { Title = title; Digits = digits; Better = "" }

    if not settings.AsPublished then
        []
    else
        [
            Panel.table
                "as-published-effect"
                "What the published way does"
                "Each switch alone, then all of them. 8 processors: the runtime is told that it has as many as the publication's machine, so the pool begins with 8 threads; the jobs only sleep, so they need no more cores than there are."
                [
                    column "switch" None
                    column "mode" None
                    column "without (s)" (Some 2)
                    column "with (s)" (Some 2)
                    column "effect" (Some 2)
                    column "published (s)" (Some 2)
                ]
                [
                    for switch, id, usual in pairs do
                        let mode = Mode.find usual |> Option.get

                        let number (value: float option) =
                            value |> Option.map Panel.number |> Option.defaultValue Panel.nothing

                        [
                            Panel.text switch
                            Panel.text (mode.Label settings.Load)
                            number (wall usual)
                            number (wall id)
                            number (Option.map2 (/) (wall id) (wall usual))
                            if id.EndsWith "+as-published" then number mode.Published else Panel.nothing
                        ]
                ]
        ]

let private summary (settings: BlockingSettings) (cores: int) (runs: (CaseRun * Figures) list) =
    let load = settings.Load
    let never = Mode.floor load.Jobs load.SleepMilliseconds cores

    let ended =
        runs
        |> List.choose (fun (run, figures) ->
            figures.Wall |> Option.map (fun wall -> label settings run.Case, wall, figures))

    let delays =
        runs
        |> List.filter (fun (_, figures) -> figures.Delays.Length > 0)
        |> List.map (fun (run, figures) -> label settings run.Case, percentile 50.0 figures.Delays)

    let milliseconds (value: float) =
        if value < 1000.0 then $"{value:F1} ms" else $"{value / 1000.0:F1} s"

    Panel.facts
        $"{load.Jobs} jobs that each wait {load.SleepMilliseconds} ms, on {cores} cores. All at once they take {float load.SleepMilliseconds / 1000.0:F1} s; a pool that stayed at {cores} threads would take {never:F0} s."
        [
            if not ended.IsEmpty then
                let name, wall, _ = ended |> List.minBy (fun (_, wall, _) -> wall)
                "Fastest", $"{wall:F2} s", name
                let name, wall, figures = ended |> List.maxBy (fun (_, wall, _) -> wall)
                "Slowest", $"{wall:F1} s", $"{name}, at most {figures.AtOnce} at once"

            if not delays.IsEmpty then
                let name, delay = delays |> List.maxBy snd
                "What others wait, at worst", milliseconds delay, $"median delay of a work item: {name}"
        ]

/// All panels, and what the reader must know of them.
let panels (settings: BlockingSettings) (cores: int) (runs: CaseRun list) : Panel list =
    let runs = runs |> List.map (fun run -> run, figures settings.Load run.Observations)

    [
        summary settings cores runs
        table settings runs
        yield! effect settings runs
        wall settings runs
        overTime
            settings
            runs
            "pool-threads"
            "Threads of the pool"
            "How the pool grows: slowly when its threads are blocked, because it cannot know that they only wait."
            "log"
            "threads"
            (fun moment -> float (max 1 moment.PoolThreads))
        overTime
            settings
            runs
            "threads"
            "Threads of the process"
            "All threads: those of the pool, those that jobs made for themselves, and those of the runtime and of the watching."
            "log"
            "threads"
            (fun moment -> float moment.Threads)
        overTime
            settings
            runs
            "queue"
            "Work items that wait for a thread"
            "The queue of the pool: jobs that have not begun, and probes."
            "linear"
            "work items"
            (fun moment -> float moment.Queue)
        overTime
            settings
            runs
            "jobs"
            "Jobs that have ended"
            "A straight line is a pool that does not grow."
            "linear"
            "jobs"
            (fun moment -> float moment.Ended)
        delays settings runs
        delayPercentiles settings runs
    ]
