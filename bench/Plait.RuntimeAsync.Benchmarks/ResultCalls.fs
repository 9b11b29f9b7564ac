// The builders of results beside code that takes Results apart by hand: a loop in one function, one call of another a turn, which
// completes at once.
module Plait.Benchmarks.Programs.ResultCalls

open System.Threading.Tasks
open Plait
open Plait.RuntimeAsync

let private value (x: int) : ValueTask<int> = valueTask { return x + 1 }

let private values (count: int) =
    valueTask {
        let mutable sum = 0
        let mutable i = 0

        while i < count do
            let! next = value i
            sum <- sum + next
            i <- i + 1

        return sum
    }

let private byHand (x: int) : ValueTask<Result<int, string>> = valueTask { return Ok(x + 1) }

let private allByHand (count: int) : ValueTask<Result<int, string>> =
    valueTask {
        let mutable sum = 0
        let mutable i = 0
        let mutable error = ValueNone

        while i < count && error.IsNone do
            match! byHand i with
            | Ok next ->
                sum <- sum + next
                i <- i + 1
            | Error found -> error <- ValueSome found

        return
            match error with
            | ValueNone -> Ok sum
            | ValueSome found -> Error found
    }

let private runtime (x: int) : ValueTask<Result<int, string>> = valueTaskResult { return x + 1 }

let private allRuntime (count: int) =
    valueTaskResult {
        let mutable sum = 0
        let mutable i = 0

        while i < count do
            let! next = runtime i
            sum <- sum + next
            i <- i + 1

        return sum
    }

let private pooled (x: int) : ValueTask<Result<int, string>> = pooledValueTaskResult { return x + 1 }

let private allPooled (count: int) =
    pooledValueTaskResult {
        let mutable sum = 0
        let mutable i = 0

        while i < count do
            let! next = pooled i
            sum <- sum + next
            i <- i + 1

        return sum
    }

let private stranded (x: int) : Strand<Result<int, string>> = strandResult { return x + 1 }

let private allStranded (count: int) =
    strandResult {
        let mutable sum = 0
        let mutable i = 0

        while i < count do
            let! next = stranded i
            sum <- sum + next
            i <- i + 1

        return sum
    }

/// The title, the row that ratios are to, and the rows.
let suite =
    "A call of a function that returns a Result",
    "valueTask, without Results",
    [
        "valueTask, without Results", (fun (count: int) -> (values count).Result |> ignore)
        "valueTask, Results by hand", (fun count -> (allByHand count).Result |> ignore)
        "valueTaskResult of Plait.RuntimeAsync", (fun count -> (allRuntime count).Result |> ignore)
        "strandResult", (fun count -> (allStranded count).AsTask().Result |> ignore)
        "pooledValueTaskResult", (fun count -> (allPooled count).Result |> ignore)
    ]
