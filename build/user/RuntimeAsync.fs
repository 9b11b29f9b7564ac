// A user of the package Plait.RuntimeAsync: every builder once, suspended, beside one of Plait.
module User.Program

open System.Threading.Tasks
open Plait
open Plait.RuntimeAsync

let one (x: int) =
    task {
        do! Task.Yield()
        return x + 1
    }

let two (x: int) =
    valueTask {
        let! a = one x
        and! b = strand { return x }
        return a + b
    }

let three (x: int) =
    backgroundTask {
        let! sum =
            [ x; x ]
            |> List.foldAsync (fun sum item -> step { let! y = one item in return sum + y }) 0

        return sum
    }

let named = AsyncFunc.ofFun (fun x -> two x)

let even (x: int) : Result<int, string> =
    if x % 2 = 0 then Ok x else Error $"{x} is odd"

let four (x: int) =
    taskResult {
        do! Task.Yield()
        let! a = two x
        let! b = valueTaskResult { return! even (a + 1) }
        and! c = even 2

        while true do
            do! Error $"{b + c}"

        return b
    }

let all =
    Guarded.task {
        do! taskUnit { do! Task.Yield() }
        do! valueTaskUnit { do! Task.Yield() }
        let! a = one 1
        let! b = named.Invoke 1
        let! c = three 1
        let! d = NonAffine.task { return! one 1 }
        let! e = four 1

        return
            $"{a} {b} {c} {d} {Result.defaultWith id (Result.map string e)} on {System.Environment.Version.Major}"
    }

printfn "%s" all.Result
