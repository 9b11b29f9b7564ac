// Results: an Error ends an expression without a byte, wherever it comes from, with and without a suspension before it; and a
// suspension costs what it costs in the builders without results.
module Plait.Allocation.Tests.Errors

open System
open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp
open Xunit

let private array = [| 1; 2; 3 |]
let private list = [ 1; 2; 3 ]
let private finished = Task.FromResult 1

let private resource =
    { new IDisposable with
        member _.Dispose() = ()
    }

let private even (n: int) : Result<int, string> = if n % 2 = 0 then Ok n else Error "odd"

let private later (n: int) : ValueTask<Result<int, string>> = ValueTask<_>(even n)

let private checkedBy (n: int) : Strand<Result<int, string>> = Strand.Of(even n)

/// Each ends in an Error.
let private pooled: (string * (unit -> ValueTask<Result<int, string>>)) list =
    [
        "let! of a Result", (fun () -> pooledValueTaskResult { let! x = even 1 in return x })
        "let! of an awaited Result", (fun () -> pooledValueTaskResult { let! x = later 1 in return x })
        "let! of a strand of a Result", (fun () -> pooledValueTaskResult { let! x = checkedBy 1 in return x })
        "return!", (fun () -> pooledValueTaskResult { return! later 1 })
        "do! in a branch",
        fun () ->
            pooledValueTaskResult {
                let! x = later 2

                if x = 2 then
                    do! Error "two"

                return x
            }
        "an option",
        fun () ->
            pooledValueTaskResult {
                let! x = None |> Option.orError "none"
                return x
            }
        "and!",
        fun () ->
            pooledValueTaskResult {
                let! x = later 2
                and! y = even 1
                and! z = finished
                return x + y + z
            }
        "while",
        fun () ->
            pooledValueTaskResult {
                while true do
                    do! Error "turn"

                return 1
            }
        "for over an array in a for over a list",
        fun () ->
            pooledValueTaskResult {
                for x in list do
                    for y in array do
                        let! _ = later (x + y)
                        ()

                return 1
            }
        "use, try/finally and try/with",
        fun () ->
            pooledValueTaskResult {
                use _held = resource

                try
                    try
                        let! x = later 1
                        return x
                    finally
                        ignore array
                with _ ->
                    return 2
            }
        "a nested expression",
        fun () ->
            pooledValueTaskResult {
                let! x = pooledValueTaskResult { return! even 1 }
                return x
            }
    ]

let private strands: (string * (unit -> Strand<Result<int, string>>)) list =
    [
        "let! of a Result", (fun () -> strandResult { let! x = even 1 in return x })
        "let! of an awaited Result", (fun () -> strandResult { let! x = later 1 in return x })
        "let! of a strand of a Result", (fun () -> strandResult { let! x = checkedBy 1 in return x })
        "return!", (fun () -> strandResult { return! checkedBy 1 })
        "do! in a branch",
        fun () ->
            strandResult {
                let! x = checkedBy 2

                if x = 2 then
                    do! Error "two"

                return x
            }
        "and!",
        fun () ->
            strandResult {
                let! x = checkedBy 2
                and! y = even 1
                and! z = finished
                return x + y + z
            }
        "while",
        fun () ->
            strandResult {
                while true do
                    do! Error "turn"

                return 1
            }
        "for over an array in a for over a list",
        fun () ->
            strandResult {
                for x in list do
                    for y in array do
                        let! _ = later (x + y)
                        ()

                return 1
            }
        "use, try/finally and try/with",
        fun () ->
            strandResult {
                use _held = resource

                try
                    try
                        let! x = checkedBy 1
                        return x
                    finally
                        ignore array
                with _ ->
                    return 2
            }
        "a nested expression",
        fun () ->
            strandResult {
                let! x = strandResult { return! even 1 }
                return x
            }
    ]

let pooledShapes: TheoryData<string> = TheoryData<string>(List.map fst pooled)
let strandShapes: TheoryData<string> = TheoryData<string>(List.map fst strands)

[<Theory; MemberData(nameof pooledShapes)>]
let ``an Error ends pooledValueTaskResult without a byte`` (shape: string) =
    Bytes.onlyWhenOptimised ()
    let run = pooled |> List.find (fst >> (=) shape) |> snd
    Assert.True(run().Result.IsError)
    Assert.Equal(0.0, Bytes.perOperation (fun () -> run().Result |> ignore))

[<Theory; MemberData(nameof strandShapes)>]
let ``an Error ends strandResult without a byte`` (shape: string) =
    Bytes.onlyWhenOptimised ()
    let run = strands |> List.find (fst >> (=) shape) |> snd
    Assert.True(run().Result.IsError)
    Assert.Equal(0.0, Bytes.perOperation (fun () -> run().Result |> ignore))

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

let private gated (gate: Gate) (limit: int) =
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
        let gate = Gate()

        let bytes =
            Bytes.perOperation (fun () ->
                let pending = gated gate limit
                gate.Open()
                gate.Open()
                pending.Result |> ignore)

        Assert.Equal(0.0, bytes)

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
    let pending = Array.zeroCreate<ValueTask<int>> width
    let operation = Func<ValueTask<int>> parent

    let run count =
        Loops.RunInFlight(operation, pending, count).Wait()

    Assert.InRange(Bytes.perOperationOfAll 20000 run, -1.0, 1.0)

[<Fact>]
let ``a strand of a Result allocates at most 88 bytes for each bind that waits`` () =
    Bytes.onlyWhenOptimised ()
    let gate = Gate()

    let bytes =
        Bytes.perOperation (fun () ->
            let pending = strandGated gate
            gate.Open()
            gate.Open()
            pending.Result |> ignore)

    Assert.InRange(bytes, 1.0, 176.0)

/// A Task with a Result<int, string>, by this runtime on 64 bits.
let private taskBytes = 80.0

[<Fact>]
let ``taskResult allocates its Task and nothing else`` () =
    Bytes.onlyWhenOptimised ()
    let gate = Gate()
    let completed () = taskResult { return! even 1 }

    let pending (gate: Gate) : Task<Result<int, string>> =
        taskResult {
            let! a = gate
            let! b = gate
            return a + b
        }

    Assert.Equal(taskBytes, Bytes.perOperation (fun () -> completed () |> ignore))

    let bytes =
        Bytes.perOperation (fun () ->
            let pending = pending gate
            gate.Open()
            gate.Open()
            pending.Result |> ignore)

    Assert.Equal(taskBytes, bytes)
