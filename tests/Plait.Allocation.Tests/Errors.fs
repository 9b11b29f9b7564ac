// Results: an Error ends an expression without a byte, wherever it comes from, with and without a suspension before it; and a
// suspension costs what it costs in the builders without results.
module Plait.Allocation.Tests.Errors

open System
open System.Threading.Tasks
open Plait
open Plait.Allocation.Tests.ErrorShapes
open Plait.Benchmarks.CSharp
open Xunit

let private finished = Task.FromResult 1

let private even (n: int) : Result<int, string> = if n % 2 = 0 then Ok n else Error "odd"

let private later (n: int) : ValueTask<Result<int, string>> = ValueTask<_>(even n)

let private checkedBy (n: int) : Strand<Result<int, string>> = Strand.Of(even n)

let private withoutByte (runs: (string * (unit -> Result<int, string>)) list) (shape: string) =
    Bytes.onlyWhenOptimised ()
    let run = runs |> List.find (fst >> (=) shape) |> snd
    Assert.True(run().IsError)
    Assert.Equal(0.0, Bytes.perOperation (fun () -> run () |> ignore))

let shapes = TheoryData<string>(List.map fst PooledResults.runs)

[<Theory; MemberData(nameof shapes)>]
let ``an Error ends pooledValueTaskResult without a byte`` (shape: string) =
    withoutByte PooledResults.runs shape

[<Theory; MemberData(nameof shapes)>]
let ``an Error ends strandResult without a byte`` (shape: string) = withoutByte StrandResults.runs shape

[<Fact>]
let ``a validation without an Error adds no byte`` () =
    Bytes.onlyWhenOptimised ()

    let pooled () =
        pooledValueTaskValidation {
            let! x = later 2
            and! y = even 2
            and! z = finished
            return x + y + z
        }

    let strand () =
        strandValidation {
            let! x = checkedBy 2
            and! y = even 2
            and! z = finished
            return x + y + z
        }

    Assert.Equal(0.0, Bytes.perOperation (fun () -> pooled().Result |> ignore))
    Assert.Equal(0.0, Bytes.perOperation (fun () -> strand().Result |> ignore))

let private gated (limit: int) (gate: Gate) =
    pooledValueTaskResult {
        let! a = gate
        let! b = pooledValueTaskResult { return! gate }
        do! if a + b > limit then Error "more" else Ok()
        return a + b
    }

let private strandGated (gate: Gate) =
    strandResult {
        let! a = gate
        let! b = gate
        do! Error "no"
        return a + b
    }

[<Fact>]
let ``pooled frames that suspend and end in an Ok or an Error allocate nothing`` () =
    Bytes.onlyWhenOptimised ()

    for limit in [ 1_000_000; -1 ] do
        Assert.Equal(0.0, SuspendedBytes.gated (gated limit) (fun pending -> pending.Result |> ignore))

/// Widths of operations in flight.
let widths: TheoryData<int> = TheoryData<int>(1, 64, 1000)

let private yields () =
    pooledValueTaskResult {
        do! Task.Yield()
        let! x = even 2
        do! Task.Yield()
        return x
    }

let private parent () =
    pooledValueTask {
        match! yields () with
        | Ok x -> return x
        | Error(_: string) -> return 0
    }

[<Theory; MemberData(nameof widths)>]
let ``two yields allocate nothing, however many are in flight`` (width: int) =
    Bytes.onlyWhenOptimised ()
    Assert.InRange(SuspendedBytes.inFlight width parent, -1.0, 1.0)

[<Fact>]
let ``a strand of a Result allocates at most 88 bytes for each bind that waits`` () =
    Bytes.onlyWhenOptimised ()
    Assert.InRange(SuspendedBytes.gated strandGated (fun pending -> pending.Result |> ignore), 1.0, 176.0)

/// A Task with a Result<int, string>, by this runtime on 64 bits.
let private taskBytes = 80.0

[<Fact>]
let ``taskResult allocates its Task and nothing else`` () =
    Bytes.onlyWhenOptimised ()
    let completed () = taskResult { return! even 1 }

    let pending (gate: Gate) : Task<Result<int, string>> =
        taskResult {
            let! a = gate
            let! b = gate
            return a + b
        }

    Assert.Equal(taskBytes, Bytes.perOperation (fun () -> completed () |> ignore))

    Assert.Equal(taskBytes, SuspendedBytes.gated pending (fun pending -> pending.Result |> ignore))
