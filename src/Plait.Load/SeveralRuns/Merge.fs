// Pure: adding the histograms of several files, tag by tag and second by second. Files without an exact sum are
// refused.
module Plait.Load.Merge

open System
open System.Collections.Generic
open System.IO

open Plait.Common
open Plait.Report

/// A sum of files.
type Merged =
    {
        /// The earliest start; None: no file has one.
        StartedUtc: DateTime option
        Intervals: Hlog.Interval list
        /// The whole of each tag.
        Sums: (string option * Histogram) list
        /// The conversions, one sentence each.
        Notes: string list
    }

let private shown (tag: string option) =
    match tag with
    | Some tag -> $"tagged '{tag}'"
    | None -> "without a tag"

let private log (source: RunFile) : Hlog.LogFile =
    match source.Content with
    | Log log -> log
    | Attack recording ->
        {
            StartedUtc = Some recording.Outcome.StartedUtc
            Intervals = Latencies.intervals recording.Outcome
            Notes = []
        }
    | Scenario results ->
        raise (
            BadInput
                $"{source.File} holds the results of the scenario '{results.Scenario}', which have no histograms to add; give .hlog files or the JSON of load runs"
        )

let private checkDifferent (sources: RunFile list) =
    sources
    |> List.groupBy (fun source -> Path.GetFullPath source.File)
    |> List.iter (fun (_, same) ->
        if same.Length > 1 then
            raise (
                BadInput
                    $"{same.Head.File} is given {same.Length} times: it would be counted as often; leave the others out"
            ))

/// The identity of a run: its begin, and the counts of each second. Generators that begin together have as many requests in
/// each, and not the same latencies.
let private marks (log: Hlog.LogFile) =
    let counts (histogram: Histogram) =
        [
            for index in 0 .. Histogram.Length - 1 do
                if histogram[index] > 0L then
                    index, histogram[index]
        ]

    log.StartedUtc,
    log.Intervals
    |> List.map (fun interval -> interval.Tag, counts interval.Histogram)
    |> List.sort

/// The JSON of a run and its log, or a copy of either, under another name.
let private checkRuns (files: (string * Hlog.LogFile) list) =
    let files = files |> List.map (fun (file, log) -> file, marks log)

    for (one, first), (other, second) in List.allPairs files files do
        match first, second with
        | (Some began, counts), (Some began', counts') when
            one < other && counts = counts' && abs (began - began').TotalMilliseconds < 1.0
            ->
            raise (
                BadInput
                    $"{one} and {other} are of one run, which began at {began:O} UTC: it would be counted twice; leave one of them out"
            )
        | _ -> ()

let private checkTags (files: (string * Hlog.LogFile) list) =
    let tags (log: Hlog.LogFile) =
        log.Intervals |> List.map _.Tag |> List.distinct

    let all = files |> List.collect (fun (_, log) -> tags log) |> List.distinct

    for tag in all do
        let having, lacking =
            files |> List.partition (fun (_, log) -> List.contains tag (tags log))

        match lacking with
        | (file, log) :: _ ->
            let there = tags log |> List.map shown |> String.concat " and "

            raise (
                BadInput
                    $"{fst having.Head} has a histogram {shown tag}, and {file} has none (it has some {there}), so the sum would leave {file} out; choose by --tag a histogram that all files have"
            )
        | [] -> ()

/// Only the intervals of these tags; empty: all.
let private chosen (tags: string list) (file: string, log: Hlog.LogFile) : string * Hlog.LogFile =
    if tags.IsEmpty then
        file, log
    else
        for tag in tags do
            if log.Intervals |> List.forall (fun interval -> interval.Tag <> Some tag) then
                let there =
                    log.Intervals |> List.map _.Tag |> List.distinct |> List.map shown |> String.concat ", "

                raise (BadInput $"--tag: {file} has no histogram tagged '{tag}'; it has some {there}")

        file,
        { log with
            Intervals =
                log.Intervals
                |> List.filter (fun interval ->
                    interval.Tag |> Option.exists (fun tag -> List.contains tag tags))
        }

let private add (what: string) (sum: Histogram) (more: Histogram) =
    if sum.Count > Int64.MaxValue - more.Count then
        raise (
            BadInput
                $"the counts {what} add up to more than 64 bits hold, so their sum is not exact; add fewer files"
        )

    sum.Add more

/// Adds files. Intervals of the same tag that begin in the same second after the start of their file become one.
/// `tags`: only these, empty: all. `rounded`: take logs whose classes are wider than ours too. Raises BadInput for
/// files that cannot be added.
let files (tags: string list) (rounded: bool) (sources: RunFile list) : Merged =
    checkDifferent sources

    let logs =
        sources |> List.map (fun source -> source.File, log source) |> List.map (chosen tags)

    for _, log in logs do
        match log.Notes with
        | note :: _ when not rounded ->
            raise (BadInput $"{note}; the sum would not be exact: --rounded makes it all the same")
        | _ -> ()

    checkRuns logs
    checkTags logs
    let cells = Dictionary<struct (string * int64 * int64), Hlog.Interval>()
    let order = List<struct (string * int64 * int64)>()

    for _, log in logs do
        for interval in log.Intervals do
            let second = int64 (Math.Floor(interval.Start + 1e-3))
            let length = max 1L (int64 (Math.Round interval.Length))

            let tag =
                interval.Tag |> Option.map (fun tag -> "=" + tag) |> Option.defaultValue ""

            let key = struct (tag, second, length)

            match cells.TryGetValue key with
            | true, held ->
                add (shown interval.Tag) held.Histogram interval.Histogram

                cells[key] <-
                    { held with
                        Length = max held.Length interval.Length
                        Start = min held.Start interval.Start
                    }
            | _ ->
                // a histogram of its own: the one that was read is not changed
                cells[key] <- { interval with Histogram = Histogram.Sum [ interval.Histogram ] }
                order.Add key

    let intervals =
        order |> Seq.map (fun key -> cells[key]) |> List.ofSeq |> List.sortBy _.Start

    let sums =
        intervals
        |> List.groupBy _.Tag
        |> List.map (fun (tag, intervals) ->
            let sum = Histogram()

            for interval in intervals do
                add (shown tag) sum interval.Histogram

            tag, sum)

    {
        StartedUtc =
            match logs |> List.choose (fun (_, log) -> log.StartedUtc) with
            | [] -> None
            | times -> Some(List.min times)
        Intervals = intervals
        Sums = sums
        Notes = logs |> List.collect (fun (_, log) -> log.Notes)
    }
