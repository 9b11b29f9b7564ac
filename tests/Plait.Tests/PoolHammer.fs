// Under test: a pool that many threads rent from and return to at the same time. No object is anybody's twice, none comes
// from nowhere, and no more are kept than may be.
namespace Plait.Tests

open System.Collections.Concurrent
open System.Threading
open Xunit

open Plait

/// Knows who has it.
[<PoolSize 64; AllowNullLiteral>]
type Owned() =
    [<DefaultValue>]
    val mutable owner: int

[<Collection("alone")>]
type PoolHammer() =
    let workers = 100
    let turns = 5_000

    [<Fact>]
    member _.``a hundred workers on a full pool never have the same object, and the bound is kept``() =
        let capacity = Pool.Capacity<Owned>()
        Assert.Equal(64, capacity)

        for _ in 1 .. capacity * 2 do
            Pool.Return(Owned())

        Assert.True(Pool.Count<Owned>() <= capacity)
        let wrong = ConcurrentQueue<string>()
        let mutable made = 0
        let mutable rented = 0
        use start = new Barrier(workers)

        let work (me: int) () =
            start.SignalAndWait()

            for turn in 1..turns do
                let item =
                    match Pool.TryRent<Owned>() with
                    | null ->
                        Interlocked.Increment &made |> ignore
                        Owned()
                    | item ->
                        Interlocked.Increment &rented |> ignore
                        item

                let before = Interlocked.Exchange(&item.owner, me)

                if before <> 0 then
                    wrong.Enqueue $"{me} has rented what {before} has."

                if turn % 64 = 0 then
                    Thread.Yield() |> ignore

                let after = Interlocked.Exchange(&item.owner, 0)

                if after <> me then
                    wrong.Enqueue $"{after} has taken what {me} had."

                Pool.Return item

                if turn % 500 = 0 && Pool.Count<Owned>() > capacity then
                    wrong.Enqueue "More is kept than may be."

        let threads = [| for me in 1..workers -> Thread(work me, 256 * 1024) |]

        for thread in threads do
            thread.Start()

        for thread in threads do
            thread.Join()

        Assert.Empty wrong
        Assert.Equal(workers * turns, made + rented)
        // it was full: almost every worker has found something
        Assert.True(rented > made, $"{rented} were rented, {made} made.")

        // what is left is there once each
        let left = System.Collections.Generic.HashSet<Owned>(HashIdentity.Reference)
        let mutable more = true

        while more do
            match Pool.TryRent<Owned>() with
            | null -> more <- false
            | item -> Assert.True(left.Add item, "An object is in the pool twice.")

        Assert.True(left.Count <= capacity, $"{left.Count} are kept.")
        Assert.Equal(0, Pool.Count<Owned>())
