// The synchronous path: strand and pooledValueTask, in every form, add no byte in any shape of expression.
module Plait.Allocation.Tests.Synchronous

open System
open System.Threading.Tasks
open Plait
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
        "NonAffine.strand", NonAffineStrands.all
        "NonAffine.pooledValueTask", NonAffinePooled.all
        "valueTask", ValueTasks.all
        "Unsafe.valueTask", UnsafeValueTasks.all
        "NonAffine.valueTask", NonAffineValueTasks.all
        "pooledValueTaskResult", PooledResults.all
        "strandResult", StrandResults.all
        "cancellableValueTask", Cancellables.all
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

let private unitBuilders: (string * (unit -> unit)) list =
    [
        "pooledValueTaskUnit",
        fun () ->
            pooledValueTaskUnit {
                do! Task.CompletedTask
                do! ValueTask()
            }
            |> ignore
        "valueTaskUnit",
        fun () ->
            valueTaskUnit {
                do! Task.CompletedTask
                do! ValueTask()
            }
            |> ignore
        "Unsafe.pooledValueTaskUnit",
        fun () -> Plait.Unsafe.pooledValueTaskUnit { do! Task.CompletedTask } |> ignore
        "NonAffine.valueTaskUnit",
        fun () -> Plait.NonAffine.valueTaskUnit { do! Task.CompletedTask } |> ignore
        "pooledTaskUnit", (fun () -> pooledTaskUnit { do! Task.CompletedTask } |> ignore)
        "Tasks.taskUnit", (fun () -> Plait.Tasks.taskUnit { do! Task.CompletedTask } |> ignore)
    ]

/// Builders that give nothing.
let units = TheoryData<string>(List.map fst unitBuilders)

[<Theory; MemberData(nameof units)>]
let ``a builder that gives nothing adds no byte where nothing suspends`` (builder: string) =
    Bytes.onlyWhenOptimised ()
    let run = unitBuilders |> List.find (fst >> (=) builder) |> snd
    Assert.Equal(0.0, Bytes.perOperation run)

[<Fact>]
let ``the counter sees a byte that is allocated`` () =
    Bytes.onlyWhenOptimised ()
    let mutable kept = obj ()
    Assert.Equal(24.0, Bytes.perOperation (fun () -> kept <- obj ()))
    GC.KeepAlive kept
