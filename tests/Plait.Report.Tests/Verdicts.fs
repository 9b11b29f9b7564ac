// The word for an interval: by its ends against the margin.
module Plait.Report.Tests.Verdicts

open FsCheck.FSharp
open Xunit

open Plait.Report
open Plait.Report.Verdict
open Plait.Tests.Support

/// Low, high, and the word with a margin of one eighth, which floating point holds exactly.
let private cases =
    [
        0.5, 0.6, "faster"
        0.5, 0.874, "faster"
        0.5, 0.875, "unresolved"
        0.875, 1.125, "same"
        1.0, 1.0, "same"
        0.874, 1.0, "unresolved"
        1.0, 1.126, "unresolved"
        1.125, 1.3, "unresolved"
        1.126, 1.3, "slower"
        0.5, 1.5, "unresolved"
        1.05, 1.10, "same"
    ]

[<Fact>]
let ``each place of an interval has its verdict`` () =
    for low, high, expected in cases do
        Assert.Equal<string>(expected, ofInterval 0.125 low high |> word)

[<Fact>]
let ``the verdict never contradicts the interval`` () =
    let ends = Gen.choose (0, 300) |> Gen.map (fun percent -> float percent / 100.0)

    Laws.forEach 500 (Gen.three ends) (fun (a, b, margin) ->
        let low, high, margin = min a b, max a b, margin / 4.0

        match ofInterval margin low high with
        | Faster -> high < 1.0 - margin
        | Slower -> low > 1.0 + margin
        | Same -> 1.0 - margin <= low && high <= 1.0 + margin
        | NotJudged -> false
        | Unresolved ->
            high >= 1.0 - margin && low <= 1.0 + margin && (low < 1.0 - margin || high > 1.0 + margin))

[<Fact>]
let ``an unknown interval has no certain verdict`` () =
    Assert.Equal(Unresolved, ofInterval 0.03 nan nan)
