// Pure: the confidence interval of a percentile of a run. A pause of the server meets all requests of a moment, so these are not
// independent observations. The run is cut into stretches of time, and the variance between the stretches gives the interval
// (Woodruff's interval of a quantile, with the variance of a ratio between clusters).
module Plait.Load.PercentileInterval

open System

/// The least number of stretches from which their variance is computed.
let leastStretches = 5

/// The most stretches. Longer runs have longer stretches, so that an effect of some seconds lies within one. With twenty stretches,
/// runs whose neighbouring seconds are alike are judged different twice as often as they should be.
let mostStretches = 10

/// Student's t for 95 %: the normal deviate with four terms for few degrees of freedom (Abramowitz and Stegun, 26.7.5).
let private student (freedom: int) : float =
    let z, n = 1.959964, float freedom

    z
    + (z ** 3.0 + z) / (4.0 * n)
    + (5.0 * z ** 5.0 + 16.0 * z ** 3.0 + 3.0 * z) / (96.0 * n ** 2.0)
    + (3.0 * z ** 7.0 + 19.0 * z ** 5.0 + 17.0 * z ** 3.0 - 15.0 * z) / (384.0 * n ** 3.0)

/// Histograms in the order of time, put together to at most so many stretches.
let private stretches (parts: Histogram list) : Histogram list =
    let count = min mostStretches parts.Length

    parts
    |> List.indexed
    |> List.groupBy (fun (at, _) -> at * count / parts.Length)
    |> List.map (fun (_, parts) -> parts |> List.map snd |> Histogram.Sum)
    |> List.filter (fun stretch -> stretch.Count > 0L)

/// The number of durations in a class and in the classes below it.
let private upTo (index: int) (histogram: Histogram) : float =
    histogram.Buckets
    |> Seq.takeWhile (fun bucket -> Histogram.IndexOf bucket.Lowest <= index)
    |> Seq.sumBy (fun bucket -> float bucket.Count)

/// The ends of the interval that holds a percentile of the run 95 times in a hundred, in nanoseconds. `parts`: the durations of
/// one piece of time after the other; `sum`: all of them. None: there are too few pieces, or an end lies beyond the measured
/// durations.
let ends (parts: Histogram list) (sum: Histogram) (percent: float) : (int64 * int64) option =
    let stretches = stretches parts

    if stretches.Length < leastStretches then
        None
    else
        let index = Histogram.IndexOf(sum.Percentile percent)
        let count = float stretches.Length
        let all = stretches |> List.sumBy (fun stretch -> float stretch.Count)
        let below = stretches |> List.map (upTo index)
        let share = List.sum below / all

        let between =
            List.zip stretches below
            |> List.sumBy (fun (stretch, below) -> (below - share * float stretch.Count) ** 2.0)

        let wanted = percent / 100.0
        let ofStretches = count / (count - 1.0) * between / (all * all)
        // At least the variance of independent durations.
        let variance = max ofStretches (wanted * (1.0 - wanted) / all)
        let reach = student (stretches.Length - 1) * Math.Sqrt variance
        let low, high = wanted - reach, wanted + reach

        if low <= 0.0 || high >= 1.0 then
            None
        else
            let lowest =
                Histogram.IndexOf(sum.Percentile(100.0 * low)) |> HistogramLayout.lowestAt

            Some(max sum.Min lowest, sum.Percentile(100.0 * high))
