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

let yieldsTwice (x: int) : ValueTask<int> =
    valueTask {
        do! Task.Yield()
        do! Task.Yield()
        return x + 1
    }

let yieldsTwiceTask (x: int) : Task<int> =
    task {
        do! Task.Yield()
        do! Task.Yield()
        return x + 1
    }

/// Calls it by name, over and over.
let yieldsByName (n: int) : Task<int> =
    task {
        let mutable i = 0

        while i < n do
            let! next = yieldsTwice i
            i <- next

        return i
    }

/// Calls it through a delegate, so that it is an operation of its own.
let yieldsThrough (start: Func<int, Task<int>>) (n: int) : Task<int> =
    task {
        let mutable i = 0

        while i < n do
            let! next = start.Invoke i
            i <- next

        return i
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

let statementInside (x: int) : ValueTask<int> =
    valueTask {
        let y = x + 1
        ArgumentOutOfRangeException.ThrowIfNegative y
        return y
    }

// where the braces stand

let matchedInside (x: int option) : ValueTask<int> =
    valueTask {
        match x with
        | Some value -> return! small value
        | None -> return 0
    }

[<AbstractClass>]
type Service() =
    abstract Find: int -> ValueTask<int>
    abstract Execute: Threading.CancellationToken -> Task

type IMiddleware =
    abstract InvokeAsync: int -> Task

type Implementation(k: int) =
    inherit Service()
    override _.Find x = valueTask { return! small (x + k) }

    override _.Execute(stopping) =
        taskUnit {
            stopping.ThrowIfCancellationRequested()
            do! unitary k
        }

    interface IMiddleware with
        member _.InvokeAsync x = taskUnit { do! unitary (x + k) }

    static member Static(x: int) : ValueTask<int> = valueTask { return! small x }

let inline inlined (x: int) : ValueTask<int> = valueTask { return! small x }

let kept = task { return! smallTask 100 }
let keptLazily = lazy (task { return! smallTask 100 })

// what `plait check` says nothing of: PLT404's code that is not flagged

type Order = { Key: string; Count: int }

let lengthOf (key: string) : Task<int> = task { return key.Length }

let insideAll (key: string) =
    task {
        ArgumentNullException.ThrowIfNull key
        let trimmed = key.Trim()
        return! lengthOf trimmed
    }

let nothingBefore (key: string) = valueTask { return key.Length }

let aLocalFunction (order: Order) =
    let more number = number + order.Count

    valueTask {
        let! length = lengthOf order.Key
        return more length
    }

let nothingTaken (key: string) =
    ArgumentNullException.ThrowIfNull key
    valueTask { return 0 }

let nothingTakenInBranches (key: string) (isReady: bool) =
    if isReady then task { return 0 } else lengthOf key

let aConstantTaken (key: string) (isReady: bool) =
    let other = 5
    if isReady then valueTask { return other } else ValueTask<int> key.Length

let aComputedConstant (x: int) =
    let limit = 100 * 2
    valueTask { return limit + x }

let aRecord (key: string) =
    let order = { Key = key; Count = 1 }

    valueTask {
        let! length = lengthOf order.Key
        return order.Count + length
    }

let aTupleTakenApart (key: string) (x: int) =
    let first, second = key, x
    valueTask { return first.Length + second }

/// What the compiler makes a closure or a Task of: see docs/explanation/runtime-async-limits.md
module Costly =

    let statementBefore (x: int) : ValueTask<int> =
        let y = x + 1
        ArgumentOutOfRangeException.ThrowIfNegative y
        valueTask { return y }

    let nested (x: int) : ValueTask<int> =
        valueTask {
            let! y = valueTask { return x + 1 }
            return y
        }

    let nestedTask (x: int) : ValueTask<int> =
        valueTask {
            let! y = task { return x + 100 }
            return y
        }

    let calledOnce (x: int) : ValueTask<int> =
        valueTask {
            let add y = valueTask { return x + y }
            let! z = add 1
            return z
        }

    let calledOnceBefore (x: int) : ValueTask<int> =
        let add y = valueTask { return x + y }

        valueTask {
            let! z = add 1
            return z
        }

    let objectExpression (k: int) : AsyncFunc<int, int> =
        { new AsyncFunc<int, int>() with
            member _.Invoke x = valueTask { return x + k }
        }

    let lambdaOf (k: int) : AsyncFunc<int, int> =
        AsyncFunc.ofFun (fun x -> valueTask { return x + k })

    let lambda (k: int) : int -> Task<int> = fun x -> task { return x + k }

    let through (f: int -> Task<int>) (x: int) : ValueTask<int> =
        valueTask {
            let! y = f x
            return y
        }

    let asTask (x: int) : Task = task { return x + 1 }

    let asTaskOfUnit (x: int) : Task =
        task {
            if x < 0 then
                do! Task.Yield()
        }

    type Implementation(k: int) =
        inherit Service()
        override _.Find x = ValueTask<int>(x + k)

        override _.Execute(stopping) : Task =
            task {
                stopping.ThrowIfCancellationRequested()
                do! unitary k
            }

        interface IMiddleware with
            member _.InvokeAsync x : Task = task { do! unitary (x + k) }

    let range (n: int) : ValueTask<int> =
        valueTask {
            let mutable sum = 0

            for i in 1..n do
                sum <- sum + i

            return sum
        }

    let matched (x: int option) : ValueTask<int> =
        match x with
        | Some value -> valueTask { return! small value }
        | None -> valueTask { return 0 }

    let chosen (x: int) : ValueTask<int> =
        if x > 10 then valueTask { return! small x } else valueTask { return x }

    let callsInlined (x: int) : ValueTask<int> =
        valueTask {
            let! a = inlined x
            let! b = inlined a
            return b
        }

    let byPattern ({ Key = key; Count = number }: Order) =
        task {
            let! length = lengthOf key
            return length * number
        }

    let aName (order: Order) =
        let key = order.Key
        let limit = 3

        task {
            let! length = lengthOf key
            return min limit length
        }

    let besideACall (x: int) : ValueTask<int> =
        if x < 0 then small 0 else valueTask { return! small x }

    let raising (x: int) : ValueTask<int> =
        if x < 0 then invalidArg (nameof x) "negative" else valueTask { return! small x }

    let inATry (x: int) : ValueTask<int> =
        try
            valueTask { return! small x }
        with _ ->
            small 0

    let ofAResource (x: int) : ValueTask<int> =
        use _reader = IO.TextReader.Null
        valueTask { return! small x }

    type Key = Key of string

    let byPatternOfAUnion (Key key) = valueTask { return! lengthOf key }

    let aFunctionThatCallsItself (x: int) : ValueTask<int> =
        let rec half n = if n < 10 then n else half (n / 2)
        valueTask { return! small (half x) }

    let aFunctionThatLoops (x: int) : ValueTask<int> =
        let total n =
            let mutable sum = 0

            for i in 1..n do
                sum <- sum + i

            sum

        valueTask { return! small (total x) }
