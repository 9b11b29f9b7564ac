// Lines and curves of latencies, for the panels of load runs.
module internal Plait.Load.AttackCurves

open Plait.Report

open System


/// Seconds of a run.
let time: Axis = Panel.linear "time (s)"

/// A line of points.
let line style label family (points: float[][]) : Series =
    { Label = label; Family = family; Points = points; Of = points.Length; Style = style }

/// The levels of percentile curves: five for every half of the distance to 100 %, as far as there are durations.
let private levels (count: int64) =
    let rec go level =
        [
            if level < 100.0 * (1.0 - 1.0 / float count) then
                level
                let halvings = Math.Floor(Math.Log2(100.0 / (100.0 - level))) + 1.0
                yield! go (level + 100.0 / (5.0 * Math.Pow(2.0, halvings)))
        ]

    go 0.0

/// The percentile curve of a histogram, in milliseconds.
let curve (histogram: Histogram) : float[][] =
    if histogram.Count = 0L then
        [||]
    else
        [|
            for level in levels histogram.Count do
                [| level; Duration.milliseconds (histogram.Percentile level) |]
            // the longest one takes the place between the last but one and 100 %, where an axis of 1/(1-p) never comes
            [| 100.0 * (1.0 - 0.5 / float histogram.Count); Duration.milliseconds histogram.Max |]
        |]
