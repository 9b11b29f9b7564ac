// Whether the figures of a load run are to be relied on: what the generator itself must not have done. Pure.
module Plait.Load.Trust

open Plait.Report

/// The share of its core that the generator may use in the open model, where what it is late with counts as latency.
let mostBusyOpen = 0.60

/// The share that it may use in the closed model, where its own work is part of every cycle anyway.
let mostBusyClosed = 0.85

/// The 99th percentile that the generator's own lag may have, in nanoseconds.
let mostGeneratorLag = 1_000_000L

/// The median of its own lag that never matters, in nanoseconds.
let leastGeneratorLag = 50_000L

/// The part of the median latency that the median of its own lag may be.
let mostOfMedian = 0.10

/// Why the figures are not to be relied on, one sentence each; empty: they are.
let reasons (outcome: Outcome) : string list =
    let isOpen =
        match outcome.Plan.Model with
        | Open _ -> true
        | Closed _ -> false

    let most = if isOpen then mostBusyOpen else mostBusyClosed
    let p99 = outcome.GeneratorLag.Percentile 99.0
    let median = outcome.GeneratorLag.Percentile 50.0
    let latency = outcome.Intended.Percentile 50.0

    [
        if outcome.Busy > most then
            $"the generator used {100.0 * outcome.Busy:F0} %% of its core, more than {100.0 * most:F0} %%: the figures are those of the generator as much as of the server; lower the load, or use several generators and merge their histograms"

        if isOpen && p99 > mostGeneratorLag then
            $"1 %% of the requests were sent {Duration.show p99} late or later although a connection was free (more than {Duration.show mostGeneratorLag}): the generator did not get its core in time; give it a core of its own (--core), or a machine"

        if
            isOpen
            && outcome.Intended.Count > 0L
            && median > leastGeneratorLag
            && float median > mostOfMedian * float latency
        then
            $"half of the requests were sent {Duration.show median} late or later although a connection was free, over {100.0 * mostOfMedian:F0} %% of the median latency of {Duration.show latency}; lower the rate, or give the generator a core of its own (--core)"
    ]
