// How the runs of the scenario blocking went over time: threads, queue, jobs, and the delay of others, as curves.
module internal Plait.Lab.Blocking.BlockingCurves

open Plait.Lab.Blocking.BlockingFigures
open Plait.Load
open Plait.Report

/// Points of a curve on the page.
let private most = 300

/// How a case is shown.
let label (settings: BlockingSettings) (case: Case) =
    case.Mode.Label settings.Load + case.Switch

let private curves
    settings
    (runs: (CaseRun * Figures) list)
    style
    (points: Observation -> (float * float) list)
    =
    [
        for run, _ in runs do
            match run.Observations with
            | first :: _ when not (points first).IsEmpty ->
                let xs, ys = points first |> Array.ofList |> Array.unzip
                Thin.series (label settings run.Case) Family.Other style most xs ys
            | _ -> ()
    ]

let private overTime settings runs id title note scale unit' (value: Moment -> float) =
    curves settings runs Style.Step (fun one ->
        one.Moments |> List.map (fun moment -> moment.Seconds, value moment))
    |> Panel.lines id title note LatencyPanels.time { Label = unit'; Scale = scale }

let private delays settings runs =
    curves settings runs Style.Line (fun one ->
        one.Probes
        |> List.map (fun probe -> probe.QueuedSeconds, max 0.001 (1000.0 * probe.DelaySeconds)))
    |> Panel.lines
        "probe"
        "What others wait for"
        "A work item that does nothing is put into the queue of the pool every 10 ms: how long it waits for a thread, by the time at which it was put there. Whatever else the process has to do, such as answering a request, waits as long. Probes that never ran count with the time they had waited when the run ended."
        LatencyPanels.time
        (Panel.log "delay (ms)")

let private delayPercentiles settings (runs: (CaseRun * Figures) list) =
    [
        for run, figures in runs do
            if figures.Delays.Count > 0L then
                LatencyPanels.curve figures.Delays
                |> LatencyPanels.line Style.Line (label settings run.Case) Family.Other
    ]
    |> Panel.percentiles
        "probe-percentiles"
        "Delays of the probes, by percentile"
        "Of the work items that others queued, how many waited how long."
        (Panel.log "delay (ms)")

/// How it went over time, of the modes alone: more curves than these cannot be told apart.
let panels settings runs : Panel list =
    [
        overTime
            settings
            runs
            "pool-threads"
            "Threads of the pool"
            "How the pool grows: slowly when its threads are blocked, because it cannot know that they only wait."
            Scale.Log
            "threads"
            (fun moment -> float (max 1 moment.PoolThreads))
        overTime
            settings
            runs
            "threads"
            "Threads of the process"
            "All threads: those of the pool, those that jobs made for themselves, and those of the runtime and of the watching."
            Scale.Log
            "threads"
            (fun moment -> float moment.Threads)
        overTime
            settings
            runs
            "queue"
            "Work items that wait for a thread"
            "The queue of the pool: jobs that have not begun, and probes."
            Scale.Linear
            "work items"
            (fun moment -> float moment.Queue)
        overTime
            settings
            runs
            "jobs"
            "Jobs that have ended"
            "A straight line is a pool that does not grow."
            Scale.Linear
            "jobs"
            (fun moment -> float moment.Ended)
        delays settings runs
        delayPercentiles settings runs
    ]
    |> List.filter (fun panel ->
        match panel.Plot with
        | Lines(_, _, [])
        | Percentiles(_, []) -> false
        | _ -> true)
