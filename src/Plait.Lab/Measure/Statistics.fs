// Pure: from pair ratios to one figure with an interval. The launch of a process is the unit, because the luck of
// one launch (addresses, the first calls that the compiler profiled) moves CPU for a request more than the noise
// inside it.
module Plait.Lab.Statistics

open System
open MathNet.Numerics.Statistics

/// A ratio with its interval, its launches and its pairs.
type Estimate =
    {
        /// Median over launches of the launch's median of pair ratios.
        Median: float
        /// Lower end of the 95 % bootstrap interval.
        Low: float
        /// Upper end of the 95 % bootstrap interval.
        High: float
        /// The median of pair ratios of each launch.
        Launches: float list
        /// (largest - smallest) / median of the launches.
        Spread: float
        /// Pairs in all.
        Pairs: int
    }

/// Resamples of the bootstrap.
let resamples = 4000

/// The median; NaN for no values.
let median (values: float seq) : float = Statistics.Median values

let private resample (random: Random) (source: 'T array) (target: 'T array) =
    for i in 0 .. target.Length - 1 do
        target[i] <- source[random.Next source.Length]

/// Median over launches of the median of pair ratios, with a 95 % interval from a hierarchical bootstrap: launches
/// are drawn with replacement, then pairs inside each drawn launch. `launches` holds the pair ratios of each launch;
/// empty launches do not count; None when nothing is left.
/// With two or three launches the interval is coarse: it rests on these launches alone, and with one launch it shows
/// only the noise inside it.
let estimate (random: Random) (launches: float list list) : Estimate option =
    let launches =
        launches
        |> List.map Array.ofList
        |> List.filter (fun pairs -> pairs.Length > 0)
        |> Array.ofList

    if launches.Length = 0 then
        None
    else
        let medians = launches |> Array.map median
        let middle = median medians

        let buffers =
            launches |> Array.map (fun pairs -> Array.zeroCreate<float> pairs.Length)

        let drawn = Array.zeroCreate<float> launches.Length

        let statistics =
            Array.init resamples (fun _ ->
                for i in 0 .. drawn.Length - 1 do
                    let launch = random.Next launches.Length
                    resample random launches[launch] buffers[launch]
                    drawn[i] <- ArrayStatistics.MedianInplace buffers[launch]

                ArrayStatistics.MedianInplace drawn)

        Array.sortInPlace statistics

        Some
            {
                Median = middle
                Low = SortedArrayStatistics.Quantile(statistics, 0.025)
                High = SortedArrayStatistics.Quantile(statistics, 0.975)
                Launches = List.ofArray medians
                Spread = (Array.max medians - Array.min medians) / middle
                Pairs = launches |> Array.sumBy Array.length
            }
