// Layer: diagnostics. The counters of the pools as instruments of the meter `Plait`, one measurement per pool. They
// are read when a listener asks; nothing is pushed.
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

    /// Makes the instruments, once however often it is called.
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
