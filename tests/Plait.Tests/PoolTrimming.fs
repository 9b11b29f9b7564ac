// Under test: what a pool keeps goes when it lies unused: behind two gen-2 collections ten seconds apart. It takes these
// ten seconds twice, beside other tests.
module Plait.Tests.PoolTrimming

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Oracle

[<AllowNullLiteral>]
type Idle() = class end

[<Struct>]
type IdleResult = { Number: int }

let private behind (gate: Gate) (number: int) : ValueTask<IdleResult> =
    pooledValueTask {
        let! _ = gate
        return { Number = number }
    }

[<MethodImpl(MethodImplOptions.NoInlining)>]
let private fill () =
    [
        for _ in 1..8 do
            let item = Idle()
            Pool.Return item
            WeakReference item
    ]

[<MethodImpl(MethodImplOptions.NoInlining)>]
let private use8 () =
    let gates = [| for _ in 1..8 -> Gate() |]
    let operations = [| for gate in gates -> behind gate 1 |]

    for gate in gates do
        gate.Open()

    for operation in operations do
        operation.Result |> ignore

let private collect () =
    // the trimmer runs as a finalizer, and what it lets go of dies in the next collection
    for _ in 1..3 do
        GC.Collect()
        GC.WaitForPendingFinalizers()

[<Fact>]
let ``objects that were unused for a while are released, in every part of the pool`` () =
    use stop = new ManualResetEventSlim()
    use ready = new ManualResetEventSlim()

    // a thread that lives on, with a machine in its own place
    let holder =
        Thread(
            (fun () ->
                use8 ()
                ready.Set()
                stop.Wait()),
            IsBackground = true
        )

    holder.Start()
    ready.Wait()

    try
        let items = fill ()

        let retained () =
            (PoolCounters.measured "IdleResult")["plait.pool.retained"]

        Assert.Equal(8, Pool.Count<Idle>())
        Assert.True(retained () > 0L)
        collect ()
        // too early: all of it is young
        Assert.Equal(8, Pool.Count<Idle>())

        for _ in 1..2 do
            Thread.Sleep(TimeSpan.FromSeconds 10.5)
            collect ()

        Assert.Equal(0, Pool.Count<Idle>())
        Assert.Equal(0L, retained ())
        Assert.All(items, (fun item -> Assert.False(item.IsAlive, "A trimmed object is alive.")))
        let figures = PoolCounters.measured "IdleResult"
        Assert.Equal(8L, figures["plait.pool.dropped"])
        Assert.Equal(8L, figures["plait.pool.returns"])
        // the pool works on
        Pool.Return(Idle())
        Assert.NotNull(Pool.TryRent<Idle>())
    finally
        stop.Set()
