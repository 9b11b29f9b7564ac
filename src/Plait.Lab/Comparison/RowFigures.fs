// Pure: from the pairs of a row to its figures. The list below has a reader for every figure; Plait.Report
// (Figures/Figure.fs) describes the figures.
module Plait.Lab.RowFigures

open System

open Plait.Report

/// The measurements of a row, and the facts that its figures need.
type private Reading =
    {
        Settings: Settings
        Plan: RowPlan
        Wrappers: (Map<string, string> -> int) option
        InProcess: Pair list list
        Http: Pair list list
        Run: MeasuredRow
        /// The base's figures; None for the base.
        Base: Map<string, Measured> option
    }

/// A ratio of pairs: its median with a bootstrap interval over launches. None without pairs. One pair has no interval.
/// `part` names the draw of the bootstrap.
let ratio
    (settings: Settings)
    (part: string)
    (value: Pair -> float)
    (launches: Pair list list)
    : Measured option =
    launches
    |> List.map (List.map value)
    |> Statistics.estimate (Order.random settings.Seed $"bootstrap {part}")
    |> Option.map (fun estimate ->
        let known value =
            if estimate.Pairs < 2 then None else Some value

        { Measured.Plain estimate.Median with
            Low = known estimate.Low
            High = known estimate.High
            Launches = Some estimate.Launches
            Spread = if estimate.Launches.Length < 2 then None else Some estimate.Spread
            Pairs = Some estimate.Pairs
        })

/// The verdict on a ratio of costs.
let verdict (margin: float) (ratio: Measured) : Verdict =
    match ratio.Interval with
    | Some(low, high) -> Verdict.ofInterval margin low high
    | None -> Unresolved

let private judged (settings: Settings) (ratio: Measured option) =
    ratio
    |> Option.map (fun ratio -> { ratio with Verdict = Some(verdict settings.Margin ratio) })

/// The pairs that count, launch by launch.
let launchesOf (select: LaunchPairs -> Pair seq) (run: MeasuredRow) : Pair list list =
    run.Launches |> Seq.map (select >> Seq.filter _.IsUsable >> List.ofSeq) |> List.ofSeq

/// CPU for a request over the base's, in process; None without pairs.
let cpuRatio (settings: Settings) (id: string) (launches: Pair list list) : Measured option =
    ratio settings $"{id} in process" _.CpuRatio launches |> judged settings

/// The same over HTTP.
let httpCpuRatio (settings: Settings) (id: string) (launches: Pair list list) : Measured option =
    ratio settings $"{id} over HTTP" _.CpuRatio launches |> judged settings

/// Median over launches of the median inside each; a value that is unknown is no number in any slice.
let private overLaunches (value: Slice -> float) (launches: Pair list list) =
    launches
    |> List.filter (fun pairs -> not pairs.IsEmpty)
    |> List.map (List.map (fun pair -> value pair.Candidate) >> Statistics.median)
    |> function
        | [] -> None
        | medians -> Some(Statistics.median medians)
    |> Option.filter Double.IsFinite

let private plain (value: float option) = value |> Option.map Measured.Plain

let private overBase (figure: Figure) (reading: Reading) (soFar: Map<string, Measured>) =
    let read = Map.tryFind figure.Key

    Option.map2
        (fun (own: Measured) (theirs: Measured) -> Measured.Plain(own.Value - theirs.Value))
        (read soFar)
        (reading.Base |> Option.bind read)

/// The cost of one wrapper in ns: CPU beyond the base's, over the wrappers of a request. None for the base and the
/// control, which wrap nothing, and where either is not measured.
let private perWrapper (reading: Reading) (soFar: Map<string, Measured>) =
    match
        reading.Wrappers,
        reading.Base |> Option.bind (Map.tryFind Figures.cpuMicroseconds.Key),
        Map.tryFind Figures.cpuRatio.Key soFar
    with
    | Some wrappers, Some theBase, Some ratio when
        reading.Plan.Candidate.Family <> Family.Base
        && reading.Plan.Candidate.Family <> Family.Control
        ->
        // From the ratio, not from the row's own microseconds: pairs cancel the drift of the machine.
        let beyond = 1000.0 * (ratio.Value - 1.0) * theBase.Value
        Some(Measured.Plain(beyond / float (wrappers (Map reading.Plan.Factors))))
    | _ -> None

/// How each figure is read: from the measurements, and from the figures above it.
let private readers: (Figure * (Reading -> Map<string, Measured> -> Measured option)) list =
    let inProcess (value: Slice -> float) (reading: Reading) _ =
        overLaunches value reading.InProcess |> plain

    let overHttp (value: Slice -> float) (reading: Reading) _ =
        overLaunches value reading.Http |> plain

    let slices (reading: Reading) =
        reading.Http |> List.concat |> List.map _.Candidate

    [
        Figures.bytesPerOperation,
        fun it _ -> overLaunches _.BytesPerOperation it.InProcess |> Option.orElse it.Run.Bytes |> plain
        Figures.bytesOverBase, overBase Figures.bytesPerOperation
        Figures.bytesPerOperationNoEscape, fun it _ -> plain it.Run.BytesNoEscape
        Figures.bytesOverBaseNoEscape, overBase Figures.bytesPerOperationNoEscape
        Figures.cpuMicroseconds, inProcess _.CpuPerOperation
        Figures.cpuRatio, fun it _ -> cpuRatio it.Settings it.Plan.Id it.InProcess
        Figures.nanosecondsPerWrapper, perWrapper
        Figures.gcPauseMicroseconds, inProcess _.CountedPerOperation(Figures.gcPauseMicroseconds.Key)
        Figures.httpBytesPerRequest, overHttp _.BytesPerOperation
        Figures.httpBytesOverBase, overBase Figures.httpBytesPerRequest
        Figures.httpCpuMicroseconds, overHttp _.CpuPerOperation
        Figures.httpCpuRatio, fun it _ -> httpCpuRatio it.Settings it.Plan.Id it.Http
        Figures.httpRequestsPerSecond,
        fun it _ ->
            match slices it with
            | [] -> None
            | slices -> slices |> List.map _.PerSecond |> Statistics.median |> Measured.Plain |> Some
        Figures.httpRequestsPerSecondPercent,
        fun it _ -> ratio it.Settings $"{it.Plan.Id} requests/s" (fun pair -> 100.0 * pair.RateRatio) it.Http
        Figures.httpCapacityPercent,
        fun _ soFar ->
            Map.tryFind Figures.httpCpuRatio.Key soFar
            |> Option.map (fun ratio -> Measured.Plain(100.0 / ratio.Value))
        Figures.httpRequests,
        fun it _ ->
            match slices it with
            | [] -> None
            | slices -> slices |> List.sumBy _.Operations |> float |> Measured.Plain |> Some
    ]

let private figures (reading: Reading) : Map<string, Measured> =
    (Map.empty, readers)
    ||> List.fold (fun soFar (figure, read) ->
        match read reading soFar with
        | Some measured -> Map.add figure.Key measured soFar
        | None -> soFar)

/// The status of a row and its reason: measured when all that was asked for is there and nothing went wrong; partial
/// when some of it is there; failed when none is.
let status (settings: Settings) (row: MeasuredRow) : Status * string option =
    let isLoaded = Settings.isLoaded settings row.Plan

    let asked: (Measure * (LaunchPairs -> int)) list =
        [
            if settings.InProcess then
                Measure.InProcess, (fun launch -> launch.InProcess.Count)
            if isLoaded then
                Measure.OverHttp, (fun launch -> launch.Http.Count)
        ]

    let complete =
        if settings.BytesOnly then
            row.Bytes.IsSome && row.BytesNoEscape.IsSome
        else
            row.Launches.Count >= settings.Launches
            && row.Launches
               |> Seq.forall (fun launch ->
                   asked
                   |> List.forall (fun (place, _) ->
                       not (List.contains place launch.Asked) || launch.Finished.Contains place))

    // A launch ends after so many pairs, dropped ones among them.
    let allDropped =
        not settings.BytesOnly
        && asked |> List.exists (fun (_, kept) -> row.Launches |> Seq.sumBy kept = 0)

    let anything =
        row.Bytes.IsSome
        || row.Launches |> Seq.exists (fun launch -> launch.InProcess.Count + launch.Http.Count > 0)

    match row.Trouble, row.Plan.Candidate.Absence with
    | _, Some absence -> absence.Status, Some absence.Reason
    | Some reason, None -> (if anything then Status.Partial else Status.Failed), Some reason
    | None, None when complete && allDropped ->
        (if anything then Status.Partial else Status.Failed),
        Some "the hypervisor took time from all its pairs, so none was kept"
    | None, None when complete -> Status.Measured, None
    | None, None when anything ->
        Status.Partial, Some "the run was stopped before this row was measured in every launch"
    | None, None -> Status.NotAvailable, Some "the run was stopped before this row was measured"

let private reading settings (scenario: Scenario) theBase (run: MeasuredRow) : Reading =
    {
        Settings = settings
        Plan = run.Plan
        Wrappers = scenario.Wrappers
        InProcess = launchesOf _.InProcess run
        Http = launchesOf _.Http run
        Run = run
        Base = theBase
    }

let private row (reading: Reading) : Row =
    let plan, run = reading.Plan, reading.Run
    let status, reason = status reading.Settings run
    let slices = reading.Http |> List.concat |> List.map _.Candidate

    {
        Id = plan.Id
        Candidate = plan.Candidate.Name
        Factors = Map plan.Factors
        Label = String.Join(" + ", plan.Candidate.Label :: List.map snd plan.Factors)
        Family = plan.Candidate.Family
        Library = plan.Candidate.Library
        LibraryVersion = run.Introduction |> Option.bind _.LibraryVersion
        Status = status
        Reason = reason
        Correct = run.Correct
        Figures = figures reading
        Errors =
            if slices.IsEmpty then
                None
            else
                Some(slices |> List.fold (fun sum slice -> sum + slice.Errors) ErrorCounts.None)
        Published =
            plan.Candidate.Published
            |> List.filter (fun figure -> figure.Factors = plan.Factors)
            |> List.map (fun figure ->
                { Source = figure.Source; PercentOfSync = figure.PercentOfSync; Note = figure.Note })
    }

/// The rows as results hold them.
let rows (settings: Settings) (scenario: Scenario) (runs: MeasuredRow list) : Row list =
    let theBase =
        runs
        |> List.tryFind (fun run -> run.Plan.Id = scenario.Base)
        |> Option.map (reading settings scenario None >> figures)

    [
        for run in runs do
            reading settings scenario (if run.Plan.Id = scenario.Base then None else theBase) run
            |> row
    ]

/// The figures that some row has, in reading order.
let described (rows: Row list) : Figure list =
    Figures.all
    |> List.filter (fun figure -> rows |> List.exists (fun row -> (row.Find figure).IsSome))
