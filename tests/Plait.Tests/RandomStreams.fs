// Under test: random streams, read by random consumers: they see what the interpreter in direct style says.
module Plait.Tests.RandomStreams

open FsCheck
open FsCheck.FSharp
open Xunit

open Plait.Tests.Programs

let private number = Gen.choose (1, 9)

let private fails = Gen.frequency [ 6, Gen.constant false; 1, Gen.constant true ]

let private simple =
    Gen.frequency
        [
            5, Gen.map Script.Item number
            2, Gen.map Script.Note number
            3, Gen.map Script.Await (Gen.elements [ true; false ])
            1, Gen.map Script.Fail number
        ]

let rec private script (size: int) : Gen<Script> =
    if size <= 1 then
        simple
    else
        let part = script (size / 2)

        Gen.frequency
            [
                1, simple
                6, Gen.map2 (fun first second -> Script.Both(first, second)) part part
                2,
                Gen.map3
                    (fun kind turns body -> Script.Loop(kind, turns, body))
                    (Gen.choose (0, 4))
                    (Gen.choose (0, 2))
                    part
                2, Gen.map2 (fun body handler -> Script.Try(body, handler)) part part
                2, Gen.map3 (fun body note fails -> Script.Finally(body, note, fails)) part number fails
                2,
                gen {
                    let! isAsync = Gen.elements [ true; false ]
                    let! waits = Gen.elements [ true; false ]
                    let! note = number
                    let! fails = fails
                    let! body = part
                    return Script.Use(isAsync, waits, note, fails, body)
                }
                1, Gen.map Script.Sub part
                2, Gen.map Script.Each part
                1, Gen.map Script.Branch part
                1, Gen.map Script.Last part
            ]

let private cases =
    gen {
        let! size = Gen.choose (1, 40)
        let! script = script size
        let! takes = Gen.frequency [ 3, Gen.choose (0, 12); 1, Gen.constant 1000 ]
        let! cancels = Gen.frequency [ 2, Gen.constant 0; 1, Gen.choose (1, 8) ]
        return script, { Takes = takes; CancelsBehind = cancels }
    }

let rec private smaller (script: Script) : seq<Script> =
    seq {
        match script with
        | Script.Item _
        | Script.Note _
        | Script.Fail _
        | Script.Await _ -> ()
        | Script.Both(a, b) ->
            yield a
            yield b
            for a in smaller a -> Script.Both(a, b)
            for b in smaller b -> Script.Both(a, b)
        | Script.Try(a, b) ->
            yield a
            for a in smaller a -> Script.Try(a, b)
            for b in smaller b -> Script.Try(a, b)
        | Script.Loop(kind, turns, a) ->
            yield a
            for a in smaller a -> Script.Loop(kind, turns, a)
        | Script.Finally(a, note, fails) ->
            yield a
            for a in smaller a -> Script.Finally(a, note, fails)
        | Script.Use(isAsync, waits, note, fails, a) ->
            yield a
            for a in smaller a -> Script.Use(isAsync, waits, note, fails, a)
        | Script.Sub a ->
            yield a
            for a in smaller a -> Script.Sub a
        | Script.Each a ->
            yield a
            for a in smaller a -> Script.Each a
        | Script.Branch a ->
            yield a
            for a in smaller a -> Script.Branch a
        | Script.Last a ->
            yield a
            for a in smaller a -> Script.Last a
    }

let private check (count: int) =
    let arbitrary =
        Arb.fromGenShrink (
            cases,
            (fun (script, consumer) -> smaller script |> Seq.map (fun one -> one, consumer))
        )

    Check.One(
        Config.QuickThrowOnFailure.WithMaxTest(count),
        Prop.forAll arbitrary (fun (script, consumer) ->
            let expected = Script.expected script consumer

            for name, run in
                [ "static", Streams.StreamInterpreted.run; "dynamic", DynamicStreams.StreamInterpreted.run ] do
                let seen =
                    Within.result "The script" (Script.seen (fun world -> run world script) consumer)

                Assert.Equal($"{name}\n{expected}", $"{name}\n{seen}"))
    )

[<Fact>]
let ``a consumer of a random stream gets the items of its statements`` () = check 500

[<Fact; Trait("run", "more")>]
let ``a consumer of many random streams gets the items of their statements`` () = check 20_000
