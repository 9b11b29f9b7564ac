// Functions over results whose IL and bytes are tested: each in the builders of results and in a module Without, the same code over values
// in `task` and `valueTask`.
module Plait.RuntimeAsync.Tests.ResultShapes

open System
open System.Threading.Tasks

open Plait
open Plait.RuntimeAsync

let even (n: int) : Result<int, string> = if n % 2 = 0 then Ok n else Error "odd"

let resource =
    { new IDisposable with
        member _.Dispose() = ()
    }

let asyncResource =
    { new IAsyncDisposable with
        member _.DisposeAsync() = ValueTask()
    }

/// Over values: what the same code costs without results.
module Without =

    let smallTask (n: int) : Task<int> = task { return n }

    let asyncUse (n: int) : ValueTask<int> =
        valueTask {
            use _held = asyncResource
            return n
        }

    let yields (n: int) : Task<int> =
        task {
            do! Task.Yield()
            do! Task.Yield()
            return n
        }

    let yieldsInALoop (n: int) : Task<int> =
        task {
            let mutable i = 0

            while i < n do
                do! Task.Yield()
                i <- i + 1

            return i
        }

let value (n: int) : ValueTask<int> = valueTask { return n }
let valueInATask (n: int) : Task<int> = task { return n }
let small (n: int) : ValueTask<Result<int, string>> = valueTaskResult { return n }
let smallTask (n: int) : Task<Result<int, string>> = taskResult { return n }
let checkedEven (n: int) : ValueTask<Result<int, string>> = valueTaskResult { return! even n }
let checkedTask (n: int) : Task<Result<int, string>> = taskResult { return! even n }

/// A bind of every kind of call that the JIT knows.
let calls (n: int) : ValueTask<Result<int, string>> =
    valueTaskResult {
        let! a = smallTask n
        let! b = checkedTask n
        let! c = checkedEven n
        let! d = value n
        let! e = valueInATask n
        let! f = (checkedEven n).ConfigureAwait false
        let! g = (checkedTask n).ConfigureAwait false
        do! Task.CompletedTask
        return a + b + c + d + e + f + g
    }

let callsOffContext (n: int) : ValueTask<Result<int, string>> =
    NonAffine.valueTaskResult {
        let! a = checkedTask n
        let! b = checkedEven n
        let! c = value n
        let! d = valueInATask n
        return a + b + c + d
    }

let returns (n: int) : ValueTask<Result<int, string>> =
    valueTaskResult { return! checkedTask n }

let returnsValue (n: int) : ValueTask<Result<int, string>> =
    valueTaskResult { return! valueInATask n }

let result (n: int) : ValueTask<Result<int, string>> =
    valueTaskResult {
        let! a = even n
        return a
    }

let branch (n: int) : ValueTask<Result<int, string>> =
    valueTaskResult {
        if n % 2 = 1 then
            do! Error "odd"

        return n
    }

let option (n: int) : ValueTask<Result<int, string>> =
    valueTaskResult {
        let! a = (if n % 2 = 0 then ValueSome n else ValueNone) |> ValueOption.orError "odd"
        return a
    }

let loops (n: int) : ValueTask<Result<int, string>> =
    valueTaskResult {
        let mutable sum = 0

        for i in Range(0, n) do
            let! x = small i
            sum <- sum + x

        let! _ = even n
        return sum
    }

let endedLoops (items: int list) : ValueTask<Result<int, string>> =
    valueTaskResult {
        let mutable sum = 0

        for x in items do
            for y in Range(0, 2) do
                let! z = checkedEven (x + 2 * y)
                sum <- sum + z

        while true do
            do! Error "end"

        return sum
    }

let blocks (n: int) : ValueTask<Result<int, string>> =
    valueTaskResult {
        use _first = resource
        use _second = asyncResource

        try
            try
                let! x = checkedEven n
                return x
            finally
                ignore n
        with _ ->
            return 2
    }

let together (n: int) : ValueTask<Result<int, string>> =
    valueTaskResult {
        let! a = checkedEven n
        and! b = even n
        and! c = value n
        return a + b + c
    }

let validated (n: int) : ValueTask<Result<int, string list>> =
    valueTaskValidation {
        let! a = checkedEven n
        and! b = even n
        and! c = value n
        return a + b + c
    }

let guarded (n: int) : ValueTask<Result<int, string>> =
    Guarded.valueTaskResult {
        let! x = checkedEven n
        return x
    }

let steps (items: int[]) : ValueTask<Result<int, string>> =
    valueTaskResult {
        let! sum =
            items
            |> Array.foldAsync (fun sum item -> step { let! x = value item in return sum + x }) 0

        let! last = step { return! checkedEven sum }
        return last
    }

let yields (n: int) : Task<Result<int, string>> =
    taskResult {
        do! Task.Yield()
        do! Task.Yield()
        return n
    }

let yieldsInALoop (n: int) : Task<Result<int, string>> =
    taskResult {
        let mutable i = 0

        while i < n do
            do! Task.Yield()
            i <- i + 1

        return i
    }

/// A number of levels of calls, each with a bind.
let rec deep (levels: int) (last: int) : ValueTask<Result<int, string>> =
    valueTaskResult {
        if levels = 0 then
            return! even last
        else
            let! below = deep (levels - 1) last
            return below
    }

let rec guardedDeep (levels: int) (last: int) : ValueTask<Result<int, string>> =
    Guarded.valueTaskResult {
        if levels = 0 then
            do! Task.Yield()
            return! even last
        else
            let! below = guardedDeep (levels - 1) last
            return below
    }
