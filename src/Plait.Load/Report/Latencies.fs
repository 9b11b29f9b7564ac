// Durations by one clock of one run, whole and over time. Curves and tables of load runs are made from them, whether
// the run comes from memory, from JSON or from a log.
namespace Plait.Load

/// The durations of a stretch of time, in nanoseconds.
type LatencyPoint =
    {
        /// Seconds from the start of the run, at the middle of the stretch.
        At: float
        Median: int64
        P99: int64
        Max: int64
    }

    /// The figures of a stretch; None: nothing came in.
    static member Of(at: float, histogram: Histogram) : LatencyPoint option =
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

/// Durations by one clock.
type Latencies =
    {
        /// The name of the run.
        Run: string
        /// The clock: "intended", "actual", "lag", or the tag of a log.
        Name: string
        Sum: Histogram
        /// The durations of each stretch of time, with the second at its middle; empty: the file has no times.
        Parts: (float * Histogram) list
    }

    /// Figures over time.
    member this.Points: LatencyPoint list = this.Parts |> List.choose LatencyPoint.Of

/// Latencies of load runs.
module Latencies =
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

    /// The two clocks of a run.
    let ofOutcome (run: string) (outcome: Outcome) : Latencies list =
        [
            {
                Run = run
                Name = intended
                Sum = outcome.Counts.Intended
                Parts = outcome.Seconds |> List.map (fun second -> second.Middle, second.Latency)
            }
            {
                Run = run
                Name = actual
                Sum = outcome.Counts.Actual
                Parts = outcome.Seconds |> List.map (fun second -> second.Middle, second.Actual)
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

        let seconds name (all: Histogram) (parts: (Second * Histogram) list) : Hlog.Interval list =
            let sum = Histogram.Sum(parts |> List.map snd)

            let same =
                sum.Count = all.Count
                && Seq.forall (fun index -> sum[index] = all[index]) (seq { 0 .. Histogram.Length - 1 })

            if parts.IsEmpty || not same then
                whole name all
            else
                parts
                |> List.map (fun (second, histogram) ->
                    {
                        Tag = Some name
                        Start = float second.At
                        Length = float second.Seconds
                        Histogram = histogram
                    })

        [
            yield!
                outcome.Seconds
                |> List.map (fun second -> second, second.Latency)
                |> seconds intended outcome.Counts.Intended
            yield!
                outcome.Seconds
                |> List.map (fun second -> second, second.Actual)
                |> seconds actual outcome.Counts.Actual
        ]
        |> List.sortBy (fun interval -> interval.Start)
