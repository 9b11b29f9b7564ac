// Under test: the bytes of a call on a blocking pool whose thread waits for it, by the way of the call and by the size of its
// result. docs/how-to/run-blocking-calls.md has these figures.
namespace Plait.ThreadPool.Tests

open System
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests

[<Collection("alone")>]
module BlockingBytes =
    let private atMost (limit: int64) (calls: int -> Task) =
        let count = 2_000

        let once () =
            let before = GC.GetTotalAllocatedBytes true
            Within.ended "The calls" (calls count)
            (GC.GetTotalAllocatedBytes true - before) / int64 count

        // what is compiled again in the meantime allocates more
        let bytes = List.min [ for _ in 1..8 -> once () ]
        Assert.True(bytes <= limit, $"{bytes} bytes a call, of {limit} at most.")

    let private pool = lazy (new BlockingPool("bytes"))

    let private number = Func<int>(fun () -> 1)
    let private text = Func<string>(fun () -> "one")
    let private action = Action(ignore)

    let private binds (call: unit -> ValueTask<'T>) (count: int) : Task =
        pooledTaskUnit {
            for _ in 1..count do
                let! _ = call ()
                ()
        }

    [<Fact>]
    let ``a ValueTask of a number takes 112 bytes`` () =
        atMost 112L (binds (fun () -> pool.Value.Run number))

    [<Fact>]
    let ``a ValueTask of an object takes 120 bytes`` () =
        atMost 120L (binds (fun () -> pool.Value.Run text))

    [<Fact>]
    let ``a call without a result takes 200 bytes`` () =
        let calls (count: int) : Task =
            pooledTaskUnit {
                for _ in 1..count do
                    do! pool.Value.Run action
            }

        atMost 200L calls

    [<Fact>]
    let ``a strand takes 304 bytes in the loop of another, the node of its bind included`` () =
        let work = fun () -> 1

        let loop (count: int) : Strand<unit> =
            strand {
                for _ in 1..count do
                    let! _ = Blocking.runOn pool.Value Threading.CancellationToken.None work
                    ()
            }

        atMost 304L (fun count -> (loop count).AsTask())
