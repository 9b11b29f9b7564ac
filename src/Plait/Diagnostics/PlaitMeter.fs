// Layer: diagnostics. The meter `Plait`. The counters of the pools are one measurement per pool, read when a listener asks.
namespace Plait.Kernel

open System.Collections.Generic
open System.Diagnostics.Metrics

[<AbstractClass; Sealed>]
type internal PlaitMeter =
    static let meter = new Meter("Plait")

    static let measure (figure: PoolStatistics -> int64) () : seq<Measurement<int64>> =
        PoolRegistry.All
        |> Seq.map (fun pool ->
            Measurement<int64>(figure pool.Statistics, KeyValuePair("pool", box pool.Name)))

    static let counter (name: string) (description: string) (figure: PoolStatistics -> int64) =
        meter.CreateObservableCounter<int64>(name, measure figure, "{object}", description)
        |> ignore

    /// Failures that no code took.
    static member val Unobserved =
        meter.CreateCounter<int64>(
            "plait.unobserved",
            "{failure}",
            "Failures of strands and pooled ValueTasks that no code took."
        )

    /// Makes the instruments of the pools, once however often it is called.
    static member val Started =
        counter "plait.pool.rents" "Objects that callers took, from the pool or new ones." _.Rents
        counter "plait.pool.hits" "Rents that took an object of the pool." _.Hits
        counter "plait.pool.misses" "Rents that found the pool empty: the caller made an object." _.Misses
        counter "plait.pool.returns" "Objects that came back to the pool." _.Returns

        counter
            "plait.pool.dropped"
            "Objects that the pool dropped, because it was full or was trimmed."
            _.Dropped

        meter.CreateObservableGauge<int64>(
            "plait.pool.retained",
            measure _.RetainedBytes,
            "By",
            "Estimate: the objects in the pool, times the shallow size of one."
        )
        |> ignore

        true
