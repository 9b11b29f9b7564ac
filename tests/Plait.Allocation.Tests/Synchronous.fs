// The synchronous path: strand and pooledValueTask, in every form, add no byte in any shape of expression.
module Plait.Allocation.Tests.Synchronous

open System
open Plait.Allocation.Tests.Shapes
open Xunit

let private variants =
    [
        "strand", Strands.all
        "Unsafe.strand", UnsafeStrands.all
        "Unsafe.Bare.strand", BareStrands.all
        "pooledValueTask", Pooled.all
        "Unsafe.pooledValueTask", UnsafePooled.all
        "Guarded.strand", GuardedStrands.all
        "valueTask", ValueTasks.all
    ]

/// Builder and shape.
let cases: TheoryData<string, string> =
    let data = TheoryData<string, string>()

    for builder, shapes in variants do
        for shape, _ in shapes do
            data.Add(builder, shape)

    data

[<Theory; MemberData(nameof cases)>]
let ``a shape that does not suspend adds no byte`` (builder: string) (shape: string) =
    Bytes.onlyWhenOptimised ()

    let run =
        variants |> List.find (fst >> (=) builder) |> snd |> List.find (fst >> (=) shape) |> snd

    Assert.Equal(0.0, Bytes.perOperation (fun () -> run () |> ignore))

[<Fact>]
let ``the counter sees a byte that is allocated`` () =
    Bytes.onlyWhenOptimised ()
    let mutable kept = obj ()
    Assert.Equal(24.0, Bytes.perOperation (fun () -> kept <- obj ()))
    GC.KeepAlive kept
