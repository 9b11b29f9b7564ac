// How bytes are counted: a warm loop, the counter before and after. Nothing else may run in this process meanwhile.
module Plait.Allocation.Tests.Bytes

open System
open Xunit

[<assembly: CollectionBehavior(DisableTestParallelization = true)>]
do ()

/// Bytes are a promise of optimised code only; elsewhere a test says so instead of passing.
let onlyWhenOptimised () =
#if DEBUG
    Assert.Skip "bytes are promised for optimised code only: run this project in Release"
#else
    ()
#endif

/// Bytes that the calling thread allocates for one run of the operation.
let perOperation (operation: unit -> unit) : float =
    for _ in 1..2000 do
        operation ()

    let before = GC.GetAllocatedBytesForCurrentThread()

    for _ in 1..10000 do
        operation ()

    float (GC.GetAllocatedBytesForCurrentThread() - before) / 10000.0

/// Bytes that the whole process allocates for one of `count` operations that `run` performs. What one call of `run`
/// itself costs is measured by an empty one and taken off. The least of several runs counts: a thread that the thread pool adds
/// meanwhile fills its caches, and on a busy machine it may add one in each of the first runs.
let perOperationOfAll (count: int) (run: int -> unit) : float =
    let measure n =
        let before = GC.GetTotalAllocatedBytes true
        run n
        float (GC.GetTotalAllocatedBytes true - before)

    for _ in 1..3 do
        run count

    let harness = List.min [ for _ in 1..3 -> measure 0 ]

    let rec least (best: float) (runs: int) =
        if runs >= 15 || (runs >= 3 && best - harness < float count) then
            best
        else
            least (min best (measure count)) (runs + 1)

    (least infinity 0 - harness) / float count
