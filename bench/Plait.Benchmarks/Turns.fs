// How a suite is measured: every row in turn, again and again in one process, so that a slow second of the machine hits
// all rows alike. Bytes first; time only as a ratio to another row's.
module Plait.Benchmarks.Turns

open System
open System.Diagnostics
open MathNet.Numerics.Statistics

/// A row's figures: bytes per operation, and nanoseconds per operation in each round.
type Figures = { Row: string; Bytes: float; Times: float[] }

let private ratios (figures: Figures) (over: Figures) = Array.map2 (/) figures.Times over.Times

/// The time over another row's: the median of the rounds' ratios.
let ratio figures over = (ratios figures over).Median()

/// The quartiles of the rounds' ratios.
let quartiles figures over =
    let ratios = ratios figures over
    ratios.LowerQuartile(), ratios.UpperQuartile()

/// The row that a suite's base is measured as once more.
let private again (suite: Suite) = $"{suite.Base}, again"

/// The suite with its control (A/A): its base once more, as a row like any other.
let withControl (suite: Suite) : Suite =
    let rows = suite.Rows
    let control = rows |> List.find (fun row -> row.Name = suite.Base)

    { suite with Rows = rows @ [ { control with Name = again suite } ] }

/// The largest distance of a control's ratio from 1. A goal of "no longer" allows the same.
let controlLimit = 0.05

/// The time of a suite's control over its base, where it differs by more than the limit: then no row of the suite is to be
/// believed.
let failedControl (suite: Suite) (figures: Figures list) : float option =
    let figuresOf name =
        figures |> List.find (fun figures -> figures.Row = name)

    let seen = ratio (figuresOf (again suite)) (figuresOf suite.Base)
    if abs (seen - 1.0) > controlLimit then Some seen else None

let private allocated allThreads =
    if allThreads then
        GC.GetTotalAllocatedBytes true
    else
        GC.GetAllocatedBytesForCurrentThread()

#if PROCESSOR_TIME
/// Nanoseconds that the process has used the processor: for a machine that others use.
let private now () =
    Environment.CpuUsage.TotalTime.TotalNanoseconds
#else
let private now () =
    float (Stopwatch.GetTimestamp()) * 1e9 / float Stopwatch.Frequency
#endif

let private slice suite (row: Row) = (row.Run suite.Operations).Wait()

/// Measures a suite in the given number of rounds. Each round runs the rows forwards and then backwards (A B B A). As many rounds are
/// added, up to `passes` times the number in all, until the figures of all rounds are enough.
let measureUntil (isEnough: Figures list -> bool) (passes: int) (rounds: int) (suite: Suite) : Figures list =
    let rows = List.toArray suite.Rows

    // warm: tier 1 is compiled on another thread, and only when no new method has been met for a while
    for _ in 1..12 do
        for row in rows do
            (row.Run(max 1 (suite.Operations / 5))).Wait()

        Threading.Thread.Sleep 120

    let times = rows |> Array.map (fun _ -> ResizeArray<float>())
    let bytes = rows |> Array.map (fun _ -> ResizeArray<float>())
    let forwards = [ 0 .. rows.Length - 1 ]

    let round () =
        let once = Array.zeroCreate<float> rows.Length

        for i in forwards @ List.rev forwards do
            let before = allocated suite.AllThreads
            let start = now ()
            slice suite rows[i]
            once[i] <- once[i] + now () - start
            bytes[i].Add(float (allocated suite.AllThreads - before) / float suite.Operations)

        for i in forwards do
            times[i].Add(once[i] / 2.0 / float suite.Operations)

    let rec pass (left: int) =
        for _ in 1..rounds do
            round ()

        let figures =
            [
                for i in forwards ->
                    { Row = rows[i].Name; Bytes = bytes[i].Median(); Times = times[i].ToArray() }
            ]

        if left > 1 && not (isEnough figures) then pass (left - 1) else figures

    pass passes

/// Measures a suite in the given number of rounds.
let measure (rounds: int) (suite: Suite) : Figures list =
    measureUntil (fun _ -> true) 1 rounds suite

/// Measures a suite with its control, and measures on while the control misses: the control's own ratio is 1, so that to go on until it
/// holds does not choose among the other rows.
let measureControlled (rounds: int) (suite: Suite) : Figures list =
    measureUntil (fun figures -> (failedControl suite figures).IsNone) 4 rounds (withControl suite)
