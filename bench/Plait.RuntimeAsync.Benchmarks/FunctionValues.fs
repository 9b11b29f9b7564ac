// The ways of calling a function that the page "functions as values" compares: a loop in an async method, one call a turn.
module Plait.Benchmarks.Programs.FunctionValues

open System.Threading.Tasks
open Plait.Benchmarks.CSharp
open Plait.RuntimeAsync

let private named (x: int) : ValueTask<int> = valueTask { return x + 1 }
let private namedTask (x: int) : Task<int> = task { return x + 1 }

[<AbstractClass>]
type Service() =
    abstract Find: int -> ValueTask<int>
    abstract FindTask: int -> Task<int>

type private Implementation(k: int) =
    inherit Service()
    override _.Find x = valueTask { return x + k }
    override _.FindTask x = task { return x + k }

// from functions that F# does not see through, so that the loops below call a value
let private lambda (k: int) : int -> ValueTask<int> = fun x -> valueTask { return x + k }
let private lambdaOfTask (k: int) : int -> Task<int> = fun x -> task { return x + k }
let private asyncFunc () = AsyncFunc.ofFun (fun x -> named x)

let private asyncFuncOfTask () =
    AsyncFunc.ofTaskFun (fun x -> namedTask x)

let private asyncFuncOfLambda (k: int) =
    AsyncFunc.ofFun (fun x -> valueTask { return x + k })

let inline private loop ([<InlineIfLambda>] call: int -> Step<int>) (count: int) : Step<int> =
    Step<int>(fun () ->
        let mutable sum = 0
        let mutable i = 0

        while i < count do
            let mutable result = 0
            result <- (call i).Invoke()
            sum <- sum + result
            i <- i + 1

        sum)

let private byName count =
    valueTask { return! loop (fun i -> step { return! named i }) count }

let private byNameTask count =
    valueTask { return! loop (fun i -> step { return! namedTask i }) count }

let private ofService (service: Service) count =
    valueTask { return! loop (fun i -> step { return! service.Find i }) count }

let private ofServiceTask (service: Service) count =
    valueTask { return! loop (fun i -> step { return! service.FindTask i }) count }

let private ofAsyncFunc (f: AsyncFunc<int, int>) count =
    valueTask { return! loop (fun i -> step { return! f.Invoke i }) count }

let private ofFunction (f: int -> ValueTask<int>) count =
    valueTask { return! loop (fun i -> step { return! f i }) count }

let private ofFunctionTask (f: int -> Task<int>) count =
    valueTask { return! loop (fun i -> step { return! f i }) count }

/// The same without steps: the base of a step in an inlined function, and of C#.
let private direct (count: int) =
    valueTask {
        let mutable sum = 0
        let mutable i = 0

        while i < count do
            let! result = named i
            sum <- sum + result
            i <- i + 1

        return sum
    }

let private directTask (count: int) =
    valueTask {
        let mutable sum = 0
        let mutable i = 0

        while i < count do
            let! result = namedTask i
            sum <- sum + result
            i <- i + 1

        return sum
    }

let private run (start: int -> ValueTask<int>) (count: int) = (start count).Result |> ignore

/// The title, the row that ratios are to, and the rows.
let suite =
    let service = Implementation 1
    let f = asyncFunc ()
    let ofTask = asyncFuncOfTask ()
    let ofLambda = asyncFuncOfLambda 1
    let function' = lambda 1
    let functionOfTask = lambdaOfTask 1

    "A call of a function by name and as a value",
    "by name",
    [
        "by name", run direct
        "by name in a step", run byName
        "by name, Task", run directTask
        "by name in a step, Task", run byNameTask
        "C# by name", run NamedCalls.ByName
        "C# by name, Task", run NamedCalls.ByNameTask
        "AsyncFunc of a named function", run (ofAsyncFunc f)
        "AsyncFunc of a named function, Task", run (ofAsyncFunc ofTask)
        "abstract member", run (ofService service)
        "abstract member, Task", run (ofServiceTask service)
        "F# function value", run (ofFunction function')
        "F# function value, Task", run (ofFunctionTask functionOfTask)
        "AsyncFunc of a lambda with the code", run (ofAsyncFunc ofLambda)
    ]
