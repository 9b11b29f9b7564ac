// The code that pages quote: docs/how-to/migrate-to-runtime-async.md, docs/how-to/functions-as-values.md and
// docs/explanation/runtime-async-limits.md. Compiled here, because the snippets of pages are compiled by F# 10.
module Plait.RuntimeAsync.Tests.Pages

open System
open System.IO
open System.Threading
open System.Threading.Tasks
open Plait.RuntimeAsync
open Xunit

open Plait.Tests

type Order = { Id: int; Total: decimal }

module Prices =
    let find (id: int) : ValueTask<decimal> =
        valueTask {
            if id % 2 = 0 then
                do! Task.Yield()

            return decimal id
        }

/// A service on FSharp.Core's `task`, after `open Plait.RuntimeAsync`.
module Service =

    let order (id: int) =
        task {
            let! price = Prices.find id
            return { Id = id; Total = price * 1.2m }
        }

    let orders (ids: int list) =
        task {
            let mutable total = 0m

            for id in ids do
                try
                    let! found = order id
                    total <- total + found.Total
                with :? TimeoutException ->
                    ()

            return total
        }

/// A function as a value: an AsyncFunc made of a named function.
module Functions =

    /// Calls what it was given for each number.
    let sum (price: AsyncFunc<int, decimal>) (ids: int[]) =
        valueTask {
            let mutable total = 0m

            for id in ids do
                let! next = price.Invoke id
                total <- total + next

            return total
        }

    let total (discount: decimal) (ids: int[]) =
        let discounted id =
            valueTask {
                let! price = Prices.find id
                return price - discount
            }

        sum (AsyncFunc.ofFun (fun id -> discounted id)) ids

/// A lambda that is a part of the function around it: a step.
module Lambdas =

    let labels (ids: int list) =
        task {
            let! prices =
                ids
                |> List.mapAsync (fun id ->
                    step {
                        let! price = Prices.find id
                        return $"{id}: {price}"
                    })

            return String.Join("; ", prices)
        }

    let throttled (ids: int list) =
        task {
            let! prices =
                ids
                |> Seq.mapThrottled 4 (fun id ->
                    step {
                        let! price = Prices.find id
                        return $"{id}: {price}"
                    })

            return String.Join("; ", prices)
        }

/// What to write where the compiler makes a closure.
module Limits =

    // 24 bytes a call: the statement stands before the expression
    let slow (id: int) =
        ArgumentOutOfRangeException.ThrowIfNegative id
        valueTask { return! Prices.find id }

    // 0 bytes
    let fast (id: int) =
        valueTask {
            ArgumentOutOfRangeException.ThrowIfNegative id
            return! Prices.find id
        }

    // 0 bytes, and the call throws the error
    let atTheCall (id: int) =
        ArgumentOutOfRangeException.ThrowIfNegative id
        let rec found () = valueTask { return! Prices.find id }
        found ()

    let total (discount: decimal) (ids: int list) =
        valueTask {
            // without `rec` 40 bytes for each id
            let rec discounted id =
                valueTask {
                    let! price = Prices.find id
                    return price - discount
                }

            let mutable total = 0m

            for id in ids do
                let! price = discounted id
                total <- total + price

            return total
        }

    [<Struct>]
    type Scale(factor: decimal) =
        member _.Apply(id: int) =
            let factor = factor

            let rec scaled () =
                valueTask {
                    let! price = Prices.find id
                    return factor * price
                }

            scaled ()

/// The other forms of a builder.
module Forms =

    type Tree =
        | Leaf
        | Node of left: Tree * right: Tree

    // any depth: on a new stack, where this one is nearly used up
    let rec depth (tree: Tree) =
        Guarded.task {
            match tree with
            | Leaf -> return 0
            | Node(left, right) ->
                let! left = depth left
                let! right = depth right
                return 1 + max left right
        }

    // each await as with ConfigureAwait(false)
    let lines (path: string) =
        NonAffine.task {
            let! text = File.ReadAllLinesAsync path
            return text.Length
        }

[<Fact>]
let ``the code of the pages has the documented results`` () =
    Assert.Equal(7.2m, Within.result "It" (Service.orders [ 1; 2; 3 ]))
    Assert.Equal(4.5m, Within.result "It" ((Functions.total 0.5m [| 1; 2; 3 |]).AsTask()))
    Assert.Equal("1: 1; 2: 2", Within.result "It" (Lambdas.labels [ 1; 2 ]))
    Assert.Equal("1: 1; 2: 2", Within.result "It" (Lambdas.throttled [ 1; 2 ]))
    Assert.Equal(3m, Within.result "It" ((Limits.slow 3).AsTask()))
    Assert.Equal(3m, Within.result "It" ((Limits.fast 3).AsTask()))
    Assert.Equal(3m, Within.result "It" ((Limits.atTheCall 3).AsTask()))
    Assert.Equal(4.5m, Within.result "It" ((Limits.total 0.5m [ 1; 2; 3 ]).AsTask()))
    Assert.Equal(6m, Within.result "It" (((Limits.Scale 2m).Apply 3).AsTask()))

[<Fact>]
let ``Guarded goes through a tree of any depth, and NonAffine continues without the caller's context`` () =
    let mutable chain = Forms.Leaf

    for _ in 1..200_000 do
        chain <- Forms.Node(chain, Forms.Leaf)

    Assert.Equal(200_000, Within.result "The depth" (Forms.depth chain))
    let path = Path.GetTempFileName()

    try
        File.WriteAllText(path, "one\ntwo\n")
        let posts = ref 0

        let home =
            { new SynchronizationContext() with
                override _.Post(callback, state) =
                    Interlocked.Increment posts |> ignore
                    base.Post(callback, state)
            }

        let before = SynchronizationContext.Current
        SynchronizationContext.SetSynchronizationContext home

        try
            Assert.Equal(2, Within.result "The lines" (Forms.lines path))
        finally
            SynchronizationContext.SetSynchronizationContext before

        Assert.Equal(0, posts.Value)
    finally
        File.Delete path

[<Fact>]
let ``an argument is checked as before, but the error is in the result`` () =
    for call in [ Limits.slow; Limits.atTheCall ] do
        Assert.Throws<ArgumentOutOfRangeException>(fun () -> call -1 |> ignore) |> ignore

    let operation = Limits.fast -1
    Assert.True operation.IsFaulted

    Assert.IsType<ArgumentOutOfRangeException>(Within.error "It" (operation.AsTask()))
    |> ignore
