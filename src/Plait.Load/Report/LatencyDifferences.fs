// The differences of runs from the first run, percentile by percentile, each with its confidence interval: as a table in the
// terminal, and on the page as a plot, a table and a sentence.
namespace Plait.Load

open System

open Plait.Common
open Plait.Report
open Plait.Report.Changes

/// A percentile of two runs by one clock.
type LatencyDifference =
    {
        /// The names of the runs.
        First: string
        Second: string
        /// "intended", "actual", or the tag of a log.
        Clock: string
        Percent: float
        /// The percentile in each run, in nanoseconds.
        Before: int64
        After: int64
        /// After minus before, in nanoseconds.
        Difference: Measured
        Verdict: ChangeVerdict
    }

    /// The difference as a share of the earlier figure. No latency becomes less than nothing.
    member this.Change: Measured =
        let change = this.Difference.Times(1.0 / float (max 1L this.Before))
        { change with Low = change.Low |> Option.map (max -1.0) }

/// Differences of runs.
module LatencyDifferences =
    let private percents = [ 50.0; 90.0; 95.0; 99.0; 99.9 ]

    // The interval of the difference from two intervals, by the distance of each end from its percentile (Zou and
    // Donner's MOVER).
    let private between (first: Latencies) (second: Latencies) (percent: float) : Measured =
        let before = first.Sum.Percentile percent
        let after = second.Sum.Percentile percent
        let difference = float (after - before)

        let ends (latencies: Latencies) =
            PercentileInterval.ends (latencies.Parts |> List.map snd) latencies.Sum percent

        match ends first, ends second with
        | Some(lowBefore, highBefore), Some(lowAfter, highAfter) ->
            let away (one: int64) (other: int64) = float (one - other) ** 2.0

            { Measured.Plain difference with
                Low = Some(difference - Math.Sqrt(away after lowAfter + away highBefore before))
                High = Some(difference + Math.Sqrt(away highAfter after + away before lowBefore))
            }
        | _ -> Measured.Plain difference

    let private verdict (judged: bool) (difference: Measured) : ChangeVerdict =
        match difference.Low, difference.High with
        | _ when not judged -> NotJudged
        | Some low, _ when low > 0.0 -> Higher
        | _, Some high when high < 0.0 -> Lower
        | Some _, Some _ -> NotCertain
        | _ -> NoInterval

    /// The differences by the clocks that both runs have. `judged`: both runs are reliable.
    let ofTwo (judged: bool) (first: Latencies list) (second: Latencies list) : LatencyDifference list =
        [
            for before in first do
                for after in second do
                    if before.Name = after.Name && before.Sum.Count > 0L && after.Sum.Count > 0L then
                        for percent in percents do
                            let difference = between before after percent

                            {
                                First = before.Run
                                Second = after.Run
                                Clock = before.Name
                                Percent = percent
                                Before = before.Sum.Percentile percent
                                After = after.Sum.Percentile percent
                                Difference = difference
                                Verdict = verdict judged difference
                            }
        ]

    let private areSeveral (differences: LatencyDifference list) =
        (differences |> List.map _.Second |> List.distinct).Length > 1

    let private share (one: LatencyDifference) : string =
        (LoadFigures.percentile one.Percent).Figure.Title

    let private columns (differences: LatencyDifference list) : LoadFigure<LatencyDifference> list =
        let first = differences.Head.First
        let several = areSeveral differences

        [
            if several then
                LoadFigures.words "run" _.Second

            LoadFigures.words "latency" (fun one -> Latencies.words one.Clock)
            LoadFigures.words "share" share
            LoadFigures.duration first _.Before
            LoadFigures.duration (if several then "run" else differences.Head.Second) _.After
            LoadFigures.difference "difference" _.Difference
            (LoadFigures.change "change" (fun (one: LatencyDifference) -> one.Change)).Ranked 1
            LoadFigures.words "verdict" _.Verdict.Word
        ]

    /// The table for a terminal; empty where there is nothing to compare.
    let lines (width: int) (differences: LatencyDifference list) : string list =
        if differences.IsEmpty then
            []
        else
            LoadTable.lines width (columns differences) differences

    let private leading (differences: LatencyDifference list) : LatencyDifference list =
        let clock = differences.Head.Clock
        differences |> List.filter (fun one -> one.Clock = clock)

    let private plot (differences: LatencyDifference list) : Panel =
        let leading = leading differences
        let several = areSeveral differences
        let first = leading.Head.First

        leading
        |> List.map (fun one ->
            let label = if several then $"{one.Second}: {share one}" else share one

            { Item.Of(label, Family.Other, one.Change.Times 100.0) with
                Run = Some one.Second
                Word = Some one.Verdict.Word
                Note = Some $"{Duration.show one.After} instead of {Duration.show one.Before}"
            })
        |> Panel.differences
            "differences"
            "Differences"
            $"Latency {Latencies.words leading.Head.Clock} against {first}: left of the line it is lower. If an interval crosses the line, the difference may be chance. The interval is computed from the scatter between stretches of time within these runs; the effect of another start of the server is not in it, so repeat runs before you rely on small differences."
            (Panel.linear $"difference to {first} (%%)" |> Panel.rounded 1)

    /// The first panels of the page; empty without a second run.
    let panels (differences: LatencyDifference list) : Panel list =
        if differences.IsEmpty then
            []
        else
            [
                plot differences
                LoadTable.panel
                    "difference-table"
                    "The differences"
                    "Each later run minus the first, with 95 % intervals. Without an interval: one of the runs is shorter than five seconds or has too few requests for that percentile, or its file does not say how they came in over time."
                    (columns differences)
                    differences
            ]

    let private signed (nanoseconds: float) =
        (if nanoseconds > 0.0 then "+" else "") + Duration.rough (int64 nanoseconds)

    let private interval (one: LatencyDifference) : string option =
        Option.map2 (fun low high -> $"{signed low} to {signed high}") one.Difference.Low one.Difference.High

    let private times (one: LatencyDifference) : string =
        $"{Duration.rough one.After} instead of {Duration.rough one.Before}"

    /// The difference of the 99th percentile, or of the highest percentile below it that has an interval.
    let private told (leading: LatencyDifference list) : LatencyDifference =
        let known = leading |> List.filter (fun one -> one.Percent <= 99.0)

        known
        |> List.tryFindBack (fun one -> one.Difference.Low.IsSome)
        |> Option.defaultValue (List.last known)

    let private sentence (one: LatencyDifference) : string =
        let figures =
            match interval one with
            | Some interval -> $"{times one}, {signed one.Difference.Value} ({interval})"
            | None -> $"{times one}, {signed one.Difference.Value}"

        let both = $"{one.Second} and {one.First}"

        match one.Verdict with
        | NotJudged -> "The figures are unreliable: see the warnings."
        | Lower
        | Higher -> $"At {share one} {one.Second} is {one.Verdict.Word} than {one.First}: {figures}."
        | NotCertain -> $"At {share one} {both} do not differ for certain: {figures}."
        | _ ->
            $"It is uncertain whether {both} differ, for want of time or of requests: at {share one} {figures}."

    /// The difference of two runs in a sentence, and their key figures; empty for more than two runs.
    let heading (differences: LatencyDifference list) : string * Fact list =
        if differences.IsEmpty || areSeveral differences then
            "", []
        else
            let leading = leading differences

            sentence (told leading),
            [
                for one in leading do
                    if one.Percent <> 95.0 then
                        let range =
                            interval one |> Option.map (fun range -> $" ({range})") |> Option.defaultValue ""

                        {
                            Title = $"Difference at {share one}"
                            Figure = signed one.Difference.Value
                            Words = $"{one.Verdict.Word}{range}: {times one}"
                        }
            ]
