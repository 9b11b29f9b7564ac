// When a process is warm: the medians of the last three groups of three slices lie within two percent, or within what slices scatter.
module Plait.Lab.Tests.WarmUps

open FsCheck.FSharp
open Xunit

open Plait.Report
open Plait.Lab
open Plait.Tests.Support

/// A history, and whether it is flat.
let private cases =
    [
        "nothing", [], false
        "too short to tell", List.replicate 8 50.0, false
        "level", List.replicate 9 50.0, true
        "an outlier in each group", [ 50.; 90.; 50.; 50.; 20.; 50.; 90.; 50.; 50. ], true
        "two outliers in a group", [ 50.; 90.; 90.; 50.; 50.; 50.; 50.; 50.; 50. ], false
        "falling", [ for at in 0..8 -> 90.0 - 5.0 * float at ], false
        "rising", [ for at in 0..8 -> 50.0 + 5.0 * float at ], false
        "a step at the end", [ 60.; 60.; 60.; 60.; 60.; 60.; 50.; 50.; 50. ], false
        "a step long ago", List.replicate 20 90.0 @ List.replicate 9 50.0, true
        "within two percent", [ 50.; 50.; 50.; 50.9; 50.9; 50.9; 50.; 50.; 50. ], true
        "beyond two percent", [ 50.; 50.; 50.; 51.1; 51.1; 51.1; 50.; 50.; 50. ], false
        "within the scatter", [ 50.; 48.; 52.; 52.; 50.; 54.; 50.; 48.; 52. ], true
        "beyond the scatter", [ 50.; 49.; 51.; 53.; 52.; 54.; 50.; 49.; 51. ], false
        "scatter beyond all measure", [ 50.; 30.; 70.; 60.; 40.; 80.; 50.; 30.; 70. ], false
        "falling slowly", [ for at in 0..8 -> 100.0 - float at ], false
    ]

[<Fact>]
let ``a warm-up is flat if the last nine slices differ within two percent or the scatter`` () =
    for name, history, expected in cases do
        Assert.True((expected = SteadyState.isFlat history), name)

[<Fact>]
let ``only the last nine slices count and the unit does not matter`` () =
    let slices = Gen.choose (95, 105) |> Gen.map float

    Laws.forEach 200 (Gen.zip (Gen.listOf slices) (Gen.listOfLength 9 slices)) (fun (before, last) ->
        SteadyState.isFlat (before @ last) = SteadyState.isFlat last
        && SteadyState.isFlat (List.map (fun value -> 4.0 * value) last) = SteadyState.isFlat last)

[<Fact>]
let ``the change is known from nine slices on`` () =
    Assert.Equal(None, SteadyState.change (List.replicate 8 1.0))
    Assert.Equal(Some 1.0, SteadyState.change (List.replicate 6 1.0 @ List.replicate 3 2.0))

[<Fact>]
let ``a process is compiling while its compiler takes more than two percent of the last nine slices`` () =
    let slice (compiling: float option) : Slice =
        { MadeSlices.slice 100L 1000.0 with
            WallMicroseconds = 1000.0
            Counters = Map [ for time in Option.toList compiling -> Slice.Compiling, time ]
        }

    for name, history, expected in
        [
            "nothing", [], false
            "it does not tell", List.replicate 9 None, false
            "two percent", List.replicate 9 (Some 20.0), false
            "more than two percent", List.replicate 9 (Some 21.0), true
            "one method", Some 200.0 :: List.replicate 8 (Some 0.0), true
            "long ago", Some 900.0 :: List.replicate 9 (Some 0.0), false
            "a young process", [ Some 500.0; Some 0.0 ], true
        ] do
        Assert.True((expected = SteadyState.isCompiling (List.map slice history)), name)
