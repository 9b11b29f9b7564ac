// Under test: the figures of the pools, read as a user reads them: through a MeterListener and an EventListener, in the
// build that users have. They are exact for a sequence that one thread makes.
namespace Plait.Tests

open System
open System.Collections.Generic
open System.Diagnostics.Metrics
open System.Diagnostics.Tracing
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Oracle

module PoolCounters =

    /// What the meter says of the pools whose name contains these words, by instrument.
    let measured (words: string) : Dictionary<string, int64> =
        let figures = Dictionary<string, int64>()
        use listener = new MeterListener()

        listener.InstrumentPublished <-
            fun instrument listener ->
                if instrument.Meter.Name = "Plait" then
                    figures[instrument.Name] <- 0L
                    listener.EnableMeasurementEvents(instrument, null)

        listener.SetMeasurementEventCallback<int64>(fun instrument value tags _ ->
            // instruments that are not of a pool have no such tag
            for tag in tags.ToArray() do
                if tag.Key = "pool" && (string tag.Value).Contains words then
                    figures[instrument.Name] <- figures[instrument.Name] + value)

        listener.Start()
        listener.RecordObservableInstruments()
        figures

    [<AllowNullLiteral>]
    type CountedObject() = class end

    [<Fact>]
    let ``the meter counts rents and returns of a pool`` () =
        let rent () =
            not (isNull (Pool.TryRent<CountedObject>()))

        Assert.False(rent ()) // a miss
        Pool.Return(CountedObject())
        Assert.True(rent ()) // a hit
        Pool.Return(CountedObject())
        Pool.Return(CountedObject())
        let figures = measured "CountedObject"
        Assert.Equal(2L, figures["plait.pool.rents"])
        Assert.Equal(1L, figures["plait.pool.hits"])
        Assert.Equal(1L, figures["plait.pool.misses"])
        Assert.Equal(3L, figures["plait.pool.returns"])
        Assert.Equal(0L, figures["plait.pool.dropped"])
        // header and a reference each
        Assert.Equal(2L * 24L, figures["plait.pool.retained"])
        Assert.Equal(2, Pool.Count<CountedObject>())

    [<PoolSize 0; AllowNullLiteral>]
    type NeverKept() = class end

    [<Fact>]
    let ``objects that a pool drops are counted`` () =
        for _ in 1..5 do
            Pool.Return(NeverKept())

        let figures = measured "NeverKept"
        Assert.Equal(5L, figures["plait.pool.returns"])
        Assert.Equal(5L, figures["plait.pool.dropped"])
        Assert.Equal(0L, figures["plait.pool.retained"])

    [<Struct>]
    type CountedResult = { Number: int }

    let private behind (gate: Gate) (number: int) : ValueTask<CountedResult> =
        pooledValueTask {
            let! _ = gate
            return { Number = number }
        }

    [<Fact>]
    let ``rents from a thread's own cache are counted`` () =
        let run () =
            let gate = Gate()

            for number in 1..1_000 do
                let operation = behind gate number
                gate.Open()
                Assert.Equal(number, operation.Result.Number)

            // two at a time: one comes from the thread's place, one is made, then both are kept
            let other = Gate()
            let first = behind gate 1
            let second = behind other 2
            gate.Open()
            other.Open()
            Assert.Equal(3, first.Result.Number + second.Result.Number)
            measured "CountedResult"

        let figures = Within.thread "It" 0 run
        Assert.Equal(1_002L, figures["plait.pool.rents"])
        Assert.Equal(1_000L, figures["plait.pool.hits"])
        Assert.Equal(2L, figures["plait.pool.misses"])
        Assert.Equal(1_002L, figures["plait.pool.returns"])
        Assert.Equal(0L, figures["plait.pool.dropped"])
        Assert.True(figures["plait.pool.retained"] > 0L)
        // the counts of a thread that has ended stay
        let later = measured "CountedResult"
        Assert.Equal(1_000L, later["plait.pool.hits"])
        Assert.Equal(1_002L, later["plait.pool.returns"])

/// The event counters, as `dotnet-counters` reads them.
[<Sealed>]
type CounterListener() =
    inherit EventListener()
    let latest = Dictionary<string, float>()
    let mutable rounds = 0

    /// How often the last of the counters has come.
    member _.Rounds = lock latest (fun () -> rounds)

    member _.Latest = lock latest (fun () -> Dictionary<string, float> latest)

    override listener.OnEventSourceCreated source =
        if source.Name = "Plait" then
            listener.EnableEvents(
                source,
                EventLevel.Informational,
                EventKeywords.All,
                dict [ "EventCounterIntervalSec", "0.1" ]
            )

    override _.OnEventWritten event =
        if event.EventName = "EventCounters" && event.EventSource.Name = "Plait" then
            match event.Payload with
            | null -> ()
            | payload ->
                for item in payload do
                    match item with
                    | :? IDictionary<string, obj> as counter ->
                        lock latest (fun () ->
                            let name = string counter["Name"]
                            latest[name] <- Convert.ToDouble counter["Mean"]

                            if name = "pool-retained-bytes" then
                                rounds <- rounds + 1)
                    | _ -> ()

[<AllowNullLiteral>]
type CountedByEvents() = class end

[<Collection("alone")>]
type PoolEvents() =

    [<Fact>]
    member _.``the event source counts over all pools``() =
        Pool.Return(CountedByEvents())
        Assert.NotNull(Pool.TryRent<CountedByEvents>())
        use listener = new CounterListener()

        // one that was begun after now
        let read () =
            let before = listener.Rounds
            Within.comes "two rounds of the counters" (fun () -> listener.Rounds >= before + 2)
            listener.Latest

        let names =
            [
                "pool-rents"
                "pool-hits"
                "pool-misses"
                "pool-returns"
                "pool-dropped"
                "pool-retained-bytes"
            ]

        let grown () =
            let before = read ()

            for _ in 1..3 do
                Pool.Return(CountedByEvents())

            for _ in 1..5 do
                Pool.TryRent<CountedByEvents>() |> ignore

            let after = read ()
            [ for name in names -> after[name] - before[name] ]

        let expected = [ 5.; 3.; 2.; 3.; 0.; 0. ]
        // the sums are over all pools: what an earlier test has left behind may still end in between
        let mutable found = grown ()
        let mutable attempts = 1

        while found <> expected && attempts < 5 do
            found <- grown ()
            attempts <- attempts + 1

        Assert.Equal<float list>(expected, found)
