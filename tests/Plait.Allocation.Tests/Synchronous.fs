// The synchronous path: strand and pooledValueTask, in every form, add no byte in any shape of expression.
module Plait.Allocation.Tests.Synchronous

open System
open System.Collections.Generic
open System.Threading.Tasks
open Plait
open Plait.Allocation.Tests.Shapes
open Xunit

/// The builders that this build is of, with their shapes.
let private variants =
    [
#if OTHERS
        "Unsafe.strand", UnsafeStrands.all
        "Unsafe.Bare.strand", BareStrands.all
        "Guarded.strand", GuardedStrands.all
        "NonAffine.strand", NonAffineStrands.all
        "Unsafe.pooledValueTask", UnsafePooled.all
        "NonAffine.pooledValueTask", NonAffinePooled.all
        "Unsafe.valueTask", UnsafeValueTasks.all
        "NonAffine.valueTask", NonAffineValueTasks.all
        "strandResult", StrandResults.all
#else
        "strand", Strands.all
        "pooledValueTask", Pooled.all
        "valueTask", ValueTasks.all
        "pooledValueTaskResult", PooledResults.all
        "cancellableValueTask", Cancellables.all
#endif
    ]

/// Builder and shape, with the mark by which the builds of Others are run (`build/test.sh`).
let cases =
    [|
        for builder, shapes in variants do
            for shape, _ in shapes do
                let row = TheoryDataRow<string, string>(builder, shape)
                row.Traits["over"] <- HashSet [ "builders" ]
                row
    |]

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
