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
        counter "plait.pool.rents" "Objects asked for." _.Rents
        counter "plait.pool.hits" "Of these, the ones that found one kept." _.Hits
        counter "plait.pool.misses" "Of these, the ones that found none: the caller made one." _.Misses
        counter "plait.pool.returns" "Objects given back." _.Returns
        counter "plait.pool.dropped" "Objects let go of: the pool was full, or trimmed." _.Dropped

        meter.CreateObservableGauge<int64>(
            "plait.pool.retained",
            measure _.RetainedBytes,
            "By",
            "Estimate: objects kept times the shallow size of one."
        )
        |> ignore

        true
