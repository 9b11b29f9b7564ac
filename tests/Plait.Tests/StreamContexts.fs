// Under test: ExecutionContext and SynchronizationContext of streams, compared with C#'s async iterators; how deep streams may
// yield each other; what an enumeration keeps alive.
module Plait.Tests.StreamContexts

open System
open System.Collections.Generic
open System.Linq
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait
open Xunit

open Plait.Tests.Oracle

let private inner (first: int) (note: string -> unit) =
    stream {
        note $"inner {first}"
        Ambient.Value <- first + 1
        yield 1
        note "inner behind an item"
        Ambient.Value <- first + 2
        let! _ = ForeignItems.One()
        note "inner behind an await"
        yield 2
        note "inner behind a late item"
        Ambient.Value <- first + 3
        let! _ = (ForeignItems.One()).ConfigureAwait false
        note "inner elsewhere"
        Ambient.Value <- first + 4
    }

let private empty (waits: bool) (note: string -> unit) : IAsyncEnumerable<int> =
    stream {
        note "empty"
        Ambient.Value <- 77

        if waits then
            let! _ = (ForeignItems.One()).ConfigureAwait false
            ()

        note "empty ends"
    }

let private middle (note: string -> unit) =
    stream {
        note "middle"
        Ambient.Value <- 14
        yield! inner 50 note
        note "middle ends"
    }

let private outer (note: string -> unit) =
    stream {
        note "outer"
        Ambient.Value <- 10
        yield! inner 20 note
        note "outer behind the inner one"
        Ambient.Value <- 11
        yield! empty false note
        note "outer behind nothing"
        Ambient.Value <- 12
        yield! empty true note
        note "outer behind an await"
        yield 3
        note "outer behind an item"
        Ambient.Value <- 13
        yield! middle note
        note "outer ends"
    }

/// The same by loops.
let private looping (note: string -> unit) =
    stream {
        note "outer"
        Ambient.Value <- 10

        for x in inner 20 note do
            yield x

        note "outer behind the inner one"
        Ambient.Value <- 11

        for x in empty false note do
            yield x

        note "outer behind nothing"
        Ambient.Value <- 12

        for x in empty true note do
            yield x

        note "outer behind an await"
        yield 3
        note "outer behind an item"
        Ambient.Value <- 13

        for x in Iterators.Middle note do
            yield x

        note "outer ends"
    }

/// Whether the calling code runs on the context of the test.
let private isHere (home: HomeContext | null) =
    match home with
    | null -> false
    | home -> home.IsHere

/// What a stream and its consumer note.
let private trace (home: bool) (begins: (string -> unit) -> IAsyncEnumerable<int>) : string =
    // two traces: what the stream does beside the consumer is in no order with it
    let inside, outside = List<string>(), List<string>()

    let consume (context: HomeContext | null) =
        task {
            let noteIn (log: List<string>) (what: string) =
                lock log (fun () -> log.Add $"{what}: {Ambient.Value}, home {isHere context}")

            let note = noteIn outside

            Ambient.Value <- 1
            let items = (begins (noteIn inside)).GetAsyncEnumerator()
            let mutable goes = true
            let mutable turn = 1

            while goes do
                let step = items.MoveNextAsync()
                note "consumer, behind the call"
                let! more = step
                note $"consumer, {more}"
                goes <- more
                turn <- turn + 1
                Ambient.Value <- turn * 100

            do! items.DisposeAsync()
            note "consumer, end"
        }

    if home then
        HomeContext.Run("The consumer", consume)
    else
        Within.thread "The consumer" 0 (fun () -> Within.result "It" (consume null))

    String.Join("\n", Seq.append inside outside)

[<Theory; InlineData false; InlineData true>]
let ``each statement sees the contexts that it would see in C#`` (home: bool) =
    let expected = trace home (fun note -> Iterators.Outer(Action<string> note))
    Assert.Equal(expected, trace home outer)
    Assert.Equal(expected, trace home looping)
    // off the captured context, every await continues elsewhere
    let anywhere = ref true

    HomeContext.Run(
        "It",
        fun context ->
            let items =
                Plait.NonAffine.stream {
                    let! _ = ForeignItems.One()
                    anywhere.Value <- anywhere.Value && not (isHere context)
                    yield 1
                    yield! ForeignItems(1, Action<string> ignore)
                    anywhere.Value <- anywhere.Value && not (isHere context)
                }

            task {
                let! count = items.CountAsync()
                Assert.Equal(2, count)
            }
    )

    Assert.True anywhere.Value

let rec private down (pending: bool) (n: int) : IAsyncEnumerable<int> =
    stream {
        yield n

        if n > 1 then
            if pending && n % 1_000 = 0 then
                do! Task.Yield()

            yield! down pending (n - 1)
    }

let rec private up (pending: bool) (log: List<int>) (n: int) : IAsyncEnumerable<int> =
    stream {
        try
            if n > 1 then
                yield! up pending log (n - 1)

            if pending then
                do! Task.Yield()

            yield n
        finally
            log.Add n
    }

[<Collection("alone")>]
type Sizes() =

    [<Fact>]
    member _.``a million streams, each the last yield! of the one before, take constant space``() =
        for pending in [ false; true ] do
            let count = 1_000_000
            let mutable least = Int64.MaxValue
            let mutable most = 0L
            let mutable sum = 0L
            let items = (down pending count).GetAsyncEnumerator()

            let run =
                task {
                    let mutable goes = true

                    while goes do
                        let! more = items.MoveNextAsync()
                        goes <- more

                        if more then
                            sum <- sum + int64 items.Current

                            if items.Current % 100_000 = 0 then
                                let now = GC.GetTotalMemory true
                                least <- min least now
                                most <- max most now

                    do! items.DisposeAsync()
                }

            Within.ended "It" run
            run.GetAwaiter().GetResult()
            Assert.Equal(500_000_500_000L, sum)
            // a stream takes 56 bytes, 50 MB for those between the readings; the rest of the process may grow as well
            Assert.True(most - least < 30_000_000L, $"It grew from {least} to {most} bytes.")

    [<Fact>]
    member _.``streams that yield each other a hundred thousand deep end without a deep stack, and stop so``
        ()
        =
        for pending in [ false; true ] do
            let log = List<int>()
            let count = 100_000
            let items = up pending log count
            Assert.Equal(5_000_050_000L, Within.result "It" (items.Select(int64).SumAsync().AsTask()))
            Assert.Equal<int list>([ 1..count ], List.ofSeq log)
            log.Clear()
            let stopped = items.GetAsyncEnumerator()
            Assert.True(Within.result "the first" (stopped.MoveNextAsync().AsTask()))
            Within.ended "the end" (stopped.DisposeAsync().AsTask())
            Assert.Equal<int list>([ 1..count ], List.ofSeq log)

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member private Begin(ends: bool) =
        let local = obj ()
        let reference = WeakReference local

        let items =
            stream {
                let mutable kept = obj ()

                for x in [ reference.Target ] do
                    kept <- nonNull x
                    yield 1
                    do! Task.Yield()
                    yield kept.GetHashCode()
            }

        let one = items.GetAsyncEnumerator()

        let next () =
            Within.result "It" (one.MoveNextAsync().AsTask())

        Assert.True(next ())
        Assert.True(next ())

        if ends then
            Assert.False(next ())
        else
            Within.ended "the end" (one.DisposeAsync().AsTask())

        GC.KeepAlive local
        struct (reference, items, one)

    [<Theory; InlineData true; InlineData false>]
    member _.``the locals die with the last item, or with DisposeAsync``(ends: bool) =
        let struct (reference, items, one) = Sizes.Begin ends
        let mutable turns = 0

        while reference.IsAlive && turns < 10 do
            GC.Collect()
            GC.WaitForPendingFinalizers()
            turns <- turns + 1

        Assert.False(reference.IsAlive, "A local outlives the enumeration.")
        GC.KeepAlive items
        GC.KeepAlive one
