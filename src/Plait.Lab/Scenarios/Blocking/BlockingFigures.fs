// Pure: from observations to figures and points.
module Plait.Lab.Blocking.BlockingFigures

open System

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
        /// Delays of the probes in milliseconds, ascending; those that never ran with the time they had waited.
        Delays: float[]
        /// Probes that had not run when the run ended.
        NeverRan: int
    }

/// The value below which `percent` of the sorted values lie: the nearest rank. NaN for none.
let percentile (percent: float) (sorted: float[]) : float =
    if sorted.Length = 0 then
        nan
    else
        let rank = int (Math.Ceiling(percent / 100.0 * float sorted.Length))
        sorted[Math.Clamp(rank, 1, sorted.Length) - 1]

/// The figures of the runs of one case.
let figures (load: Workload) (observations: Observation list) : Figures =
    let walls =
        observations
        |> List.choose (fun one ->
            match one.Outcome with
            | Ended seconds -> Some seconds
            | _ -> None)

    let moments = observations |> List.collect _.Moments
    let probes = observations |> List.collect _.Probes

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
        Delays =
            probes
            |> List.map (fun probe -> 1000.0 * probe.DelaySeconds)
            |> Array.ofList
            |> Array.sort
        NeverRan = probes |> List.filter (fun probe -> not probe.Ran) |> List.length
    }

/// The time of the case of that id; None: it was not run, or never ended.
let wall (runs: (CaseRun * Figures) list) (id: string) : float option =
    runs
    |> List.tryFind (fun (run, _) -> run.Case.Id = id)
    |> Option.bind (fun (_, figures) -> figures.Wall)

/// What the mode of the control took the second time, over the first; None when either did not end.
let controlRatio (runs: (CaseRun * Figures) list) : float option =
    Option.map2 (/) (wall runs BlockingCases.controlId) (wall runs AsyncSleep.Name)

/// At most about `limit` of the points, x ascending: of each stretch of them the highest is kept, and the first and the
/// last of all.
let thin (limit: int) (points: float[] list) : float[][] =
    let points = Array.ofList points

    if points.Length <= limit then
        points
    else
        let inner = points[1 .. points.Length - 2]

        [|
            points[0]
            for stretch in Array.splitInto (limit - 2) inner do
                stretch |> Array.maxBy (fun point -> point[1])
            points[points.Length - 1]
        |]
