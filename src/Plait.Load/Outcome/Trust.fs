// Whether the figures of a load run are to be relied on: what the generator itself must not have done. Pure.
module Plait.Load.Trust

open System

open Plait.Report

/// The share of its core that the generator may use in the open model, where what it is late with counts as latency.
let mostBusyOpen = 0.60

/// The share that it may use in the closed model, where its own work is part of every cycle anyway.
let mostBusyClosed = 0.85

/// The part of a percentile of latency that the generator's own lag may make up.
let mostOfLatency = 0.10

/// What its own lag may add to a percentile in any case, in nanoseconds: less is what clocks and sockets take.
let leastLag = 100_000L

/// The requests above a percentile without which it says nothing: one late request is not a late run.
let leastAbove = 5.0

// The percentiles that are judged.
let private percents = [ 50.0; 90.0; 99.0 ]

let private isOpen (outcome: Outcome) =
    match outcome.Plan.Model with
    | Open _ -> true
    | Closed _ -> false

let private advice =
    "lower the rate, give the generator a core of its own (--core) or a machine, or allow more with --max-lag"

/// What the generator was late with, where that is more than it may be.
let private lateness (outcome: Outcome) : string option =
    match outcome.Plan.MostLag with
    | Some most ->
        let p99 = outcome.GeneratorLag.Percentile 99.0

        if p99 > most.Ticks * 100L then
            Some
                $"1 %% of the requests were sent {Duration.show p99} late or later although a connection was free, more than the {Duration.showSpan most} of --max-lag"
        else
            None
    | None ->
        percents
        |> List.filter (fun percent -> (1.0 - percent / 100.0) * float outcome.Intended.Count >= leastAbove)
        |> List.tryPick (fun percent ->
            let latency = outcome.Intended.Percentile percent
            let own = latency - outcome.Unlagged.Percentile percent

            if own > max leastLag (int64 (mostOfLatency * float latency)) then
                Some
                    $"of the p{percent} of {Duration.show latency}, {Duration.show own} are the generator's own lag, more than {100.0 * mostOfLatency:F0} %%: requests were sent late although a connection was free; {advice}"
            else
                None)

let private had (outcome: Outcome) (fate: Fate) =
    outcome.Fates |> Map.tryFind fate |> Option.defaultValue 0L

/// Why the figures are not to be relied on, one sentence each; empty: they are.
let reasons (outcome: Outcome) : string list =
    let most = if isOpen outcome then mostBusyOpen else mostBusyClosed

    [
        if outcome.Waited.Count > 0L then
            let option =
                if outcome.Plan.Connecting.Grows then "--max-connections" else "--connections"

            $"connections ran out: {outcome.Waited.Count} requests waited because all {outcome.MostConnections} were in use, and count in no latency from the intended start; raise {option}, or lower the rate"

        match had outcome Fate.NoLocalPort with
        | 0L -> ()
        | count ->
            $"{count} requests found no local port for their connection: this machine's limit, not the server's; keep connections alive, or wait until those of earlier runs are over (a minute)"

        match had outcome Fate.NoDescriptor with
        | 0L -> ()
        | count ->
            $"{count} requests could not open a file for their connection: this process's limit, not the server's; raise it (ulimit -n), or ask for fewer connections"

        if outcome.Busy > most then
            $"the generator used {100.0 * outcome.Busy:F0} %% of its core, more than {100.0 * most:F0} %%: the figures are those of the generator as much as of the server; lower the load, or use several generators and merge their histograms"

        if isOpen outcome then
            match lateness outcome with
            | Some sentence -> sentence
            | None -> ()
    ]
