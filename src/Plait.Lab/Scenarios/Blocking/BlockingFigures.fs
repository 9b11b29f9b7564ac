// Pure: from observations to figures, and to curves of how the runs went over time.
module Plait.Lab.BlockingFigures

open Plait.Common
open Plait.Report

open Plait.Load

/// The figures of a case.
type Figures =
    {
        /// Seconds, the median over the launches that ended; None: none did.
        Wall: float option
        /// The least and the most of them.
        Low: float option
        High: float option
        /// The most jobs that waited at the same time.
        AtOnce: int
        /// The least time that so many at a time can take.
        Floor: float option
        /// The most threads of the pool.
        PoolThreads: int
        /// The most threads of the process.
        Threads: int
        /// The longest queue of the pool.
        Queue: int64
        /// How long the probes waited; probes that never ran with their wait until the end.
        Delays: Histogram
    }

    /// The milliseconds that so many percent of the probes waited at most; None without probes.
    member this.Delay(percent: float) : float option =
        if this.Delays.Count = 0L then
            None
        else
            Some(Duration.milliseconds (this.Delays.Percentile percent))

/// The figures of the runs of one case.
let figures (load: Workload) (observations: Observation list) : Figures =
    let walls =
        observations
        |> List.choose (fun one ->
            match one.Ending with
            | Ended seconds -> Some seconds
            | _ -> None)

    let moments = observations |> List.collect _.Moments
    let delays = Histogram()

    for probe in observations |> List.collect _.Probes do
        // No less than a microsecond, because plots of it are logarithmic.
        delays.Record(max 1000L (int64 (1e9 * probe.DelaySeconds)))

    let most (value: Moment -> int) =
        moments |> List.fold (fun most one -> max most (value one)) 0

    let atOnce = observations |> List.fold (fun most one -> max most one.AtOnce) 0

    let some fold =
        if walls.IsEmpty then None else Some(fold walls)

    {
        Wall = some Statistics.median
        Low = some List.min
        High = some List.max
        AtOnce = atOnce
        Floor = if atOnce = 0 then None else Some(Mode.floor load.Jobs load.SleepMilliseconds atOnce)
        PoolThreads = most _.PoolThreads
        Threads = most _.Threads
        Queue = moments |> List.fold (fun longest one -> max longest one.Queue) 0L
        Delays = delays
    }

/// The time of a case; None: it was not run, or never ended.
let wall (runs: (CaseRun * Figures) list) (case: Case) : float option =
    runs
    |> List.tryFind (fun (run, _) -> run.Case.Id = case.Id)
    |> Option.bind (fun (_, figures) -> figures.Wall)

/// The second time of the control's mode over the first; None when either did not end.
let controlRatio (runs: (CaseRun * Figures) list) : float option =
    Option.map2
        (/)
        (wall runs BlockingCases.control)
        (wall runs { BlockingCases.control with Variant = Variant.Usual })

/// How often the control was run once more because it missed.
let added (settings: BlockingSettings) (runs: (CaseRun * Figures) list) : int =
    runs
    |> List.tryFind (fun (run, _) -> run.Case.Id = BlockingCases.control.Id)
    |> Option.map (fun (run, _) -> max 0 (run.Observations.Length - settings.Launches))
    |> Option.defaultValue 0

/// Points of a curve on the page.
let private most = 300

let private series
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
                PlotPoints.series (run.Case.Label settings.Load) Family.Other style most xs ys
            | _ -> ()
    ]

let private overTime settings runs id title note scale unit' (value: Moment -> float) =
    series settings runs Style.Step (fun one ->
        one.Moments |> List.map (fun moment -> moment.Seconds, value moment))
    |> Panel.lines id title note LatencyPanels.time { Panel.linear unit' with Scale = scale }

let private delays settings runs =
    series settings runs Style.Line (fun one ->
        one.Probes
        |> List.map (fun probe -> probe.QueuedSeconds, max 0.001 (1000.0 * probe.DelaySeconds)))
    |> Panel.lines
        "probe"
        "The waits of other work"
        "Every 10 ms the run puts an empty work item into the queue of the pool: its wait for a thread, by the time at which it was put there. Other work of the process, such as the answer to a request, waits as long. A probe that never ran counts with its wait until the end of the run."
        LatencyPanels.time
        (Panel.log "delay (ms)")

let private delayPercentiles settings (runs: (CaseRun * Figures) list) =
    [
        for run, figures in runs do
            if figures.Delays.Count > 0L then
                LatencyPanels.curve figures.Delays
                |> Panel.series Style.Line (run.Case.Label settings.Load) Family.Other
    ]
    |> Panel.percentiles
        "probe-percentiles"
        "Delays of the probes, by percentile"
        "Of the work items that others queued, how many waited how long."
        (Panel.log "delay (ms)")

/// How it went over time, of the modes alone: more curves than these cannot be told apart.
let curves settings runs : Panel list =
    [
        overTime
            settings
            runs
            "pool-threads"
            "Threads of the pool"
            "The growth of the pool: slow when its threads are blocked, because it adds one thread at a time."
            Scale.Log
            "threads"
            (fun moment -> float (max 1 moment.PoolThreads))
        overTime
            settings
            runs
            "threads"
            "Threads of the process"
            "All threads: of the pool, of jobs that made their own, of the runtime and of the measuring."
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
