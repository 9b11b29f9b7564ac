// Measuring one launch of a row over HTTP: the load generator asks the candidate's server and the base's in turn, both
// alive, one loaded at a time.
module internal Plait.Lab.Scenarios.HttpLaunch

open System

open Plait.Report

open Plait.Load
open Plait.Lab.Measure

/// A slice of load that must have come to something.
let private load (context: Context) (subject: string) (live: Live) (connections: AttackSlices) milliseconds =
    let slice, complaint =
        Launch.answered
            context
            context.Scenario.ToleratesErrors
            milliseconds
            (HttpSlice.take connections live.Process)

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

/// Connections of the load generator to a process's server; disposing closes them.
let private connect (context: Context) (client: AttackProcess) (id: string) (live: Live) =
    HttpSlice.connect
        client
        (Option.get live.Url)
        context.Settings.Connections
        (context.Scenario.BodyOf id)
        context.Settings.PatienceMilliseconds

let private warmHttp context subject live connections warmUp =
    Launch.warmUp context warmUp (fun () -> load context subject live connections Launch.warmSlice |> fst)

/// Warms the base's server, twice as long as those of rows: all of a launch is compared with it, and what it would still
/// gain meanwhile would be a loss of theirs. True: its CPU for a request became flat.
let warmBase (context: Context) (client: AttackProcess) (ground: Live) =
    use connections = connect context client context.Scenario.Base ground
    let own = context.Settings.HttpWarmUp

    warmHttp
        context
        context.Scenario.Base
        ground
        connections
        {
            FloorMilliseconds = 2 * own.FloorMilliseconds
            LimitMilliseconds = 2 * own.LimitMilliseconds
        }

let private noteErrors (row: RowRun) (errors: Errors) (complaint: string option) =
    if errors.Total > 0L then
        let detail =
            complaint |> Option.map (fun text -> $"; {text}") |> Option.defaultValue ""

        row.Fail
            $"some responses over HTTP did not count ({errors.Status} status, {errors.Length} length, {errors.Connection} connection, {errors.Timeout} time-out){detail}"

/// Pairs over HTTP of a row that is not the base. True: its warm-up became flat.
let overHttp
    (context: Context)
    launch
    (row: RowRun)
    (pairsOf: LaunchRun)
    (candidate: Live)
    (ground: Live)
    into
    =
    let client = Option.get context.Load
    // Where all rows share the server's core, the one client does.
    let own =
        if row.Plan.Switches.ClientOnServer then
            Option.defaultValue client context.LoadBeside
        else
            client

    let id = row.Plan.Id

    use ours = connect context own id candidate
    let flat = warmHttp context id candidate ours context.Settings.HttpWarmUp
    use theirs = connect context client context.Scenario.Base ground
    // Accepting connections costs the server as well, and must not fall into a slice that counts.
    load context context.Scenario.Base ground theirs Launch.warmSlice |> ignore
    let milliseconds = context.Settings.SliceMilliseconds

    let take isCandidate =
        if isCandidate then
            let slice, complaint = load context id candidate ours milliseconds

            let errors =
                if context.Scenario.ToleratesErrors then
                    { slice.Errors with Status = 0L }
                else
                    slice.Errors

            noteErrors row errors complaint
            slice
        else
            load context context.Scenario.Base ground theirs milliseconds |> fst

    Launch.pairs context row launch Phase.OverHttp take (Launch.keep pairsOf.Http into)
    flat
