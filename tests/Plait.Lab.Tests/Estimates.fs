// The estimate of a ratio: medians over launches, and an interval that draws launches first and then pairs.
module Plait.Lab.Tests.Estimates

open System
open FsCheck.FSharp
open Xunit

open Plait.Lab
open Plait.Tests.Support

let private random () = Order.random 1 "estimates"

let private estimate launches =
    Statistics.estimate (random ()) launches |> Option.get

let private ratios =
    Gen.choose (50, 200) |> Gen.map (fun percent -> float percent / 100.0)

let private launches =
    gen {
        let! count = Gen.choose (1, 5)
        let! pairs = Gen.choose (1, 7)
        return! Gen.listOfLength count (Gen.listOfLength pairs ratios)
    }

/// Values, and their median.
let private medians =
    [
        [ 3.0 ], 3.0
        [ 1.0; 2.0 ], 1.5
        [ 9.0; 1.0; 2.0 ], 2.0
        [ 4.0; 1.0; 2.0; 3.0 ], 2.5
        [ 1.0; 1.0; 100.0 ], 1.0
    ]

[<Fact>]
let ``the median is the middle, or half way between the two in the middle`` () =
    for values, expected in medians do
        Assert.Equal(expected, Statistics.median values)

    Assert.True(Double.IsNaN(Statistics.median []))

[<Fact>]
let ``the figure is the median over launches of the launch's median`` () =
    // The median of all pairs together would be 1.3.
    let found = estimate [ [ 1.0; 1.0; 1.0; 1.0; 9.0 ]; [ 1.2; 1.3 ]; [ 2.0 ] ]
    Assert.Equal(1.25, found.Median, 12)

    Assert.Equal<float list>(
        [ 1.0; 1.25; 2.0 ],
        found.Launches |> List.map (fun value -> Math.Round(value, 12))
    )

    Assert.Equal(8, found.Pairs)
    Assert.Equal(0.8, found.Spread, 12)

[<Fact>]
let ``an estimate needs a pair, and empty launches do not count`` () =
    Assert.True((Statistics.estimate (random ()) []).IsNone)
    Assert.True((Statistics.estimate (random ()) [ []; [] ]).IsNone)
    Assert.Equal(estimate [ [ 1.0; 2.0 ]; [ 3.0 ] ], estimate [ []; [ 1.0; 2.0 ]; []; [ 3.0 ] ])

[<Fact>]
let ``ratios that are all alike have an interval of no width and no spread`` () =
    let found = estimate [ [ 1.5; 1.5 ]; [ 1.5 ]; [ 1.5; 1.5; 1.5 ] ]
    Assert.Equal((1.5, 1.5, 1.5, 0.0), (found.Median, found.Low, found.High, found.Spread))

[<Fact>]
let ``the same seed gives the same interval and another seed a slightly different one`` () =
    let data =
        [
            for launch in 1..4 ->
                [ for pair in 1..9 -> 1.0 + float (launch * pair % 7) / 50.0 + float pair / 977.0 ]
        ]

    let under seed =
        Statistics.estimate (Order.random seed "x") data |> Option.get

    Assert.Equal(under 1, under 1)
    let intervals = [ for seed in 1..20 -> (under seed).Low, (under seed).High ]
    Assert.True((List.distinct intervals).Length > 1, "the seed changes nothing")
    Assert.Equal(1, intervals |> List.map (fun _ -> (under 1).Median) |> List.distinct |> List.length)

[<Fact>]
let ``the interval lies around the figure and within the values`` () =
    Laws.forEach 60 launches (fun launches ->
        let found = estimate launches
        let all = List.concat launches

        found.Low <= found.Median
        && found.Median <= found.High
        && List.min all <= found.Low
        && found.High <= List.max all)

[<Fact>]
let ``a cost that is twice as high has an estimate that is twice as high`` () =
    Laws.forEach 60 launches (fun launches ->
        let once = estimate launches
        let twice = estimate (launches |> List.map (List.map (fun ratio -> 2.0 * ratio)))

        abs (twice.Median - 2.0 * once.Median) < 1e-9
        && abs (twice.Low - 2.0 * once.Low) < 1e-9
        && abs (twice.High - 2.0 * once.High) < 1e-9
        && abs (twice.Spread - once.Spread) < 1e-9)

[<Fact>]
let ``launches that differ make a wider interval than pairs that differ`` () =
    let betweenPairs = [ for _ in 1..4 -> [ 0.90; 0.95; 1.0; 1.05; 1.10 ] ]

    let betweenLaunches =
        [ for value in [ 0.90; 0.95; 1.05; 1.10 ] -> List.replicate 5 value ]

    let width (found: Statistics.Estimate) = found.High - found.Low
    Assert.True(width (estimate betweenLaunches) > width (estimate betweenPairs))

[<Fact>]
let ``the interval holds the true ratio nearly always when there are enough launches`` () =
    let draw = Random 7

    let hits =
        [
            for trial in 1..100 do
                let data =
                    [
                        for _ in 1..12 do
                            let luck = 1.2 + 0.03 * (draw.NextDouble() + draw.NextDouble() - 1.0)
                            [ for _ in 1..5 -> luck + 0.02 * (draw.NextDouble() - 0.5) ]
                    ]

                let found = Statistics.estimate (Order.random trial "coverage") data |> Option.get
                found.Low <= 1.2 && 1.2 <= found.High
        ]
        |> List.filter id
        |> List.length

    Assert.InRange(hits, 85, 100)
