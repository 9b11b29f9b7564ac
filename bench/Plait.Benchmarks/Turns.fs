// How a suite is measured: every row in turn, again and again in one process, so that a slow second of the machine hits
// all rows alike. Bytes first; time only as a ratio to the suite's base.
module Plait.Benchmarks.Turns

open System
open System.Diagnostics
open MathNet.Numerics.Statistics

/// One measured program. `Run n` executes it n times.
type Row = { Name: string; Run: int -> unit }

/// Rows that are compared with each other. `Base` is the name of the row that the ratios are to.
type Suite =
    {
        Title: string
        Base: string
        Operations: int
        Rows: Row list
        /// Count the bytes of all threads (the suite suspends on the pool) instead of this one's.
        AllThreads: bool
    }

/// A row's figures: bytes per operation, nanoseconds per operation (orientation only), and the ratio to the base with
/// its quartiles over the rounds.
type Figures = { Row: string; Bytes: float; Nanoseconds: float; Ratio: float; Low: float; High: float }

let private allocated allThreads =
    if allThreads then
        GC.GetTotalAllocatedBytes true
    else
        GC.GetAllocatedBytesForCurrentThread()

/// Measures a suite in the given number of rounds. Each round runs the rows forwards and then backwards (A B B A).
let measure (rounds: int) (suite: Suite) : Figures list =
    let rows = List.toArray suite.Rows

    // warm: tier 1 is compiled on another thread, and only when no new method has been met for a while
    for _ in 1..15 do
        for row in rows do
            row.Run(max 1 (suite.Operations / 10))

        Threading.Thread.Sleep 150

    let times = rows |> Array.map (fun _ -> ResizeArray<float>())
    let bytes = rows |> Array.map (fun _ -> ResizeArray<float>())
    let once = Array.zeroCreate<float> rows.Length

    for _ in 1..rounds do
        Array.Clear once
        let forwards = [ 0 .. rows.Length - 1 ]

        for i in forwards @ List.rev forwards do
            let before = allocated suite.AllThreads
            let start = Stopwatch.GetTimestamp()
            rows[i].Run suite.Operations
            once[i] <- once[i] + Stopwatch.GetElapsedTime(start).TotalNanoseconds
            bytes[i].Add(float (allocated suite.AllThreads - before) / float suite.Operations)

        for i in forwards do
            times[i].Add(once[i] / 2.0 / float suite.Operations)

    let index = rows |> Array.findIndex (fun row -> row.Name = suite.Base)

    [
        for i in 0 .. rows.Length - 1 do
            let ratios = Array.init rounds (fun round -> times[i][round] / times[index][round])

            {
                Row = rows[i].Name
                Bytes = bytes[i].Median()
                Nanoseconds = times[i].Minimum()
                Ratio = ratios.Median()
                Low = ratios.LowerQuartile()
                High = ratios.UpperQuartile()
            }
    ]
