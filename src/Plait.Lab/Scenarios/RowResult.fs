// Pure: from the pairs of a row to its figures.
module Plait.Lab.Scenarios.RowResult

open Plait.Lab.Measure
open Plait.Lab.Report

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

let private estimate seed part (value: Pair -> float) (launches: Pair list list) =
    launches |> List.map (List.map value) |> Statistics.estimate (Order.random seed part)

let private verdict margin (ratio: RatioResult) =
    Verdict.ofInterval margin ratio.Low ratio.High |> Verdict.word

/// The figures in process; None without pairs.
let inProcess (settings: Settings) (id: string) (launches: Pair list list) : InProcessResult option =
    match
        estimate settings.Seed $"bootstrap {id} in process" _.CpuRatio launches,
        overLaunches _.CpuPerOperation launches
    with
    | Some estimate, Some cpu ->
        let ratio = ratio estimate
        Some { CpuMicroseconds = cpu; Ratio = ratio; Verdict = verdict settings.Margin ratio }
    | _ -> None

/// The figures over HTTP; None without pairs.
let http (settings: Settings) (id: string) (launches: Pair list list) : HttpResult option =
    let pairs = List.concat launches

    match
        estimate settings.Seed $"bootstrap {id} over HTTP" _.CpuRatio launches,
        overLaunches _.CpuPerOperation launches,
        overLaunches _.BytesPerOperation launches
    with
    | Some estimate, Some cpu, Some bytes ->
        let ratio = ratio estimate
        let slices = pairs |> List.map _.Candidate

        Some
            {
                CpuMicroseconds = cpu
                Ratio = ratio
                Verdict = verdict settings.Margin ratio
                RequestsPerSecond = slices |> List.map _.PerSecond |> Statistics.median
                RequestsPerSecondRatio = pairs |> List.map _.RateRatio |> Statistics.median
                CapacityPercent = 100.0 / ratio.Median
                BytesPerRequest = bytes
                Requests = slices |> List.sumBy _.Operations
                Errors = slices |> List.fold (fun sum slice -> sum + slice.Errors) Errors.None |> errorCounts
            }
    | _ -> None

/// The status of a row and its reason: measured when all that was asked for is there and nothing went wrong; partial
/// when some of it is there; failed when none is.
let status (settings: Settings) (row: RowRun) : string * string option =
    let isLoaded = Settings.isLoaded settings row.Plan.SyncFn

    let complete =
        row.Launches.Count >= settings.Launches
        && row.Launches
           |> Seq.forall (fun launch ->
               (not settings.InProcess || launch.InProcess.Count >= settings.Pairs)
               && (not isLoaded || launch.Http.Count >= settings.Pairs))

    let anything =
        row.Launches |> Seq.exists (fun launch -> launch.InProcess.Count + launch.Http.Count > 0)

    match row.Trouble with
    | Some reason -> (if anything then "partial" else "failed"), Some reason
    | None when complete -> "measured", None
    | None when anything -> "partial", Some "the run was stopped before this row was measured in every launch"
    | None -> "not available", Some "the run was stopped before this row was measured"

/// The row as results hold it.
let row (settings: Settings) (row: RowRun) : Row =
    let plan = row.Plan

    let parts select =
        row.Launches |> Seq.map (select >> List.ofSeq) |> List.ofSeq

    let inside = parts _.InProcess
    let status, reason = status settings row

    {
        Id = plan.Id
        Candidate = plan.Candidate.Name
        Factors = { SyncFn = plan.SyncFn }
        Label = plan.Candidate.Label + (if plan.SyncFn then " + sync-fn" else "")
        Family = plan.Candidate.Family
        Library = plan.Candidate.Library
        LibraryVersion = row.Introduction |> Option.bind _.LibraryVersion
        Status = status
        Reason = reason
        Correct = row.Correct
        BytesPerRequest = overLaunches _.BytesPerOperation inside
        BytesPerRequestNoEscape = row.BytesNoEscape
        InProcess = inProcess settings plan.Id inside
        Http = http settings plan.Id (parts _.Http)
        Published =
            plan.Candidate.Published
            |> List.filter (fun figure -> figure.SyncFn = plan.SyncFn)
            |> List.map (fun figure ->
                { Source = figure.Source; PercentOfSync = figure.PercentOfSync; Note = figure.Note })
    }
