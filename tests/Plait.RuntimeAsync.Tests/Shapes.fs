// Functions whose IL and bytes are tested: what users write, without an attribute.
module Plait.RuntimeAsync.Tests.Shapes

open System
open System.Threading.Tasks

open Plait
open Plait.RuntimeAsync

let small (x: int) : ValueTask<int> = valueTask { return x + 1 }

let smallTask (x: int) : Task<int> = task { return x + 1 }

let generic (x: 'a) : ValueTask<'a> = valueTask { return x }

let unitary (x: int) : ValueTask =
    valueTaskUnit {
        if x < 0 then
            do! Task.Yield()
    }

let oneAwait (x: int) : ValueTask<int> =
    valueTask {
        let! y = small x
        return y + 1
    }

type Member(k: int) =
    member _.Add(x: int) : ValueTask<int> = valueTask { return x + k }

let calls (receiver: Member) (n: int) : ValueTask<int> =
    valueTask {
        let mutable sum = 0
        let mutable i = 0

        while i < n do
            let! a = small i
            let! b = smallTask i
            let! c = generic i
            let! d = oneAwait i
            let! e = receiver.Add i
            do! unitary i
            sum <- sum + a + b + c + d + e
            i <- i + 1

        return sum
    }

/// The last result is used once, as an argument.
let added (x: int) : ValueTask<int> =
    valueTask {
        let! a = smallTask x
        let! b = smallTask a
        return a + b
    }

/// The result is used once, as the argument of a method of a struct.
let onStruct (day: DateTime) : ValueTask<DateTime> =
    valueTask {
        let! days = smallTask 1
        return day.AddDays days
    }

/// The result is used once, by a closure.
let captured (x: int) : ValueTask<unit -> int> =
    valueTask {
        let! a = smallTask x
        return fun () -> a
    }

let branches (x: int) : ValueTask<int> =
    valueTask {
        if x > 10 then
            return! small x
        else
            match! small x with
            | 3 -> return! small 3
            | y -> return y
    }

let guarded (x: int) : ValueTask<int> =
    Guarded.valueTask {
        let! y = small x
        return y
    }

let offContext (x: int) : ValueTask<int> =
    NonAffine.valueTask {
        let! y = small x
        return y
    }

let array (items: int[]) : ValueTask<int> =
    valueTask {
        let mutable sum = 0

        for item in items do
            let! x = small item
            sum <- sum + x

        return sum
    }

let list (items: int list) : ValueTask<int> =
    valueTask {
        let mutable sum = 0

        for item in items do
            let! x = small item
            sum <- sum + x

        return sum
    }

let together (first: Task<int>) (second: Task<int>) : ValueTask<int> =
    valueTask {
        let! x = first
        and! y = second
        return x + y
    }

let local (k: int) (n: int) : ValueTask<int> =
    valueTask {
        let add x = small (x + k)
        let! a = add n
        let! b = add a
        return b
    }

// functions as values

let over (f: AsyncFunc<int, int>) (n: int) : ValueTask<int> =
    valueTask {
        let mutable sum = 0
        let mutable i = 0

        while i < n do
            let! x = f.Invoke i
            sum <- sum + x
            i <- i + 1

        return sum
    }

let steps (items: int[]) : ValueTask<int> =
    valueTask {
        let k = items.Length

        return!
            items
            |> Array.foldAsync
                (fun sum item ->
                    step {
                        let! x = small item
                        return sum + x + k
                    })
                0
    }

// between the worlds

let inStrand (x: int) : Strand<int> =
    strand {
        let! y = small x
        return y
    }

let inPooled (x: int) : ValueTask<int> =
    pooledValueTask {
        let! y = small x
        return y
    }

let awaitsOthers (x: int) : ValueTask<int> =
    valueTask {
        let! a = inStrand x
        let! b = inPooled a
        return b
    }

// what the compiler does not do: see docs/explanation/runtime-async-limits.md

let statementBefore (x: int) : ValueTask<int> =
    let y = x + 1
    ArgumentOutOfRangeException.ThrowIfNegative y
    valueTask { return y }

let statementInside (x: int) : ValueTask<int> =
    valueTask {
        let y = x + 1
        ArgumentOutOfRangeException.ThrowIfNegative y
        return y
    }
