// The part of the generator's own lag in the percentiles of latency. Pure. Own lag does not make a run invalid: a rule is judged if
// its answer is the same with and without own lag.
namespace Plait.Load

open Plait.Common

/// A percentile of the latency from the intended start with too much of the generator's own lag. Names here are names in the JSON
/// of load runs.
type LaggedPercentile =
    {
        /// Which one, 0 to 100.
        Percent: float
        /// Nanoseconds, as measured.
        Latency: int64
        /// Nanoseconds without the generator's own lag. The server's latency lies between the two figures.
        WithoutOwnLag: int64
    }

/// Finding them.
module OwnLag =
    /// The largest part of own lag in a percentile that is not marked.
    let mostOfLatency = 0.10

    /// Own lag up to this is not marked, in nanoseconds: clocks and sockets take as much.
    let leastLag = 100_000L

    /// A percentile is marked only if at least so many requests lie above it: one late request is not a late run.
    let leastAbove = 5.0

    let private percents = [ 50.0; 90.0; 99.0 ]

    /// The percentiles among p50, p90 and p99 of which more than a tenth is own lag.
    let percentiles (counts: RunCounts) : LaggedPercentile list =
        percents
        |> List.filter (fun percent -> (1.0 - percent / 100.0) * float counts.Intended.Count >= leastAbove)
        |> List.map (fun percent ->
            {
                Percent = percent
                Latency = counts.Intended.Percentile percent
                WithoutOwnLag = counts.Unlagged.Percentile percent
            })
        |> List.filter (fun one ->
            one.Latency - one.WithoutOwnLag > max leastLag (int64 (mostOfLatency * float one.Latency)))

    /// One sentence on them; None: there is none.
    let sentence (lagged: LaggedPercentile list) : string option =
        match lagged with
        | [] -> None
        | _ ->
            let each =
                lagged
                |> List.map (fun one ->
                    $"p{one.Percent} {Duration.show one.WithoutOwnLag} to {Duration.show one.Latency}")
                |> String.concat ", "

            Some
                $"the server's latency lies between the figure without the generator's own lag and the figure with it: {each}; requests were sent late although a connection was free: lower the rate, or give the generator a core of its own (--core) or a machine"
