// Measuring one launch of a row over HTTP: the load client asks the candidate's server and the base's in turn, both
// alive, one loaded at a time.
module internal Plait.Lab.Scenarios.HttpLaunch

open System

open Plait.Report

open Plait.Lab.Measure

/// A slice of load that must have come to something.
let private load (context: Context) (client: LoadProcess) (subject: string) (live: Live) target milliseconds =
    let slice, complaint =
        Launch.answered context context.Scenario.ToleratesErrors milliseconds (fun milliseconds ->
            client.Run(live.Process, target, milliseconds))

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

/// Connections of the load client to a process's server; disposing closes them.
let private connect (context: Context) (client: LoadProcess) (id: string) (live: Live) =
    let target =
        client.Connect(Option.get live.Url, context.Settings.Connections, (context.Scenario.BodyOf id).Length)

    { new IDisposable with
        member _.Dispose() =
            try
                client.Close target
            with :? WorkerFailed ->
                // A client that cannot close fails again, with the same sentence, at its next slice.
                ()
    },
    target

let private warmHttp context client subject live target warmUp =
    Launch.warmUp context warmUp (fun () -> load context client subject live target Launch.warmSlice |> fst)

/// Warms the base's server, twice as long as those of rows: all of a launch is compared with it, and what it would still
/// gain meanwhile would be a loss of theirs. True: its CPU for a request became flat.
let warmBase (context: Context) (client: LoadProcess) (ground: Live) =
    let connections, target = connect context client context.Scenario.Base ground
    use _ = connections
    let own = context.Settings.HttpWarmUp

    warmHttp
        context
        client
        context.Scenario.Base
        ground
        target
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

    let ours, ourTarget = connect context own id candidate
    use _ = ours
    let flat = warmHttp context own id candidate ourTarget context.Settings.HttpWarmUp
    let theirs, theirTarget = connect context client context.Scenario.Base ground
    use _ = theirs
    // Accepting connections costs the server as well, and must not fall into a slice that counts.
    load context client context.Scenario.Base ground theirTarget Launch.warmSlice |> ignore
    let milliseconds = context.Settings.SliceMilliseconds

    let take isCandidate =
        if isCandidate then
            let slice, complaint = load context own id candidate ourTarget milliseconds

            let errors =
                if context.Scenario.ToleratesErrors then
                    { slice.Errors with Status = 0L }
                else
                    slice.Errors

            noteErrors row errors complaint
            slice
        else
            load context client context.Scenario.Base ground theirTarget milliseconds |> fst

    Launch.pairs context row launch Phase.OverHttp take (Launch.keep pairsOf.Http into)
    flat
