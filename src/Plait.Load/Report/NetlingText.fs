// A load run as text in the shape of Netling's: requests, bandwidth, errors, the spread of latency, and a histogram of 80
// columns from the shortest to the longest.
module Plait.Load.NetlingText

open System
open System.Globalization

open Plait.Report

let private invariant = CultureInfo.InvariantCulture
let private width, height = 80, 7

let private fixed' (digits: int) (value: float) =
    value.ToString("F" + string digits, invariant)

let private milliseconds (value: float) = fixed' 3 value + " ms"

/// How many durations are in each of so many equal parts between the shortest and the longest.
let parts (number: int) (histogram: Histogram) : int64[] =
    let counts = Array.zeroCreate<int64> number
    let shortest, longest = histogram.Min, histogram.Max
    let span = float (longest - shortest)

    for bucket in histogram.Buckets do
        let middle = float bucket.Lowest + float (bucket.Highest - bucket.Lowest) / 2.0
        let share = if span = 0.0 then 0.0 else (middle - float shortest) / span
        let at = Math.Clamp(int (share * float number), 0, number - 1)
        counts[at] <- counts[at] + bucket.Count

    counts

/// The histogram as lines: seven of columns, and one with the ends.
let private drawing (histogram: Histogram) : string list =
    let counts = parts width histogram
    let highest = Array.max counts

    [
        for line in 0 .. height - 1 do
            let above = float highest / float height * float (height - line - 1)
            String(counts |> Array.map (fun count -> if float count > above then '█' else ' ')).TrimEnd()

        let left = milliseconds (Duration.milliseconds histogram.Min) + " "
        let right = " " + milliseconds (Duration.milliseconds histogram.Max)
        left + String('=', max 0 (width - left.Length - right.Length)) + right
    ]

/// The report, with a line feed at the end. Latency is from the actual sending, as Netling's is; from the intended start
/// it stands beside it.
let write (outcome: Outcome) : string =
    let seconds = outcome.Elapsed.TotalSeconds
    let shown = seconds.ToString("0.##", invariant)

    let perSecond (value: float) =
        if seconds > 0.0 then value / seconds else 0.0

    let row (name: string) (value: string) = $"    {name.PadRight 15} {value}"

    let both (figure: LoadFigure<Histogram>) =
        let known histogram =
            figure.Value histogram |> Option.map milliseconds |> Option.defaultValue "-"

        $"{(known outcome.Counts.Actual).PadRight 14} {known outcome.Counts.Intended}"

    [
        $"{outcome.Right} requests in {shown}s"
        row "Requests/sec:" (fixed' 0 (perSecond (float outcome.Right)))
        row
            "Bandwidth:"
            (fixed' 0 (perSecond (float outcome.Counts.BytesIn * 8.0 / 1024.0 / 1024.0)) + " mbit")
        row "Errors:" (string (outcome.Requests - outcome.Right))
        for fate, count, _ in Outcome.counted outcome do
            if fate <> Fate.Right then
                row $"  {Outcome.fateName fate}:" (string count)
        row "Connections:" $"{outcome.Counts.Connections} of {outcome.MostConnections}"
        row "Retried:" (string outcome.Counts.Retried)
        row "Redirected:" (string outcome.Counts.Redirected)
        if outcome.Counts.Waited.Count > 0L then
            row
                "Waited:"
                $"{outcome.Counts.Waited.Count}, at most {milliseconds (Duration.milliseconds outcome.Counts.Waited.Max)}"
        "Latency             from send      from the intended start"
        row "Median:" (both (LoadFigures.percentile 50.0))
        row "StdDev:" (both LoadFigures.deviation)
        row "Min:" (both LoadFigures.shortest)
        row "Max:" (both LoadFigures.longest)
        ""

        if outcome.Counts.Actual.Count > 0L then
            yield! drawing outcome.Counts.Actual
            ""

        if not outcome.Verdicts.IsEmpty then
            "Rules"

            for line in Rule.lines outcome.Verdicts do
                $"    {line}"

            ""

        for sentence in outcome.Invalid do
            yield! Wrap.within width "" $"INVALID: {sentence}"
    ]
    |> String.concat "\n"
    |> fun text -> text.TrimEnd '\n' + "\n"
