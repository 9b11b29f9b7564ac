// The counters of a .NET process at one moment, and what they come to between two.
namespace Plait.Lab.Measure

/// The counters of a process at one moment. What is counted is counted since the reading before.
type Counted =
    {
        /// Milliseconds since the watch began.
        At: float
        /// Threads of the pool.
        PoolThreads: float
        /// Work items that wait for a thread of the pool.
        Queue: float
        /// Work items of the pool that were completed.
        Completed: float
        /// Bytes that were allocated, by all threads.
        AllocatedBytes: float
        /// Collections of each generation.
        Gen0: float
        Gen1: float
        Gen2: float
        /// The share of time since the last collection that collecting took, in percent.
        GcPercent: float
        /// Bytes on the heap.
        HeapBytes: float
        /// Times that a thread waited for a lock.
        Contentions: float
        /// Exceptions that were thrown.
        Exceptions: float
        /// Requests that ASP.NET Core has in hand; None in a process without it.
        Requests: float option
    }

/// Reading off what was counted.
module Counted =
    /// Bytes allocated between two moments, from readings that may fall anywhere: what a reading counted is spread evenly
    /// over the time since the one before. None where the readings do not reach over both.
    let allocated (from: float) (until: float) (readings: Counted list) : float option =
        let spans = List.pairwise readings

        match readings, List.tryLast readings with
        | first :: _, Some last when first.At <= from && last.At >= until && until > from ->
            spans
            |> List.sumBy (fun (before, after) ->
                let overlap = min until after.At - max from before.At

                if overlap <= 0.0 || after.At <= before.At then
                    0.0
                else
                    after.AllocatedBytes * overlap / (after.At - before.At))
            |> Some
        | _ -> None
