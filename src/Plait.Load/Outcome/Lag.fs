// The part of lag in the percentiles of latency: how late requests were sent, because the generator was late itself or because all
// connections were in use. Pure. Lag does not make a run invalid: a rule is judged if its answer is the same with and without lag.
namespace Plait.Load

open Plait.Common

/// A percentile of the latency from the intended start with too much lag. Names here are names in the JSON of load runs.
type LaggedPercentile =
    {
        /// Which one, 0 to 100.
        Percent: float
        /// Nanoseconds from the intended start.
        Latency: int64
        /// Nanoseconds from send. The latency without the generator's limits lies between the two figures.
        FromSend: int64
    }

/// Finding them.
module Lag =
    /// The largest part of lag in a percentile that is not marked.
    let mostOfLatency = 0.10

    /// Lag up to this is not marked, in nanoseconds: clocks and sockets take as much.
    let leastLag = 100_000L

    /// A percentile is marked only if at least so many requests lie above it: one late request is not a late run.
    let leastAbove = 5.0

    let private percents = [ 50.0; 90.0; 99.0 ]

    /// A number of requests, in words.
    let requests (count: int64) : string =
        if count = 1L then "1 request" else $"{count} requests"

    /// The latencies that a run with enough connections and a punctual generator would have at the least. With --max-lag the user
    /// has allowed the generator's own lag: it counts as latency unless five requests or more waited for a connection.
    let leastLatencies (plan: Plan) (counts: RunCounts) : Histogram =
        if plan.MaxLag.IsSome && float counts.Waited.Count < leastAbove then
            counts.Intended
        else
            counts.Actual

    /// The percentiles among p50, p90 and p99 of which more than a tenth is lag.
    let percentiles (plan: Plan) (counts: RunCounts) : LaggedPercentile list =
        let least = leastLatencies plan counts

        percents
        |> List.filter (fun percent -> (1.0 - percent / 100.0) * float counts.Intended.Count >= leastAbove)
        |> List.map (fun percent ->
            {
                Percent = percent
                Latency = counts.Intended.Percentile percent
                FromSend = least.Percentile percent
            })
        |> List.filter (fun one ->
            one.Latency - one.FromSend > max leastLag (int64 (mostOfLatency * float one.Latency)))

    /// The connections that were all in use, for the middle of a sentence, and the way to have more.
    let allInUse (plan: Plan) (counts: RunCounts) : string * string =
        let connecting = plan.Connecting

        let each, streams =
            match connecting.Protocol, counts.AllowedStreams with
            | Http1, _ -> "", ""
            | Http2 streams, Some allowed when allowed < streams ->
                $", with the {allowed} streams each that the server allows,", ""
            | Http2 streams, _ -> $", with {streams} streams each,", " or --streams"

        let remedy =
            match connecting.Bound with
            | Some(LocalPorts count) ->
                $"there can be no more, because this machine has {count} local ports (net.ipv4.ip_local_port_range); widen that range{streams}, lower the rate, or share it among several machines"
            | Some(Descriptors limit) ->
                $"there can be no more, because this process may have {limit} files open (ulimit -n); raise that{streams}, or lower the rate"
            | None ->
                let option = if connecting.Grows then "--max-connections" else "--connections"
                $"raise {option}{streams}, or lower the rate"

        $"because all {Plan.connections plan}{each} were in use", remedy

    /// One sentence on the marked percentiles and the causes of their lag; None: no percentile is marked.
    let sentence (plan: Plan) (counts: RunCounts) : string option =
        match percentiles plan counts with
        | [] -> None
        | lagged ->
            let each =
                lagged
                |> List.map (fun one ->
                    $"p{one.Percent} {Duration.show one.FromSend} to {Duration.show one.Latency}")
                |> String.concat ", "

            let waited = counts.Waited.Count

            let causes =
                [
                    if waited > 0L then
                        let allInUse, remedy = allInUse plan counts
                        $"{requests waited} waited {allInUse}: {remedy}"

                    if waited = 0L || counts.GeneratorLag.Percentile 99.0 > leastLag then
                        "requests were sent late although a connection was free: lower the rate, or give the generator a core of its own (--core) or a machine"
                ]

            Some
                $"""the latency without the generator's lag lies between the figure from send and the figure from the intended start: {each}; {String.concat "; " causes}"""
