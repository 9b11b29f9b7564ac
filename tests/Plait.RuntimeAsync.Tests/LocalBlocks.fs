// Functions with a block of their own inside: what F# writes into the code around it, and what `let rec` keeps it from.
module Plait.RuntimeAsync.Tests.LocalBlocks

open System
open System.Threading.Tasks

open Plait.RuntimeAsync
open Plait.RuntimeAsync.Tests.Shapes

let large (x: int) : Task<int> = task { return x + 1000 }

// inside the braces

let calledOnce (k: int) : ValueTask<int> =
    valueTask {
        let rec add x = valueTask { return! small (x + k) }
        return! add 1
    }

let calledTwice (k: int) (n: int) : ValueTask<int> =
    valueTask {
        let rec add x = valueTask { return! small (x + k) }
        let! a = add n
        let! b = add a
        return b
    }

let calledTwiceForATask (k: int) (n: int) : ValueTask<int> =
    valueTask {
        let rec add x = task { return! large (x + k) }
        let! a = add n
        let! b = add a
        return b
    }

let calledInALoop (k: int) (items: int[]) : ValueTask<int> =
    valueTask {
        let mutable sum = 0

        for item in items do
            let rec add x =
                valueTask { return! small (x + k + item) }

            let! a = add 1
            let! b = add a
            sum <- sum + b

        return sum
    }

let withSeveralArguments (key: string) (k: int) : ValueTask<int> =
    valueTask {
        let! a = small k

        let rec add (x: int) (text: string) =
            valueTask {
                let! y = small (x + k + a)
                return y + text.Length + key.Length
            }

        let! b = add 1 key
        return! add b "text"
    }

let generic (x: 'a) : ValueTask<'a> =
    valueTask {
        let rec same (y: 'a) =
            valueTask {
                let! _ = small 1
                return if isNull (box y) then x else y
            }

        return! same x
    }

// without either `rec`, and with one call of addTwice, F# 11.0.101 ends with FS0971: Undefined value 'add'
let calledByAnother (k: int) (n: int) : ValueTask<int> =
    valueTask {
        let rec add x = valueTask { return! small (x + k) }

        let rec addTwice x =
            valueTask {
                let! y = add x
                return! add y
            }

        return! addTwice n
    }

let asAStep (k: int) (n: int) : ValueTask<int> =
    valueTask {
        let add x = step { return! small (x + k) }

        let! a = add n
        let! b = add a
        return b
    }

let withoutABlock (k: int) (n: int) : ValueTask<int> =
    valueTask {
        let add x = small (x + k)
        let! a = add n
        let! b = add a
        return b
    }

let inPlaceOfAnExpression (x: int) : ValueTask<int> =
    valueTask {
        let rec part () = valueTask { return! small x }
        let! y = part ()
        return y
    }

let together (k: int) (n: int) : ValueTask<int> =
    valueTask {
        let rec second () = valueTask { return! small (n + k) }
        let! a = small n
        and! b = second ()
        return a + b
    }

let togetherOverResults (k: int) (n: int) : ValueTask<Result<int, string>> =
    valueTaskResult {
        let rec second () =
            valueTaskResult { return! small (n + k) }

        let! a = small n
        and! b = second ()
        return a + b
    }

// where there can be no braces

let behindAStatement (x: int) : ValueTask<int> =
    ArgumentOutOfRangeException.ThrowIfNegative x
    let rec found () = valueTask { return! small x }
    found ()

let inABranch (x: int option) : ValueTask<int> =
    match x with
    | Some value ->
        let rec found () = valueTask { return! small value }
        found ()
    | None -> small 0

let inATry (x: int) : ValueTask<int> =
    let rec found () = valueTask { return! small x }

    try
        found ()
    with _ ->
        small 0

let behindAUse (x: int) : ValueTask<int> =
    use _reader = IO.TextReader.Null
    let rec found () = valueTask { return! small x }
    found ()

let behindAPattern ({ Key = key; Count = number }: Order) : ValueTask<int> =
    let rec found () =
        valueTask {
            let! length = lengthOf key
            return length * number
        }

    found ()

let inline inlined (x: int) : ValueTask<int> =
    let rec found () = valueTask { return! small x }
    found ()

let callsInlined (x: int) : ValueTask<int> =
    valueTask {
        let! a = inlined x
        let! b = inlined a
        return b
    }

let asATask (x: int) : Task =
    let rec found () =
        task {
            if x < 0 then
                do! Task.Yield()
        }

    found ()

[<Struct>]
type Scale(factor: int) =
    member _.Apply(x: int) : ValueTask<int> =
        let factor = factor

        let rec applied () =
            valueTask { return! small (x * factor) }

        applied ()

let objectExpression (k: int) : AsyncFunc<int, int> =
    { new AsyncFunc<int, int>() with
        member _.Invoke x =
            let rec added () = valueTask { return x + k }
            added ()
    }

let lambda (k: int) : AsyncFunc<int, int> =
    AsyncFunc.ofFun (fun x ->
        let rec added () = valueTask { return x + k }
        added ())

// the await of a conditional

let conditionalOfValueTasks (x: int) : ValueTask<int> =
    valueTask {
        let! y = if x > 2 then small x else small (x + 1)
        return y
    }

let conditionalStep (x: int) : ValueTask<int> =
    valueTask {
        let! y = step { if x > 2 then return! large x else return! large (x + 1) }

        return y
    }

let returnInBranches (x: int option) : ValueTask<int> =
    valueTask {
        match x with
        | Some x -> return! large x
        | None -> return! large 0
    }

// loops

let range (n: int) : ValueTask<int> =
    valueTask {
        let mutable sum = 0

        for i in Range(Index 1, Index(n + 1)) do
            let! x = small i
            sum <- sum + x

        return sum
    }

/// What these replace, with their bytes: see docs/explanation/runtime-async-limits.md
module Costly =

    let calledTwice (k: int) (n: int) : ValueTask<int> =
        valueTask {
            let add x = valueTask { return! small (x + k) }
            let! a = add n
            let! b = add a
            return b
        }

    let calledTwiceForATask (k: int) (n: int) : ValueTask<int> =
        valueTask {
            let add x = task { return! large (x + k) }
            let! a = add n
            let! b = add a
            return b
        }

    let calledInALoop (k: int) (items: int[]) : ValueTask<int> =
        valueTask {
            let add x = valueTask { return! small (x + k) }
            let mutable sum = 0

            for item in items do
                let! a = add item
                sum <- sum + a

            return sum
        }

    let withSeveralValues (key: string) (k: int) (n: int) : ValueTask<int> =
        valueTask {
            let add x =
                valueTask { return! small (x + k + n + key.Length) }

            return! add k
        }

    let together (n: int) : ValueTask<int> =
        valueTask {
            let! a = small n
            and! b = valueTask { return! small n }
            return a + b
        }

    let togetherOverResults (n: int) : ValueTask<Result<int, string>> =
        valueTaskResult {
            let! a = small n
            and! b = valueTaskResult { return! small n }
            return a + b
        }

    let conditional (x: int) : ValueTask<int> =
        valueTask {
            let! y = if x > 2 then large x else large (x + 1)
            return y
        }

    let matched (x: int option) : ValueTask<int> =
        valueTask {
            match!
                (match x with
                 | Some x -> large x
                 | None -> large 0)
            with
            | 0 -> return 0
            | y -> return y
        }

    let returned (x: int) : ValueTask<int> =
        valueTask { return! if x > 2 then large x else large (x + 1) }

    let upTo (n: int) : ValueTask<int> =
        valueTask {
            let mutable sum = 0

            for i = 1 to n do
                sum <- sum + i

            return sum
        }

    let downTo (n: int) : ValueTask<int> =
        valueTask {
            let mutable sum = 0

            for i = n downto 1 do
                sum <- sum + i

            return sum
        }

    let byTwo (n: int) : ValueTask<int> =
        valueTask {
            let mutable sum = 0

            for i in 1..2..n do
                sum <- sum + i

            return sum
        }
