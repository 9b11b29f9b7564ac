// Under test: the file and the line that an optimised build has in a trace. A Debug build has those of the statements.
module Plait.RuntimeAsync.Tests.Traces

open System.Threading.Tasks
open Xunit

open Plait.Tests
open Plait.RuntimeAsync

// the builder's name stands three lines below each
let private lateLine = int __LINE__ + 3

let private late (x: int) : Task<int> =
    task {
        do! Task.Yield()

        if x > 0 then
            invalidOp "late"

        return x
    }

let private lateValueLine = int __LINE__ + 3

let private lateValue (x: int) : ValueTask<int> =
    valueTask {
        let! y = late x
        return y + 1
    }

let private lateGuardedLine = int __LINE__ + 3

let private lateGuarded (x: int) : Task<int> =
    Guarded.task {
        let! y = lateValue x
        return y + 1
    }

let private lateOffContextLine = int __LINE__ + 3

let private lateOffContext (x: int) : Task<int> =
    NonAffine.task {
        let! y = lateGuarded x
        return y + 1
    }

let private lateUnitLine = int __LINE__ + 3

let private lateUnit (x: int) : Task =
    backgroundTaskUnit {
        let! y = lateOffContext x
        ignore y
    }

[<Fact>]
let ``the trace of an error has the file of each function, and the line of the builder's name`` () =
    let trace = string (Within.error "It" (lateUnit 1)).StackTrace

    let missing =
        [
            for name, line in
                [
                    "late", lateLine
                    "lateValue", lateValueLine
                    "lateGuarded", lateGuardedLine
                    "lateOffContext", lateOffContextLine
                    "lateUnit", lateUnitLine
                ] do
                if
                    not (
                        trace.Split '\n'
                        |> Array.exists (fun frame ->
                            frame.Contains $".{name}(" && frame.TrimEnd().EndsWith $"Traces.fs:line {line}")
                    )
                then
                    $"{name} at {line}"
        ]

    Assert.True(missing.IsEmpty, $"{missing} of {trace}")
