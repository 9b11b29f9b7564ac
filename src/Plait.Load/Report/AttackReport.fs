// The page of a load run: the document.
module Plait.Load.AttackReport

open System
open System.Globalization

open Plait.Common
open Plait.Report

/// The key figures of a run, and its outcome in a sentence.
let private heading (outcome: Outcome) : string * Fact list =
    let failed = outcome.Requests - outcome.Right

    let whole (count: int64) =
        count.ToString("N0", CultureInfo.InvariantCulture)

    let known (histogram: Histogram) (nanoseconds: int64) =
        if histogram.Count = 0L then "–" else Duration.rough nanoseconds

    let percentile (histogram: Histogram) percent =
        known histogram (histogram.Percentile percent)

    let longest (histogram: Histogram) = known histogram histogram.Max

    let perSecond (value: float) =
        value.ToString((if value >= 1000.0 then "N0" else "F1"), CultureInfo.InvariantCulture)
        + " /s"

    let p99 = percentile outcome.Counts.Intended 99.0

    let sentence (words: string) =
        $"{Char.ToUpperInvariant words[0]}{words.Substring 1}."

    let answer =
        if not outcome.Invalid.IsEmpty then
            "The figures are unreliable: see the warnings."
        elif outcome.Requests = 0L then
            "No request was made."
        elif not (Rule.complaints outcome.Verdicts).IsEmpty then
            Rule.complaints outcome.Verdicts |> List.map sentence |> String.concat " "
        else
            match Outcome.noneRight outcome with
            | Some words -> sentence words
            | None when failed = 0L -> $"Every request was answered rightly, 99 %% of them within {p99}."
            | None -> $"{whole failed} of {whole outcome.Requests} requests were not answered rightly."

    let fact title figure words : Fact =
        { Title = title; Figure = figure; Words = words }

    answer,
    [
        fact
            "99 % within"
            p99
            $"from the intended start; half within {percentile outcome.Counts.Intended 50.0}"
        fact
            "Longest"
            (longest outcome.Counts.Intended)
            $"from the intended start; from send {longest outcome.Counts.Actual}"
        fact
            "Right responses"
            (perSecond (outcome.RightPerSecond))
            $"{whole outcome.Right} of {whole outcome.Requests}"
        fact
            "Own lag, 99 %"
            (percentile outcome.Counts.GeneratorLag 99.0)
            $"the generator used {100.0 * outcome.Busy:F0} %% of its core"
    ]

/// The notes that a reader must see: why the run is unreliable, that it was stopped, and the rest.
let warnings (recording: Recording) : string list =
    [
        for sentence in recording.Outcome.Invalid do
            $"invalid: {sentence}"

        yield! Option.toList (Outcome.noneRight recording.Outcome)

        match Lag.sentence recording.Outcome.Plan recording.Outcome.Counts with
        | Some sentence -> $"lag: {sentence}"
        | None -> ()

        yield! Outcome.notes recording.Outcome

        if recording.Outcome.IsCutShort then
            "the run was stopped before its time: the figures are of the time until then"

        yield! recording.Warnings
    ]

/// The panels of one run.
let panels (recording: Recording) : Panel list =
    let outcome = recording.Outcome
    let latencies = Latencies.ofOutcome recording.Name outcome
    let outcomes = [ recording.Name, outcome ]

    [
        yield! Option.toList (AttackPanels.rules [ recording.Name, outcome.Verdicts ])
        LatencyPanels.overTime latencies outcomes
        LatencyPanels.percentiles latencies
        AttackPanels.rates outcomes
        AttackPanels.inFlight outcomes
        AttackPanels.percentiles
            [
                for one in LoadFigures.durationsOf outcome.Plan do
                    match one.Column with
                    | Some column -> column, one.Read outcome.Counts
                    | None -> ()
            ]
        yield! StepTable.panels outcomes
        AttackPanels.results outcomes
        AttackPanels.connections outcome
        match outcome.Plan.Model with
        | Open _ -> AttackPanels.lag outcomes
        | Closed _ -> ()
    ]

/// The document of one run for the page.
let results (recording: Recording) : Results =
    let outcome = recording.Outcome
    let answer, facts = heading outcome

    { Results.Empty with
        Scenario = "attack"
        Title = $"Load: {Plan.target outcome.Plan}"
        Command = recording.Command
        StartedUtc = Results.Stamp outcome.StartedUtc
        EndedUtc = Results.Stamp(outcome.StartedUtc + outcome.Elapsed)
        Complete = not outcome.IsCutShort
        // Without a right response it has no latency to rely on.
        Invalid = not outcome.Invalid.IsEmpty || (Outcome.noneRight outcome).IsSome
        Seed = outcome.Plan.Seed
        Environment = recording.Environment |> Option.defaultValue RunEnvironment.Unknown
        Answer = answer
        Summary = $"{Plan.target outcome.Plan}: {Plan.words outcome.Plan}."
        Facts = facts
        Warnings = warnings recording
        Panels = panels recording
    }

/// The log of one run: both clocks, second by second.
let hlog (recording: Recording) : string =
    Hlog.write recording.Outcome.StartedUtc (Latencies.intervals recording.Outcome)
