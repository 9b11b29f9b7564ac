// What is gathered of the rows of a user's scenario besides pairs, and what a report shows of it.
module internal Plait.Lab.Scenarios.UserScenarioResults

open System.Collections.Generic

open Plait.Load
open Plait.Lab.Measure
open Plait.Report

/// Of one row.
type RowObservations() =
    /// The latencies of its slices, by both clocks.
    member val Intended = List<Histogram>()
    member val Actual = List<Histogram>()
    /// What its last process counted.
    member val Counted: Counted list = [] with get, set
    /// Why slices are not to be relied on.
    member val Invalid = List<string>()
    member val Slices = 0 with get, set
    /// Why its bytes and counters are not known.
    member val NoCounters: string option = None with get, set

/// Keeps what a slice was like.
let add (observations: RowObservations) (outcome: Outcome) =
    observations.Intended.Add outcome.Intended
    observations.Actual.Add outcome.Actual
    observations.Slices <- observations.Slices + 1

    if not outcome.Invalid.IsEmpty then
        observations.Invalid.Add outcome.Invalid.Head

/// The panels that the scenario asks for.
let panels
    (file: ScenarioFile)
    (rows: RowRun list)
    (observations: Map<string, RowObservations>)
    : Panel list =
    let clocks =
        [
            for row in rows do
                let own = observations[row.Plan.Id]

                if own.Intended.Count > 0 then
                    for name, parts in [ Latencies.intended, own.Intended; Latencies.actual, own.Actual ] do
                        { Run = row.Plan.Id; Name = name; Sum = Histogram.Sum parts; Over = [] }
        ]

    let isIntended (clock: Latencies) = clock.Name = Latencies.intended

    [
        if List.contains ScenarioMetric.Latency file.Metrics && not clocks.IsEmpty then
            // A closed loop has one clock: a request is due when it is sent.
            match file.Model with
            | Closed _ -> LatencyPanels.percentiles (clocks |> List.filter isIntended)
            | Open _ -> LatencyPanels.percentiles clocks

            AttackPanels.percentiles
                [
                    for clock in clocks do
                        if isIntended clock then
                            clock.Run, clock.Sum
                ]

        yield!
            CounterPanels.all
                [
                    for row in rows do
                        row.Plan.Id, row.Plan.Candidate.Family, observations[row.Plan.Id].Counted
                ]
    ]

/// What a reader must know of them.
let warnings (observations: Map<string, RowObservations>) : string list =
    [
        for KeyValue(id, own) in observations do
            if own.Invalid.Count > 0 then
                $"{own.Invalid.Count} of {own.Slices} slices of {id} are not to be relied on: {own.Invalid[0]}"

            match own.NoCounters with
            | Some sentence -> $"bytes and counters of {id} are not known: {sentence}"
            | None -> ()
    ]
