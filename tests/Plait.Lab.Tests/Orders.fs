// The order of slices and rows: blocks A B B A, drawn from the seed.
module Plait.Lab.Tests.Orders

open FsCheck.FSharp
open Xunit

open Plait.Lab
open Plait.Tests.Support

[<Fact>]
let ``pairs come in blocks whose two sides differ and an odd last pair stands alone`` () =
    Laws.forEach 200 (Gen.two (Gen.choose (0, 40))) (fun (seed, count) ->
        let order = Order.pairs (Order.random seed "pairs") count

        order.Length = count
        && order
           |> List.chunkBySize 2
           |> List.forall (function
               | [ first; second ] -> first <> second
               | single -> single.Length = 1))

[<Fact>]
let ``both blocks are drawn and about equally often`` () =
    let openings =
        Order.pairs (Order.random 1 "pairs") 400 |> List.chunkBySize 2 |> List.map List.head

    let abba = openings |> List.filter ((=) Order.CandidateFirst) |> List.length
    Assert.InRange(abba, 60, 140)

[<Fact>]
let ``the same seed and part give the same numbers and another seed or part gives others`` () =
    let numbers seed part =
        let random = Order.random seed part
        List.init 8 (fun _ -> random.Next())

    Assert.Equal<int list>(numbers 1 "rows", numbers 1 "rows")

    let all =
        [
            for seed in [ 0; 1; 2; 256; 65536; System.Int32.MaxValue ] do
                for part in [ ""; "rows"; "rows 1"; "swor" ] do
                    numbers seed part
        ]

    Assert.Equal(all.Length, (List.distinct all).Length)

[<Fact>]
let ``every second launch has the rows in the opposite order`` () =
    let rows = [ 1..7 ]

    for seed in 1..20 do
        for launch in 1..2..9 do
            let drawn = Order.rows seed launch rows
            Assert.Equal<int list>(rows, List.sort drawn)
            Assert.Equal<int list>(List.rev drawn, Order.rows seed (launch + 1) rows)

    Assert.True(List.length (List.distinct [ for launch in 1..2..9 -> Order.rows 1 launch rows ]) > 1)

[<Fact>]
let ``a shuffle keeps every item once and does change the order`` () =
    Laws.forEach 100 (Gen.two (Gen.choose (0, 30))) (fun (seed, count) ->
        let items = [ 1..count ]
        List.sort (Order.shuffle (Order.random seed "rows") items) = items)

    let orders =
        [ for seed in 1..50 -> Order.shuffle (Order.random seed "rows") [ 1..4 ] ]

    Assert.InRange((List.distinct orders).Length, 15, 24)
