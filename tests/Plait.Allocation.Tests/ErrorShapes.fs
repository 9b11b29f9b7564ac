// Ways in which an Error ends an expression. Compiled for each builder of results: see the project file.
module Plait.Allocation.Tests.ErrorShapes.PooledResults

open System
open System.Threading.Tasks
open Plait

open Plait.Allocation.Tests.Builders.PooledResults

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
let private all: (string * (unit -> Effect<int>)) list =
    [
        "let! of a Result", (fun () -> effect { let! x = even 1 in return x })
        "let! of an awaited Result", (fun () -> effect { let! x = later 1 in return x })
        "let! of a strand of a Result", (fun () -> effect { let! x = checkedBy 1 in return x })
        "return! of an awaited Result", (fun () -> effect { return! later 1 })
        "return! of a strand of a Result", (fun () -> effect { return! checkedBy 1 })
        "do! in a branch",
        fun () ->
            effect {
                let! x = later 2
                let! y = checkedBy x

                if y = 2 then
                    do! Error "two"

                return x
            }
        "an option",
        fun () ->
            effect {
                let! x = None |> Option.orError "none"
                return x
            }
        "and!",
        fun () ->
            effect {
                let! x = later 2
                and! y = even 1
                and! z = finished
                return x + y + z
            }
        "and! with a strand",
        fun () ->
            effect {
                let! x = checkedBy 2
                and! y = even 1
                and! z = finished
                return x + y + z
            }
        "while",
        fun () ->
            effect {
                while true do
                    do! Error "turn"

                return 1
            }
        "for over an array in a for over a list",
        fun () ->
            effect {
                for x in list do
                    for y in array do
                        let! _ = later (x + y)
                        ()

                return 1
            }
        "use, try/finally and try/with",
        fun () ->
            effect {
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
        "a strand in use, try/finally and try/with",
        fun () ->
            effect {
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
            effect {
                let! x = effect { return! even 1 }
                return x
            }
    ]

/// Each as a run to its result.
let runs: (string * (unit -> Result<int, string>)) list =
    [ for name, start in all -> name, (fun () -> (start ()).Result) ]
