// Pure: from observations to figures.
module Plait.Lab.Blocking.BlockingFigures

open Plait.Report

open Plait.Load
open Plait.Lab.Measure

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
        /// How long the probes waited; those that never ran with the time they had waited.
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
            match one.Outcome with
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

/// The time of the case of that id; None: it was not run, or never ended.
let wall (runs: (CaseRun * Figures) list) (id: string) : float option =
    runs
    |> List.tryFind (fun (run, _) -> run.Case.Id = id)
    |> Option.bind (fun (_, figures) -> figures.Wall)

/// What the mode of the control took the second time, over the first; None when either did not end.
let controlRatio (runs: (CaseRun * Figures) list) : float option =
    Option.map2 (/) (wall runs BlockingCases.controlId) (wall runs AsyncSleep.Name)
