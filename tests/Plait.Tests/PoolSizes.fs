// Under test: `PoolSizeAttribute`, on pooled objects, on boxed values and on the results of operations.
module Plait.Tests.PoolSizes

open System.Collections.Generic
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Oracle

[<AllowNullLiteral>]
type Unsaid() = class end

[<PoolSize 3; AllowNullLiteral>]
type Three() = class end

[<PoolSize 0; AllowNullLiteral>]
type Zero() = class end

[<PoolSize -5; AllowNullLiteral>]
type Negative() = class end

[<PoolSize 1_000_000; AllowNullLiteral>]
type Enormous() = class end

[<AllowNullLiteral>]
type HeirOfThree() =
    inherit Three()

[<Fact>]
let ``the size is that of the type's attribute, within limits, and 16 without one`` () =
    Assert.Equal(16, Pool.Capacity<Unsaid>())
    Assert.Equal(3, Pool.Capacity<Three>())
    Assert.Equal(0, Pool.Capacity<Zero>())
    Assert.Equal(0, Pool.Capacity<Negative>())
    Assert.Equal(65_536, Pool.Capacity<Enormous>())
    // a size is not inherited
    Assert.Equal(16, Pool.Capacity<HeirOfThree>())
    Assert.Equal(65_536, PoolSizeAttribute(70_000).Size)
    Assert.Equal(0, PoolSizeAttribute(-1).Size)

[<Fact>]
let ``a pool keeps at most as many objects as the type's size`` () =
    for _ in 1..20 do
        Pool.Return(Three())
        Assert.True(Pool.Count<Three>() <= 3)

    Assert.True(Pool.Count<Three>() >= 1)

[<Fact>]
let ``a pool of size 0 keeps nothing`` () =
    Pool.Return(Zero())
    Assert.Equal(0, Pool.Count<Zero>())
    Assert.Null(Pool.TryRent<Zero>())

[<Struct; PoolSize 2>]
type SmallValue = { Small: int }

[<Struct; PoolSize 0>]
type UnkeptValue = { Unkept: int }

/// How many objects `Box` finds again of ten that were returned.
let private foundAgain (make: int -> 'T) =
    let objects = HashSet<obj>(HashIdentity.Reference)
    let boxed = [ for n in 1..10 -> Pool.Box(make n) ]

    for item in boxed do
        objects.Add item |> ignore
        Pool.UnboxAndReturn<'T> item |> ignore

    [ for n in 1..10 -> Pool.Box(make n) ] |> List.filter objects.Contains |> List.length

[<Fact>]
let ``the size of a value's type is that of its boxes`` () =
    Assert.InRange(foundAgain (fun n -> { Small = n }), 1, 2)
    Assert.Equal(0, foundAgain (fun n -> { Unkept = n }))

[<PoolSize 0>]
type UnkeptResult = { Text: string }

type KeptResult = { Words: string }

let private behind (gate: Gate) (value: 'T) : ValueTask<'T> =
    pooledValueTask {
        let! _ = gate
        return value
    }

/// The figures of the pools of one kind of item, by the meter.
let private dropped (name: string) =
    PoolCounters.measured name |> fun figures -> figures["plait.pool.dropped"]

[<Fact>]
let ``the size of a result's type is that of its machines`` () =
    let run (value: 'T) =
        // more at a time than one thread keeps
        let gates = [| for _ in 1..8 -> Gate() |]
        let operations = [| for gate in gates -> behind gate value |]

        for gate in gates do
            gate.Open()

        for operation in operations do
            operation.Result |> ignore

    run { Text = "" }
    run { Words = "" }
    Assert.True(dropped "UnkeptResult" >= 6L, "Machines of an unkept result are kept.")
    Assert.Equal(0L, dropped "KeptResult")
