// Durations by one clock of one run, whole and over time: what curves and tables of load runs are drawn from, whether the run
// comes from memory, from JSON or from a log.
namespace Plait.Lab.Report

open System

open Plait.Lab.Load

/// The durations of a stretch of time, in nanoseconds.
type ClockPoint =
    {
        /// Seconds from the start of the run, at the middle of the stretch.
        At: float
        Median: int64
        P99: int64
        Max: int64
    }

/// Durations by one clock.
type Clock =
    {
        /// The run that they are of.
        Run: string
        /// What is measured: "intended", "actual", "lag", or the tag of a log.
        Name: string
        Sum: Histogram
        /// Empty where it is not known how they came about over time.
        Over: ClockPoint list
    }

/// Clocks of load runs.
module Clock =
    /// Latency from the intended start.
    let intended = "intended"

    /// Latency from the actual sending.
    let actual = "actual"

    /// Where a clock begins to count, in words.
    let words (name: string) : string =
        match name with
        | "intended" -> "from intended start"
        | "actual" -> "from send"
        | other -> other

    /// The point of a stretch; None where nothing came in.
    let point (at: float) (histogram: Histogram) : ClockPoint option =
        if histogram.Count = 0L then
            None
        else
            Some
                {
                    At = at
                    Median = histogram.Percentile 50.0
                    P99 = histogram.Percentile 99.0
                    Max = histogram.Max
                }

    /// Whether every right response is among the samples.
    let complete (outcome: Outcome) : bool =
        let right =
            outcome.Samples |> Array.sumBy (fun sample -> if sample.Fate = Fate.Right then 1L else 0L)

        right = outcome.Right

    /// Right responses by the actual clock, second by second of their end; empty where not all were kept.
    let actualSeconds (outcome: Outcome) : (int * Histogram) list =
        if outcome.Right = 0L || not (complete outcome) then
            []
        else
            outcome.Samples
            |> Array.filter (fun sample -> sample.Fate = Fate.Right)
            |> Array.groupBy (fun sample -> int (max 0L sample.Done / 1_000_000_000L))
            |> Array.sortBy fst
            |> Array.map (fun (second, samples) ->
                let histogram = Histogram()

                for sample in samples do
                    histogram.Record(sample.Done - sample.Sent)

                second, histogram)
            |> List.ofArray

    /// The two clocks of a run.
    let ofOutcome (run: string) (outcome: Outcome) : Clock list =
        [
            {
                Run = run
                Name = intended
                Sum = outcome.Intended
                Over =
                    outcome.Seconds
                    |> List.choose (fun second -> point (float second.At + 0.5) second.Latency)
            }
            {
                Run = run
                Name = actual
                Sum = outcome.Actual
                Over =
                    actualSeconds outcome
                    |> List.choose (fun (second, histogram) -> point (float second + 0.5) histogram)
            }
        ]

    /// The intervals of a run for a log: second by second where the seconds add up to the whole, otherwise the whole.
    let intervals (outcome: Outcome) : Hlog.Interval list =
        let whole name (histogram: Histogram) : Hlog.Interval list =
            [
                {
                    Tag = Some name
                    Start = 0.0
                    Length = outcome.Elapsed.TotalSeconds
                    Histogram = histogram
                }
            ]

        let seconds name (all: Histogram) (parts: (int * Histogram) list) : Hlog.Interval list =
            let sum = Histogram.Sum(parts |> List.map snd)

            let same =
                sum.Count = all.Count
                && Seq.forall (fun index -> sum[index] = all[index]) (seq { 0 .. Histogram.Length - 1 })

            if not same then
                whole name all
            else
                parts
                |> List.map (fun (second, histogram) ->
                    { Tag = Some name; Start = float second; Length = 1.0; Histogram = histogram })

        [
            yield!
                outcome.Seconds
                |> List.map (fun second -> second.At, second.Latency)
                |> seconds intended outcome.Intended
            yield! seconds actual outcome.Actual (actualSeconds outcome)
        ]
        |> List.sortBy (fun interval -> interval.Start)
