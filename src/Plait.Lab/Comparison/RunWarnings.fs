// Pure: the warnings of a run, one sentence each.
module Plait.Lab.RunWarnings

open Plait.Report

/// Warnings about the machine during the run, one sentence each.
let ofMachine (environment: RunEnvironment) : string list =
    [
        match environment.BusyCores with
        | Some busy when busy > 0.3 ->
            $"other programs were running when the measuring began ({busy:F1} cores were busy): expect wider intervals"
        | _ -> ()

        match environment.StealPercent with
        | Some steal when steal > 1.0 ->
            $"the hypervisor gave {steal:F1} %% of the time to other machines: expect wider intervals"
        | _ -> ()
    ]

/// The warnings, each one sentence. `clientBusy`: shares of the client's core in use, slice by slice.
let all
    (settings: Settings)
    (before: EnvironmentSnapshot.InitialFacts)
    (environment: RunEnvironment)
    (pace: TimeBudget)
    (ended: StopRule.Ended)
    (clientBusy: float list)
    (runs: MeasuredRow list)
    : string list =
    // A median over launches bears a few that were not warm.
    let notFlat =
        runs |> List.filter (fun row -> 2 * row.NotFlat > row.WarmUps) |> List.map _.Plan.Id

    [
        match before.Placement.Warning with
        | Some warning -> warning
        | None -> ()

        yield! ofMachine environment

        let launches =
            runs |> List.fold (fun most row -> max most row.Launches.Count) settings.Launches

        if launches < 3 && not settings.BytesOnly then
            let counted = if launches = 1 then "one launch" else $"{launches} launches"

            $"{counted} of every process: the interval over launches is coarse, take more with --launches before you rely on small differences"

        match settings.BudgetSeconds with
        | Some budget when settings.Width.IsNone && pace.Shortened > 0 ->
            $"the machine was slow: to end within {budget:F0} s, {pace.Shortened} of {pace.Rows} launches of rows were measured in fewer pairs or warmed shorter; give more time (--budget) for the full measure"
        | _ -> ()

        yield! StopRule.warnings settings runs ended

        if not notFlat.IsEmpty then
            let names = String.concat ", " notFlat

            $"warm-up ended at its limit before CPU per request was flat, in most launches of: {names}"

        if not clientBusy.IsEmpty && Statistics.median clientBusy > 0.6 then
            $"the load generator used {100.0 * Statistics.median clientBusy:F0} %% of its core: requests/s may be the client's limit (CPU per request does not change by it)"
    ]
