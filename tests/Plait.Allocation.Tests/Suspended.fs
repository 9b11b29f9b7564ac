// Suspensions: a pooled operation allocates nothing, alone or with a thousand in flight; a strand at most 64 bytes a bind.
module Plait.Allocation.Tests.Suspended

open System
open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp
open Xunit

let private yields () =
    pooledValueTask {
        do! Task.Yield()
        do! Task.Yield()
        return 42
    }

let private yieldsUnit () =
    pooledValueTaskUnit {
        do! Task.Yield()
        do! Task.Yield()
    }

let private gated (gate: Gate) =
    pooledValueTask {
        let! a = gate
        let! b = gate
        return a + b
    }

let private sourced (source: Source) =
    pooledValueTask {
        let! a = source.Next()
        let! b = source.Next()
        return a + b
    }

let private parent () =
    pooledValueTask {
        let! a = yields ()
        let! b = yields ()
        do! yieldsUnit ()
        return a + b
    }

let private strandGated (gate: Gate) =
    strand {
        let! a = gate
        let! b = gate
        return a + b
    }

/// Widths of operations in flight.
let widths: TheoryData<int> = TheoryData<int>(1, 8, 64, 1000)

[<Theory; MemberData(nameof widths)>]
let ``two yields allocate nothing, however many are in flight`` (width: int) =
    Bytes.onlyWhenOptimised ()
    Assert.InRange(SuspendedBytes.inFlight width yields, -1.0, 1.0)

[<Theory; MemberData(nameof widths)>]
let ``pooled frames over pooled frames allocate nothing, however many are in flight`` (width: int) =
    Bytes.onlyWhenOptimised ()
    Assert.InRange(SuspendedBytes.inFlight width parent, -1.0, 1.0)

[<Fact>]
let ``two waits for a custom awaiter allocate nothing`` () =
    Bytes.onlyWhenOptimised ()
    Assert.Equal(0.0, SuspendedBytes.gated gated (fun pending -> pending.Result |> ignore))

[<Fact>]
let ``two waits for an IValueTaskSource allocate nothing`` () =
    Bytes.onlyWhenOptimised ()
    let source = Source()

    let bytes =
        Bytes.perOperation (fun () ->
            let pending = sourced source
            source.Complete()
            source.Complete()
            pending.Result |> ignore)

    Assert.Equal(0.0, bytes)

[<Fact>]
let ``a strand allocates at most 64 bytes for each bind that waits`` () =
    Bytes.onlyWhenOptimised ()
    Assert.InRange(SuspendedBytes.gated strandGated (fun pending -> pending.Result |> ignore), 1.0, 128.0)

[<Fact>]
let ``a strand allocates at most 120 bytes over two yields`` () =
    Bytes.onlyWhenOptimised ()

    let yields () =
        strand {
            do! Task.Yield()
            do! Task.Yield()
            return 42
        }

    let run count =
        (pooledTaskUnit {
            for _ in 1..count do
                let! _ = yields ()
                ()
        })
            .Wait()

    Assert.InRange(Bytes.perOperationOfAll 20000 run, 1.0, 120.0)

[<Fact>]
let ``the counter measures C#'s bytes for two yields`` () =
    Bytes.onlyWhenOptimised ()
    let methods = ValueTaskMethods()
    let run count = methods.Yields(count).Wait()
    Assert.InRange(Bytes.perOperationOfAll 20000 run, 90.0, 200.0)
