// The generator's own lag in the percentiles of latency: which of them it may have changed, and by how much. Pure. Own lag is no
// fault of a run: a rule of which it cannot change the answer is judged all the same.
namespace Plait.Load

open Plait.Common

/// A percentile of the latency from the intended start that the generator's own lag is a part of. Names here are names in
/// the JSON of load runs.
type LaggedPercentile =
    {
        /// Which one, 0 to 100.
        Percent: float
        /// Nanoseconds, as measured.
        Latency: int64
        /// Nanoseconds without the generator's own lag: the server's lies between the two.
        WithoutOwnLag: int64
    }

/// Finding them.
module OwnLag =
    /// The part of a percentile that own lag may make up unmarked.
    let mostOfLatency = 0.10

    /// The part in a percentile that is always unmarked, in nanoseconds: clocks and sockets take as much.
    let leastLag = 100_000L

    /// The least number of requests above a percentile that may be marked: one late request is not a late run.
    let leastAbove = 5.0

    let private percents = [ 50.0; 90.0; 99.0 ]

    /// Those of p50, p90 and p99 of which own lag makes up more than a tenth.
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
