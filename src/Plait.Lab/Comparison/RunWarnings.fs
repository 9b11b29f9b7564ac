// Pure: the warnings of a run, one sentence each.
module Plait.Lab.Scenarios.RunWarnings


open Plait.Lab.Measure
open Plait.Report

/// That the control is not the same as its base, where it is measured and is not.
let controlWarnings (control: Row option) : string list =
    let warn where (ratio: RatioResult) verdict =
        if verdict = "same" then
            None
        else
            Some
                $"the A/A control came out {TableRow.ratio ratio} {where} instead of the same: differences of that size mean nothing in this run"

    [
        control
        |> Option.bind (fun row -> Option.map2 (warn "in process") row.CpuRatio row.Verdict)
        |> Option.flatten
        control
        |> Option.bind _.Http
        |> Option.bind (fun part -> warn "over HTTP" part.CpuRatio part.Verdict)
    ]
    |> List.choose id

/// What a reader must know of the machine during the run, one sentence each.
let ofMachine (environment: RunEnvironment) : string list =
    [
        match environment.LoadAverage with
        | Some load when load > 0.7 ->
            $"other programs were running when the measuring began (load average {load:F1}): expect wider intervals"
        | _ -> ()

        match environment.StealPercent with
        | Some steal when steal > 1.0 ->
            $"the hypervisor gave {steal:F1} %% of the time to other machines: expect wider intervals"
        | _ -> ()
    ]

/// The warnings, each one sentence. `clientBusy`: shares of the client's core in use, slice by slice; `rows`: the
/// rows as results hold them.
let all
    (settings: Settings)
    (before: EnvironmentSnapshot.Before)
    (environment: RunEnvironment)
    (pace: TimeBudget)
    (ended: StopRule.Ended)
    (control: string)
    (clientBusy: float list)
    (runs: RowRun list)
    (rows: Row list)
    : string list =
    let notFlat = runs |> List.filter (fun row -> row.NotFlat > 0) |> List.map _.Plan.Id

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
            $"the machine was slow: to end within {budget:F0} s, {pace.Shortened} of {pace.Rows} launches of rows were measured in fewer pairs or warmed shorter; leave --quick out for the full measure"
        | _ -> ()

        yield! StopRule.warnings settings runs ended

        if not notFlat.IsEmpty then
            let names = String.concat ", " notFlat

            $"warm-up ended at its limit before CPU per request was flat, in at least one launch of: {names}"

        if not clientBusy.IsEmpty && Statistics.median clientBusy > 0.6 then
            $"the load client used {100.0 * Statistics.median clientBusy:F0} %% of its core: requests/s may be the client's limit (CPU per request is not touched by it)"

        yield! rows |> List.tryFind (fun row -> row.Id = control) |> controlWarnings
    ]
