// Laws over random cases. The seed is fixed, so that a failure is the same on every machine; it is printed with it.
module Plait.Tests.Support.Laws

open FsCheck
open FsCheck.FSharp

/// The seed of all laws.
let seed = 20261121UL

/// Holds the law against `count` random cases; raises with the smallest counterexample.
let forAll (count: int) (cases: Arbitrary<'T>) (law: 'T -> bool) : unit =
    let config =
        Config.QuickThrowOnFailure
            .WithMaxTest(count)
            .WithReplay(Some { Rnd = Rnd(seed, 1UL ||| seed); Size = None })

    let labelled case = law case |> Prop.label $"seed {seed}"

    Check.One(config, Prop.forAll cases labelled)

/// The same without a way to make a case smaller.
let forEach (count: int) (cases: Gen<'T>) (law: 'T -> bool) : unit = forAll count (Arb.fromGen cases) law

/// Texts of any length with characters that formats trip over.
let texts: Gen<string> =
    let pieces =
        [
            "a"
            "Zz9"
            " "
            ","
            "\""
            "'"
            "\n"
            "\r\n"
            "\t"
            "\\"
            "<"
            ">"
            "&"
            "<!--"
            "-->"
            "</script>"
            "<script>"
            "{0}"
            "$1"
            "%d"
            "é"
            "纬"
            "🧵"
            "\u2028"
            "\u0000"
            "<!--PLAIT-RESULTS-->"
        ]

    Gen.listOf (Gen.elements pieces) |> Gen.map (List.truncate 12 >> String.concat "")
