// Measuring one launch of a row over HTTP: the load generator asks the candidate's server and the base's in turn, both
// alive, one loaded at a time.
module internal Plait.Lab.HttpPairing

open System

open Plait.Common
open Plait.Report

open Plait.Load

/// A slice of load that must have come to something.
let private load (context: Context) (served: LoadedServer) milliseconds =
    let slice, outcome =
        Pairing.answered context context.Scenario.ToleratesErrors milliseconds served.Take

    if slice.Operations = 0L then
        let subject, errors = served.Row.Plan.Id, slice.Errors

        let why =
            Outcome.complaint outcome
            |> Option.defaultValue
                $"{errors.Connection} connections failed, {errors.Timeout} requests timed out"

        raise (
            WorkerFailed(
                subject,
                $"{subject} answered no request rightly in {milliseconds} ms of load: {why}"
            )
        )

    context.ClientBusy.Add slice.ClientBusy
    slice, outcome

/// Starts the server of a row's process, checks its answer, and opens the load generator's connections to it, which closing
/// closes.
let serve (context: Context) (row: MeasuredRow) (started: CandidateProcess) : LoadedServer =
    let patience = context.Settings.PatienceMilliseconds
    let url = AnswerCheck.overHttp context.Scenario patience row started

    let connections =
        HttpSlice.connect
            ((Option.get context.Load).Of row.Plan)
            url
            context.Settings.Connections
            (context.Scenario.BodyOf row.Plan.Id)
            patience

    {
        Row = row
        Take = fun milliseconds -> HttpSlice.take started.Usage (fun () -> connections.Run milliseconds)
        Close = fun () -> (connections :> IDisposable).Dispose()
    }

/// Loads a server until it is warm, by `commands` slices of a millisecond and then by slices of `length`.
let warm (context: Context) (commands: int) (length: int) (served: LoadedServer) : unit =
    Pairing.warmUp context commands length context.Settings.HttpWarmUp (load context served >> fst)
    |> served.Row.Warmed

let private noteErrors (context: Context) (row: MeasuredRow) (slice: Slice) (outcome: Outcome) =
    let errors =
        if context.Scenario.ToleratesErrors then
            { slice.Errors with Status = 0L }
        else
            slice.Errors

    if errors.Total > 0L then
        let detail =
            Outcome.complaint outcome
            |> Option.map (fun text -> $"; {text}")
            |> Option.defaultValue ""

        row.Fail
            $"some responses over HTTP did not count ({errors.Status} status, {errors.Length} length, {errors.Connection} connection, {errors.Timeout} time-out){detail}"

/// Pairs over HTTP of a row that is not the base; the base's side goes to `into` as well.
let measure
    (context: Context)
    launch
    (own: LaunchPairs)
    (candidate: LoadedServer)
    (theBase: LoadedServer)
    (into: LaunchPairs)
    : unit =
    let row = candidate.Row

    let take isCandidate =
        let served = if isCandidate then candidate else theBase
        let slice, outcome = load context served context.Settings.SliceMilliseconds
        noteErrors context served.Row slice outcome
        slice

    Pairing.pairs context row launch Measure.OverHttp take (Pairing.keep own.Http into.Http)
    Pairing.finished context launch row own into Measure.OverHttp own.Http
