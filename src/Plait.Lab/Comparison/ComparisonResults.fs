// The results of a comparison so far, with its warnings and notes.
module internal Plait.Lab.ComparisonResults

open System
open System.Collections.Generic

open Plait.Report

/// `ended`: how the launches ended; `complete`: whether the run did.
let make
    scenario
    (request: ComparisonRequest)
    before
    (pace: TimeBudget)
    (busy: List<float>)
    (rows: MeasuredRow list)
    (ended: StopRule.Ended)
    complete
    =
    let settings = request.Settings
    let environment = EnvironmentSnapshot.environment before rows
    let measured = RowFigures.rows settings scenario rows
    let controls = ControlRule.judge settings.Margin (StopRule.added ended) measured
    let measured = ControlRule.apply controls measured

    { Results.Empty with
        Scenario = scenario.Name
        Title = scenario.Title
        StartedUtc = Results.Stamp before.Started
        EndedUtc = Results.Stamp DateTime.UtcNow
        Complete = complete
        Command = request.Command
        Seed = settings.Seed
        Base = scenario.Base
        Margin = settings.Margin
        Settings =
            {
                Launches = rows |> List.fold (fun most row -> max most row.Launches.Count) settings.Launches
                Pairs = settings.Pairs
                SliceMilliseconds = settings.SliceMilliseconds
                WarmUpMilliseconds = settings.WarmUp.LimitMilliseconds
                Connections = settings.Connections
            }
        Environment = environment
        Answer = scenario.Answer measured |> Answer.among controls
        Controls = controls
        Warnings = RunWarnings.all settings before environment pace ended (List.ofSeq busy) rows
        Figures = RowFigures.described measured
        Factors =
            scenario.Factors
            |> List.filter (fun factor -> measured |> List.exists (fun row -> row.Has factor))
        Rows = measured
        Panels = scenario.Panels measured
        Stopping = Some(StopRule.result settings rows ended)
    }
