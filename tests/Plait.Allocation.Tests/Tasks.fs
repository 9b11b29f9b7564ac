// Builders whose result may be awaited many times: they allocate the Task and nothing else, those of Plait.Tasks a Task with
// the machine in it, as FSharp.Core's do; and nothing at all where the value is one that the BCL keeps a Task for.
module Plait.Allocation.Tests.Tasks

open System
open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp
open Xunit

let private array = [| 1; 2; 3 |]
let private list = [ 1; 2; 3 ]
let private resizeArray = ResizeArray array

/// A Task with an int, by this runtime on 64 bits.
let private taskBytes = 72.0

/// Waits twice at a gate, in each builder.
let private gated: (string * (Gate -> Task)) list =
    [
        "pooledTask",
        fun gate ->
            pooledTask {
                let! a = gate
                let! b = gate
                return a + b
            }
        "pooledTaskUnit",
        fun gate ->
            pooledTaskUnit {
                let! _ = gate
                let! _ = gate
                ()
            }
        "valueTask",
        fun gate ->
            (valueTask {
                let! a = gate
                let! b = gate
                return a + b
            })
                .AsTask()
        "valueTaskUnit",
        fun gate ->
            (valueTaskUnit {
                let! _ = gate
                let! _ = gate
                ()
            })
                .AsTask()
    ]

let builders: TheoryData<string> = TheoryData<string>(List.map fst gated)

[<Theory; MemberData(nameof builders)>]
let ``an operation that suspends allocates its Task and nothing else`` (builder: string) =
    Bytes.onlyWhenOptimised ()
    let start = gated |> List.find (fst >> (=) builder) |> snd
    Assert.Equal(taskBytes, SuspendedBytes.gated start (fun pending -> pending.GetAwaiter().GetResult()))

/// The same body under Plait.Tasks and under FSharp.Core's builder.
let private besideFSharpCore: (string * (Gate -> Task) * (Gate -> Task)) list =
    [
        "two waits",
        (fun gate ->
            Tasks.task {
                let! a = gate
                let! b = gate
                return a + b
            }),
        (fun gate ->
            task {
                let! a = gate
                let! b = gate
                return a + b
            })
        "no result",
        (fun gate ->
            Tasks.taskUnit {
                let! _ = gate
                let! _ = gate
                ()
            }),
        (fun gate ->
            task {
                let! _ = gate
                let! _ = gate
                ()
            })
        "in the background",
        (fun gate -> Tasks.backgroundTask { return! gate }),
        (fun gate -> backgroundTask { return! gate })
        "tasks and value tasks",
        (fun gate ->
            Tasks.task {
                let! a = Tasks.task { return! gate }
                let! b = ValueTask<int>(Tasks.task { return! gate })
                return a + b
            }),
        (fun gate ->
            task {
                let! a = task { return! gate }
                let! b = ValueTask<int>(task { return! gate })
                return a + b
            })
        "use, try and a loop",
        (fun gate ->
            Tasks.task {
                use _nothing =
                    { new IDisposable with
                        member _.Dispose() = ()
                    }

                try
                    for _ in array[..1] do
                        let! _ = gate
                        ()
                finally
                    ()
            }),
        (fun gate ->
            task {
                use _nothing =
                    { new IDisposable with
                        member _.Dispose() = ()
                    }

                try
                    for _ in array[..1] do
                        let! _ = gate
                        ()
                finally
                    ()
            })
        "two at once",
        (fun gate ->
            Tasks.task {
                let! a = Tasks.task { return! gate }
                and! b = Task.FromResult 1
                let! c = gate
                return a + b + c
            }),
        (fun gate ->
            task {
                let! a = task { return! gate }
                and! b = Task.FromResult 1
                let! c = gate
                return a + b + c
            })
    ]

[<Fact>]
let ``an operation of Plait's task that suspends allocates no more than one of FSharp.Core's`` () =
    Bytes.onlyWhenOptimised ()

    for name, ours, theirs in besideFSharpCore do
        let bytes (start: Gate -> Task) =
            let gate = Gate()

            Bytes.perOperation (fun () ->
                let pending = start gate
                gate.Open()

                if not pending.IsCompleted then
                    gate.Open()

                pending.GetAwaiter().GetResult())

        let ours, theirs = bytes ours, bytes theirs
        Assert.True(ours > 0.0 && ours <= theirs, $"{name}: {ours} B, FSharp.Core's {theirs} B")

/// Two yields with many in flight: the boxes come from the pool, whoever returns them.
let widths: TheoryData<int> = TheoryData<int>(1, 8, 64, 1000)

[<Theory; MemberData(nameof widths)>]
let ``two yields allocate the Task inside, however many are in flight`` (width: int) =
    Bytes.onlyWhenOptimised ()

    let operation () =
        valueTask {
            do! Task.Yield()
            do! Task.Yield()
            return 42
        }

    Assert.InRange(SuspendedBytes.inFlight width operation, taskBytes - 1.0, taskBytes + 1.0)

let private loops: (string * (unit -> Task<int>)) list =
    [
        "an array",
        (fun () ->
            Tasks.task {
                for _ in array do
                    do! Task.CompletedTask

                return 0
            })
        "a list",
        (fun () ->
            Tasks.task {
                for _ in list do
                    do! Task.CompletedTask

                return 0
            })
        "a ResizeArray",
        (fun () ->
            Tasks.task {
                for _ in resizeArray do
                    do! Task.CompletedTask

                return 0
            })
    ]

[<Fact>]
let ``a value with a cached Task allocates nothing, nor does a loop without an enumerator`` () =
    Bytes.onlyWhenOptimised ()

    for name, start in ("nothing", (fun () -> Tasks.task { return 0 })) :: loops do
        let bytes = Bytes.perOperation (fun () -> start () |> ignore)
        Assert.True((bytes = 0.0), $"{name}: {bytes} B")
