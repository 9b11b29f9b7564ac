// Measuring one launch of a row over HTTP: the load generator asks the candidate's server and the base's in turn, both
// alive, one loaded at a time.
module internal Plait.Lab.HttpLaunch

open System

open Plait.Report

open Plait.Load

/// A slice of load that must have come to something.
let private load (context: Context) (subject: string) (served: Served) milliseconds =
    let slice, complaint =
        Launch.answered
            context
            context.Scenario.ToleratesErrors
            milliseconds
            (HttpSlice.take served.Connections served.Process)

    if slice.Operations = 0L then
        let errors = slice.Errors

        let why =
            complaint
            |> Option.defaultValue
                $"{errors.Connection} connections failed, {errors.Timeout} requests timed out"

        raise (
            WorkerFailed(
                subject,
                $"{subject} answered no request rightly in {milliseconds} ms of load: {why}"
            )
        )

    context.ClientBusy.Add slice.ClientBusy
    slice, complaint

/// Starts the server of a row's process, checks its answer, and opens the load generator's connections to it.
let serve (context: Context) (row: RowRun) (started: CandidateProcess) (port: int) : Served =
    let patience = context.Settings.PatienceMilliseconds
    let url = AnswerCheck.overHttp context.Scenario patience row started port

    {
        Process = started
        Connections =
            HttpSlice.connect
                ((Option.get context.Load).Of row.Plan)
                url
                context.Settings.Connections
                (context.Scenario.BodyOf row.Plan.Id)
                patience
    }

/// Loads a row's server until it is warm. True: its CPU for a request became flat.
let warm (context: Context) (row: RowRun) (served: Served) : bool =
    // Two commands a slice ask what the process has used.
    Launch.warmUp
        context
        (Launch.commands / 2)
        context.Settings.HttpWarmUp
        (load context row.Plan.Id served >> fst)

let private noteErrors (row: RowRun) (errors: ErrorCounts) (complaint: string option) =
    if errors.Total > 0L then
        let detail =
            complaint |> Option.map (fun text -> $"; {text}") |> Option.defaultValue ""

        row.Fail
            $"some responses over HTTP did not count ({errors.Status} status, {errors.Length} length, {errors.Connection} connection, {errors.Timeout} time-out){detail}"

/// Pairs over HTTP of a row that is not the base; the base's side goes to `into` as well.
let overHttp
    (context: Context)
    launch
    (row: RowRun)
    (own: LaunchRun)
    (candidate: Served)
    (theBase: Served)
    (into: LaunchRun)
    : unit =
    let milliseconds = context.Settings.SliceMilliseconds

    let take isCandidate =
        if isCandidate then
            let slice, complaint = load context row.Plan.Id candidate milliseconds

            let errors =
                if context.Scenario.ToleratesErrors then
                    { slice.Errors with Status = 0L }
                else
                    slice.Errors

            noteErrors row errors complaint
            slice
        else
            load context context.Scenario.Base theBase milliseconds |> fst

    Launch.pairs context row launch Place.OverHttp take (Launch.keep own.Http into.Http)
