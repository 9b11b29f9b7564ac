// Under test: trimming, on one thread and with a clock of the test's, against a plain model over random sequences of rents,
// returns, pauses and collections. What was not touched between two trims goes; what was is kept; nothing is lost uncounted.
// The same with threads is explored with the pools.
module Plait.Explorer.Trimming

open System
open System.Collections.Generic
open System.Threading
open FsCheck
open FsCheck.FSharp
open Xunit

open Plait.Kernel
open Plait.Explorer.Pools
open Plait.Explorer.Worlds

type Event =
    | Rented
    | Returned
    | Paused of seconds: int
    | Collected

let private law (bound: int) (events: Event list) =
    let pool = SharedPool<Item>(bound, 10)
    let mutable now = Environment.TickCount64 + 60_000L
    pool.Trim now
    let mutable trimmed = now
    // the fewest that were kept since the last trim: so many have not been touched
    let mutable untouched = 0
    let mutable used = false
    let held = Stack<Item>()
    let mutable made = 0

    for event in events do
        match event with
        | Rented ->
            match pool.Rent() with
            | null -> must (pool.Count = 0) "Something is kept, and nothing was rented."
            | item -> held.Push item

            used <- true
        | Returned ->
            if held.Count = 0 then
                made <- made + 1
                held.Push(Item())

            pool.Return(held.Pop())
            used <- true
        | Paused seconds -> now <- now + int64 seconds * 1_000L
        | Collected ->
            let before = pool.Count
            pool.Trim now

            if now - trimmed < 10_000L then
                must (pool.Count = before) "Something was trimmed too early."
            else
                // the stack lets go of what lay below its lowest mark; the slot, if it was not used
                let most = if used then before else 0
                must (pool.Count <= most) $"{pool.Count} of {before} are kept."

                must
                    (pool.Count >= before - untouched - (if used then 0 else 1))
                    $"{before - pool.Count} were let go of, and only {untouched} lay unused."

                trimmed <- now
                untouched <- pool.Count
                used <- false

        untouched <- min untouched pool.Count
        must (pool.Count <= bound) "More is kept than may be."
        let figures = pool.Statistics
        must (held.Count + pool.Count + int figures.Dropped = made) "An object is lost."

        must
            (figures.RetainedBytes = int64 pool.Count * 10L)
            "The retained bytes are not those of what is kept."

    true

let private events =
    Gen.frequency
        [
            4, Gen.constant Rented
            6, Gen.constant Returned
            2, Gen.choose (1, 12) |> Gen.map Paused
            2, Gen.constant Collected
        ]
    |> Gen.listOf
    |> Arb.fromGen

[<Theory; InlineData 0; InlineData 1; InlineData 2; InlineData 3; InlineData 8>]
let ``a pool is trimmed as its model is`` (bound: int) =
    Check.One(Config.QuickThrowOnFailure.WithMaxTest(500).WithEndSize 80, Prop.forAll events (law bound))

[<Fact>]
let ``unused objects are released, and used ones stay`` () =
    let pool = SharedPool<Item>(8, 1)
    let now = Environment.TickCount64 + 60_000L

    for _ in 1..6 do
        pool.Return(Item())

    pool.Trim now
    Assert.Equal(6, pool.Count)
    // two of them are in use between the trims
    let held = [ pool.Rent(); pool.Rent() ]
    List.iter pool.Return held
    pool.Trim(now + 10_000L)
    Assert.Equal(2, pool.Count)
    pool.Trim(now + 19_999L)
    Assert.Equal(2, pool.Count)
    pool.Trim(now + 20_000L)
    Assert.Equal(0, pool.Count)
    Assert.Equal(6L, pool.Statistics.Dropped)

[<Fact>]
let ``a cache is cleared when it lay unused, and at once when its thread has ended`` () =
    let pool = SharedPool<Item>(2, 1)
    let now = Environment.TickCount64 + 60_000L
    let cache = pool.ThreadCaches.Make()
    Assert.True(cache.TryPut(Item()))
    Assert.False(cache.TryPut(Item()))
    pool.Trim now
    Assert.NotNull(cache.Take())
    Assert.Null(cache.Take())
    Assert.True(cache.TryPut(Item()))
    pool.Trim(now + 10_000L)
    Assert.True((cache.Count = 1), "What was used since the last trim was let go of.")
    pool.Trim(now + 20_000L)
    Assert.True((cache.Count = 0), "What lay unused is kept.")

    let ended =
        Thread(fun () ->
            let cache = pool.ThreadCaches.Make()
            cache.TryPut(Item()) |> ignore
            cache.Take() |> ignore
            cache.TryPut(Item()) |> ignore)

    ended.Start()
    ended.Join()
    let before = pool.Statistics
    Assert.Equal(1L, before.RetainedBytes)
    // not due: only the ended thread's is let go of
    pool.Trim(now + 20_001L)
    let after = pool.Statistics
    Assert.Equal(0L, after.RetainedBytes)
    Assert.Equal(before.Dropped + 1L, after.Dropped)
    Assert.Equal((before.Rents, before.Hits, before.Returns), (after.Rents, after.Hits, after.Returns))
    Assert.Equal(4L, after.Returns)
    Assert.Equal(2L, after.Hits)

[<Fact>]
let ``caches of ended threads are dropped before there are many`` () =
    let pool = SharedPool<Item>(2, 1)

    for _ in 1..300 do
        let thread =
            Thread(
                (fun () ->
                    let cache = pool.ThreadCaches.Make()
                    cache.TryPut(Item()) |> ignore),
                128 * 1024
            )

        thread.Start()
        thread.Join()

    let figures = pool.Statistics
    Assert.Equal(300L, figures.Returns)
    Assert.True(figures.RetainedBytes <= 64L, $"{figures.RetainedBytes} are kept.")
    Assert.Equal(300L, figures.Dropped + figures.RetainedBytes)

[<Fact>]
let ``a full cache and the shared part exchange items in batches, each item once`` () =
    let pool = SharedPool<Item>(64, 1)
    let cache = pool.ThreadCaches.Make()
    let items = List.init 30 (fun _ -> Item())

    let give item =
        if not (cache.TryPut item) then
            pool.ReturnFrom(cache, item)

    let take () =
        match cache.Take() with
        | null -> pool.RentFor cache
        | item -> item

    List.iter give items
    Assert.Equal(30L, pool.Statistics.Returns)
    Assert.Equal(30L, pool.Statistics.RetainedBytes)
    Assert.InRange(cache.Count, 1, 5)
    let back = List.init 30 (fun _ -> take ())
    Assert.Equal(30, HashSet<Item>(back, HashIdentity.Reference).Count)
    Assert.Null(take ())
    let figures = pool.Statistics

    Assert.Equal(
        (31L, 30L, 30L, 0L, 0L),
        (figures.Rents, figures.Hits, figures.Returns, figures.Dropped, figures.RetainedBytes)
    )
    // what the shared part has no room for is dropped, and counted
    for _ in 1..100 do
        give (Item())

    let full = pool.Statistics
    Assert.Equal(130L, full.Returns)
    Assert.Equal(100L - full.RetainedBytes, full.Dropped)
    Assert.InRange(full.RetainedBytes, 62L - 2L, 64L + 5L)

[<Fact>]
let ``a large pool takes memory for its objects alone, and keeps as many as its limit`` () =
    let before = GC.GetAllocatedBytesForCurrentThread()
    let pool = SharedPool<Item>(1 <<< 20, 1)
    Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0L, 16_384L)

    for _ in 1..100_000 do
        pool.Return(Item())

    Assert.Equal(100_000, pool.Count)
    let now = Environment.TickCount64 + 60_000L
    pool.Trim now
    // what lay unused for a while goes, and the rest is still there
    let back =
        HashSet<Item>([ for _ in 1..10_000 -> pool.Rent() ], HashIdentity.Reference)

    Assert.Equal(10_000, back.Count)
    Seq.iter pool.Return back
    pool.Trim(now + 10_000L)
    Assert.Equal(10_000, pool.Count)

    let again =
        HashSet<Item>([ for _ in 1..10_000 -> pool.Rent() ], HashIdentity.Reference)

    Assert.Equal(10_000, again.Count)
    Assert.Null(pool.Rent())
    Assert.Equal(0, pool.Count)
