// The comparison over runtimes: the same candidates on several versions of .NET, every one a row, measured in turn
// against the synchronous one on the newest.
module Plait.Lab.Scenarios.RuntimeMatrix

open Plait.Report

/// The id of a row.
let id (name: string) (runtime: string) : string = $"{name}@{runtime}"

/// The scenario with its base and its control on the newest runtime.
let scenario (scenario: Scenario) (runtimes: string list) : Scenario =
    let newest = List.last runtimes
    let names = runtimes |> List.map RuntimeBuild.shown |> String.concat ", "

    { scenario with
        Name = scenario.Name + "-runtimes"
        Title = $"{scenario.Title}, on {names}"
        Base = id scenario.Base newest
        Control = id scenario.Control newest
        // Nanoseconds for a wrapper need a base on the same runtime.
        Wrappers = None
        Published = []
        Panels =
            RuntimePanels.make
                [ for runtime in runtimes -> runtime, RuntimeBuild.shown runtime ]
                scenario.Control
    }

/// What is published: every candidate for every runtime, the control for the newest alone. Newest first, so that the
/// environment names that one.
let wanted
    (control: string)
    (runtimes: string list)
    (candidates: Candidate list)
    : (Candidate * string) list =
    let newest = List.last runtimes

    [
        for runtime in List.rev runtimes do
            for candidate in candidates do
                if candidate.Name <> control || runtime = newest then
                    candidate, runtime
    ]

/// The row of a published candidate.
let row (newest: string) (candidate: Candidate, runtime: string) : RowPlan =
    { Selection.row candidate with
        Id = id candidate.Name runtime
        Candidate =
            { candidate with
                Label = $"{candidate.Label}, {RuntimeBuild.shown runtime}"
                // There is one base and one control, on the newest runtime.
                Family =
                    if candidate.Family = Family.Base && runtime <> newest then
                        Family.Other
                    else
                        candidate.Family
                Published = []
            }
    }
