// Whether the figures of a load run are reliable: the limits of the generator's own part in them. Pure.
module Plait.Load.Validity

open System

open Plait.Common

/// The largest share of its core that the generator may use in the open model, where its own delay counts as latency.
let mostBusyOpen = 0.60

/// The largest share in the closed model, where its own work is part of every cycle anyway.
let mostBusyClosed = 0.85

/// The least length of a run whose busyness is judged: its first request takes as long as many later ones.
let leastElapsed = TimeSpan.FromMilliseconds 100.

let private isOpen (outcome: Outcome) =
    match outcome.Plan.Model with
    | Open _ -> true
    | Closed _ -> false

/// A sentence about the generator's own lag in the open model, if it is more than --max-lag allows.
let lateness (outcome: Outcome) : string option =
    outcome.Plan.MaxLag
    |> Option.filter (fun _ -> isOpen outcome)
    |> Option.bind (fun most ->
        let p99 = outcome.Counts.GeneratorLag.Percentile 99.0

        if p99 > most.Ticks * 100L then
            Some
                $"the generator sent 1 %% of the requests at least {Duration.show p99} late, although a connection was free; --max-lag allows {Duration.showSpan most}"
        else
            None)

let private had (outcome: Outcome) (result: RequestResult) =
    outcome.Results |> Map.tryFind result |> Option.defaultValue 0L

/// The resources of this machine that ran out in a run, one sentence each.
let shortages (outcome: Outcome) : string list =
    [
        match had outcome RequestResult.NoLocalPort with
        | 0L -> ()
        | count ->
            $"{Lag.requests count} found no local port for their connection: this machine's limit, not the server's; keep connections alive, or wait a minute until the ports of earlier runs are free"

        match had outcome RequestResult.NoDescriptor with
        | 0L -> ()
        | count ->
            $"{Lag.requests count} could not open a file for their connection: this process's limit, not the server's; raise it (ulimit -n), or ask for fewer connections"
    ]

/// The sentence about a server that allows no streams.
let noStreams =
    "the server allows no streams (its SETTINGS_MAX_CONCURRENT_STREAMS is 0), so HTTP/2 cannot carry a request; raise that setting of the server"

/// Why requests were not sent: no connection was free for them until the run ended, or to the server that they were redirected to.
let private ranOut (outcome: Outcome) : string option =
    let unsent = had outcome RequestResult.Unsent

    let isCutShort =
        match Plan.mostRequests outcome.Plan with
        | Some most -> outcome.Requests < most
        // The closed model could not send until its end.
        | None -> not (isOpen outcome)

    if
        outcome.Counts.AllowedStreams = Some 0
        && (outcome.Counts.Waited.Count > 0L || outcome.Right = 0L || isCutShort)
    then
        Some noStreams
    elif unsent > 0L then
        let allInUse, remedy = Lag.allInUse outcome.Plan outcome.Counts
        let requests = if unsent = 1L then "1 request was" else $"{unsent} requests were"
        Some $"connections ran out: {requests} never sent {allInUse}; {remedy}"
    else
        None

/// Why the figures are not to be relied on, one sentence each; empty: they are.
let reasons (outcome: Outcome) : string list =
    let most = if isOpen outcome then mostBusyOpen else mostBusyClosed

    [
        match ranOut outcome with
        | Some sentence -> sentence
        | None -> ()

        yield! shortages outcome

        if outcome.Busy > most && outcome.Elapsed >= leastElapsed then
            $"the generator used {100.0 * outcome.Busy:F0} %% of its core, more than {100.0 * most:F0} %%: the figures measure the generator as much as the server; lower the load, or use several generators and merge their histograms"

        yield! Option.toList (lateness outcome)
    ]
