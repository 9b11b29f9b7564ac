// Pure: from the pairs of a row to its figures.
module Plait.Lab.Scenarios.RowResult


open Plait.Lab.Measure
open Plait.Report

/// The figures of an estimate, as results hold them.
let ratio (estimate: Statistics.Estimate) : RatioResult =
    {
        Median = estimate.Median
        Low = estimate.Low
        High = estimate.High
        Launches = estimate.Launches
        Spread = estimate.Spread
        Pairs = estimate.Pairs
    }

let private errorCounts (errors: Errors) : ErrorCounts =
    {
        Status = errors.Status
        Length = errors.Length
        Connection = errors.Connection
        Timeout = errors.Timeout
    }

/// Median over launches of the median inside each.
let private overLaunches (value: Slice -> float) (launches: Pair list list) =
    launches
    |> List.filter (fun pairs -> not pairs.IsEmpty)
    |> List.map (List.map (fun pair -> value pair.Candidate) >> Statistics.median)
    |> function
        | [] -> None
        | medians -> Some(Statistics.median medians)

let private estimate (settings: Settings) part (value: Pair -> float) (launches: Pair list list) =
    launches
    |> List.map (List.map value)
    |> Statistics.estimate (Order.random settings.Seed $"bootstrap {part}")

// One pair has no interval, and so no verdict.
let private verdict margin (ratio: RatioResult) =
    if ratio.Pairs < 2 then
        Verdict.word Verdict.Unresolved
    else
        Verdict.ofInterval margin ratio.Low ratio.High |> Verdict.word

/// CPU for a request over the base's, in process; None without pairs.
let cpuRatio (settings: Settings) (id: string) (launches: Pair list list) : RatioResult option =
    estimate settings $"{id} in process" _.CpuRatio launches |> Option.map ratio

/// The figures over HTTP; None without pairs.
let http (settings: Settings) (id: string) (launches: Pair list list) : HttpResult option =
    match
        estimate settings $"{id} over HTTP" _.CpuRatio launches,
        estimate settings $"{id} requests/s" (fun pair -> 100.0 * pair.RateRatio) launches,
        overLaunches _.CpuPerOperation launches
    with
    | Some estimate, Some rate, Some cpu ->
        let ratio = ratio estimate
        let slices = launches |> List.concat |> List.map _.Candidate

        Some
            {
                CpuMicroseconds = cpu
                CpuRatio = ratio
                Verdict = verdict settings.Margin ratio
                RequestsPerSecond = slices |> List.map _.PerSecond |> Statistics.median
                RequestsPerSecondPercent = { Median = rate.Median; Low = rate.Low; High = rate.High }
                CapacityPercent = 100.0 / ratio.Median
                // What is not known is no number in any slice.
                BytesPerRequest =
                    overLaunches _.BytesPerOperation launches |> Option.filter System.Double.IsFinite
                Requests = slices |> List.sumBy _.Operations
                Errors = slices |> List.fold (fun sum slice -> sum + slice.Errors) Errors.None |> errorCounts
            }
    | _ -> None

/// The status of a row and its reason: measured when all that was asked for is there and nothing went wrong; partial
/// when some of it is there; failed when none is.
let status (settings: Settings) (row: RowRun) : string * string option =
    let isLoaded = Settings.isLoaded settings row.Plan.SyncFn

    // The base finishes no phase of its own: it is measured beside all others.
    let has (launch: LaunchRun) phase (pairs: System.Collections.Generic.List<Pair>) =
        launch.Finished.Contains phase || pairs.Count >= settings.Pairs

    let complete =
        if settings.BytesOnly then
            row.Bytes.IsSome && row.BytesNoEscape.IsSome
        else
            row.Launches.Count >= settings.Launches
            && row.Launches
               |> Seq.forall (fun launch ->
                   (not settings.InProcess || has launch Phase.InProcess launch.InProcess)
                   && (not isLoaded || has launch Phase.OverHttp launch.Http))

    let anything =
        row.Bytes.IsSome
        || row.Launches |> Seq.exists (fun launch -> launch.InProcess.Count + launch.Http.Count > 0)

    match row.Trouble, row.Plan.Candidate.Absence with
    | _, Some absence -> absence.Status, Some absence.Reason
    | Some reason, None -> (if anything then "partial" else "failed"), Some reason
    | None, None when complete -> "measured", None
    | None, None when anything ->
        "partial", Some "the run was stopped before this row was measured in every launch"
    | None, None -> "not available", Some "the run was stopped before this row was measured"

let private launchesOf (select: LaunchRun -> Pair seq) (run: RowRun) =
    run.Launches |> Seq.map (select >> Seq.filter _.IsUsable >> List.ofSeq) |> List.ofSeq

let private inProcess = launchesOf _.InProcess

/// What one wrapper costs in ns: CPU beyond the base's, over the wrappers of a request. None for the base and the
/// control, which wrap nothing, and where either is not measured. `ground`: the base's CPU microseconds.
let nanosecondsPerWrapper
    (wrappers: bool -> int)
    (ground: float option)
    (plan: RowPlan)
    (ratio: RatioResult option)
    : float option =
    match ground, ratio with
    | Some ground, Some ratio when plan.Candidate.Family <> "base" && plan.Candidate.Family <> "control" ->
        // From the ratio, not from the row's own microseconds: pairs cancel the drift of the machine.
        Some(1000.0 * (ratio.Median - 1.0) * ground / float (wrappers plan.SyncFn))
    | _ -> None

let private row settings wrappers ground (run: RowRun) : Row =
    let plan = run.Plan
    let inside = inProcess run
    let ratio = cpuRatio settings plan.Id inside
    let status, reason = status settings run

    {
        Id = plan.Id
        Candidate = plan.Candidate.Name
        Factors = { SyncFn = plan.SyncFn }
        Label = plan.Candidate.Label + (if plan.SyncFn then " + sync-fn" else "")
        Family = plan.Candidate.Family
        Library = plan.Candidate.Library
        LibraryVersion = run.Introduction |> Option.bind _.LibraryVersion
        Status = status
        Available = status <> "not available"
        Reason = reason
        Correct = run.Correct
        BytesPerOperation = overLaunches _.BytesPerOperation inside |> Option.orElse run.Bytes
        BytesPerOperationNoEscape = run.BytesNoEscape
        CpuMicroseconds = overLaunches _.CpuPerOperation inside
        CpuRatio = ratio
        NanosecondsPerWrapper =
            wrappers |> Option.bind (fun wrappers -> nanosecondsPerWrapper wrappers ground plan ratio)
        Verdict = ratio |> Option.map (verdict settings.Margin)
        Http = run |> launchesOf _.Http |> http settings plan.Id
        Published =
            plan.Candidate.Published
            |> List.filter (fun figure -> figure.SyncFn = plan.SyncFn)
            |> List.map (fun figure ->
                { Source = figure.Source; PercentOfSync = figure.PercentOfSync; Note = figure.Note })
    }

/// The rows as results hold them.
let rows (settings: Settings) (scenario: Scenario) (runs: RowRun list) : Row list =
    let ground =
        runs
        |> List.tryFind (fun run -> run.Plan.Id = scenario.Base)
        |> Option.bind (inProcess >> overLaunches _.CpuPerOperation)

    runs |> List.map (row settings scenario.Wrappers ground)
