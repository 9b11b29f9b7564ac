// A user of the package: the bytes of an operation of each builder, with two pending waits, and with none.
module User.Bytes

open System
open System.Threading.Tasks
open Plait

// Each of them awaits `count` operations, one after another.

let private ofValueTask (start: bool -> ValueTask<int>) (isPending: bool) (count: int) : Task =
    task {
        for _ in 1..count do
            let! _ = start isPending
            ()
    }

let private ofValueTaskUnit (start: bool -> ValueTask) (isPending: bool) (count: int) : Task =
    task {
        for _ in 1..count do
            do! start isPending
    }

let private ofTask (start: bool -> Task<int>) (isPending: bool) (count: int) : Task =
    task {
        for _ in 1..count do
            let! _ = start isPending
            ()
    }

let private ofTaskUnit (start: bool -> Task) (isPending: bool) (count: int) : Task =
    task {
        for _ in 1..count do
            do! start isPending
    }

let private ofStrand (start: bool -> Strand<int>) (isPending: bool) (count: int) : Task =
    Tasks.task {
        for _ in 1..count do
            let! _ = start isPending
            ()
    }

let private perOperation (run: int -> Task) : float =
    let count = 10_000

    let once () =
        let before = GC.GetTotalAllocatedBytes true
        (run count).GetAwaiter().GetResult()
        float (GC.GetTotalAllocatedBytes true - before) / float count

    once () |> ignore
    List.min [ once (); once (); once () ]

/// A line a builder and kind of wait: its name, a tab, and the bytes of an operation, rounded. `others` are methods in C#.
let report (others: seq<struct (string * Func<bool, int, Task>)>) : string =
    let rows =
        [
            "strand",
            ofStrand (fun isPending ->
                strand {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "Guarded.strand",
            ofStrand (fun isPending ->
                Guarded.strand {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "Unsafe.strand",
            ofStrand (fun isPending ->
                Unsafe.strand {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "Unsafe.Bare.strand",
            ofStrand (fun isPending ->
                Unsafe.Bare.strand {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "NonAffine.strand",
            ofStrand (fun isPending ->
                NonAffine.strand {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "pooledValueTask",
            ofValueTask (fun isPending ->
                pooledValueTask {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "pooledValueTaskUnit",
            ofValueTaskUnit (fun isPending ->
                pooledValueTaskUnit {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    ignore x
                })

            "pooledTask",
            ofTask (fun isPending ->
                pooledTask {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "pooledTaskUnit",
            ofTaskUnit (fun isPending ->
                pooledTaskUnit {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    ignore x
                })

            "valueTask",
            ofValueTask (fun isPending ->
                valueTask {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "valueTaskUnit",
            ofValueTaskUnit (fun isPending ->
                valueTaskUnit {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    ignore x
                })

            "Unsafe.pooledValueTask",
            ofValueTask (fun isPending ->
                Unsafe.pooledValueTask {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "Unsafe.pooledValueTaskUnit",
            ofValueTaskUnit (fun isPending ->
                Unsafe.pooledValueTaskUnit {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    ignore x
                })

            "Unsafe.pooledTask",
            ofTask (fun isPending ->
                Unsafe.pooledTask {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "Unsafe.pooledTaskUnit",
            ofTaskUnit (fun isPending ->
                Unsafe.pooledTaskUnit {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    ignore x
                })

            "Unsafe.valueTask",
            ofValueTask (fun isPending ->
                Unsafe.valueTask {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "Unsafe.valueTaskUnit",
            ofValueTaskUnit (fun isPending ->
                Unsafe.valueTaskUnit {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    ignore x
                })

            "NonAffine.pooledValueTask",
            ofValueTask (fun isPending ->
                NonAffine.pooledValueTask {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "NonAffine.pooledValueTaskUnit",
            ofValueTaskUnit (fun isPending ->
                NonAffine.pooledValueTaskUnit {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    ignore x
                })

            "NonAffine.pooledTask",
            ofTask (fun isPending ->
                NonAffine.pooledTask {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "NonAffine.pooledTaskUnit",
            ofTaskUnit (fun isPending ->
                NonAffine.pooledTaskUnit {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    ignore x
                })

            "NonAffine.valueTask",
            ofValueTask (fun isPending ->
                NonAffine.valueTask {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "NonAffine.valueTaskUnit",
            ofValueTaskUnit (fun isPending ->
                NonAffine.valueTaskUnit {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    ignore x
                })

            "Tasks.task",
            ofTask (fun isPending ->
                Tasks.task {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "Tasks.taskUnit",
            ofTaskUnit (fun isPending ->
                Tasks.taskUnit {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    ignore x
                })

            "Tasks.backgroundTask",
            ofTask (fun isPending ->
                Tasks.backgroundTask {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    return x
                })

            "Tasks.backgroundTaskUnit",
            ofTaskUnit (fun isPending ->
                Tasks.backgroundTaskUnit {
                    if isPending then
                        do! Task.Yield()

                    let! x = ValueTask<int> 1

                    if isPending then
                        do! Task.Yield()

                    ignore x
                })

            for struct (name, run) in others do
                name, (fun isPending count -> run.Invoke(isPending, count))
        ]

    String.Join(
        "\n",
        [
            for name, run in rows do
                for isPending in [ false; true ] do
                    let bytes = Math.Round(perOperation (run isPending))
                    let kind = if isPending then ", two waits" else ", completed"
                    String.Concat(name, kind, "\t", bytes.ToString())
        ]
    )
