// Under test: random programs, interpreted by each builder and by C#'s `async Task`: the same trace. A program sets and
// reads the ambient value, yields, awaits, calls, tries, disposes, loops, throws, and does two things at once.
module Plait.Tests.RandomPrograms

open FsCheck
open FsCheck.FSharp
open Xunit

open Plait.Tests.Oracle
open Plait.Tests.Programs

let private kinds =
    [ Awaited.Task; Awaited.ValueTask; Awaited.Awaiter; Awaited.Plain ]

let private awaiting =
    gen {
        let! kind = Gen.elements kinds
        let! atOnce = Gen.elements [ true; false; false ]
        let! fails = Gen.frequency [ 6, Gen.constant false; 1, Gen.constant true ]
        return Await(kind, atOnce, fails) :> Step
    }

let private simple =
    Gen.frequency
        [
            3, Gen.choose (2, 9) |> Gen.map (fun value -> Set value :> Step)
            3, Gen.constant (Look() :> Step)
            2, Gen.constant (Pause() :> Step)
            4, awaiting
            1, Gen.constant (Throw() :> Step)
        ]

let rec private step (size: int) : Gen<Step> =
    if size <= 1 then
        simple
    else
        let body = steps (size / 2)

        Gen.frequency
            [
                4, simple
                2, body |> Gen.map (fun body -> Call body :> Step)
                2, body |> Gen.map (fun body -> CallThenRead body :> Step)
                1, body |> Gen.map (fun body -> Tail body :> Step)
                3, Gen.map2 (fun body handler -> Try(body, handler) :> Step) body body
                2, Gen.map2 (fun body written -> Finally(body, written) :> Step) body (Gen.choose (10, 19))
                2,
                gen {
                    let! pending = Gen.elements [ true; false ]
                    let! fails = Gen.frequency [ 5, Gen.constant false; 1, Gen.constant true ]
                    let! written = Gen.choose (20, 29)
                    let! body = body
                    return Using(pending, fails, written, body) :> Step
                }
                2, Gen.map2 (fun turns body -> Loop(turns, body) :> Step) (Gen.choose (1, 3)) body
                1, Gen.map2 (fun left right -> Both(left, right) :> Step) body body
            ]

and private steps (size: int) : Gen<Step[]> =
    gen {
        let! length = Gen.choose (0, 4)
        return! Gen.arrayOfLength length (step size)
    }

let private bodies (step: Step) : Step[] list =
    match step with
    | :? Call as step -> [ step.Body ]
    | :? CallThenRead as step -> [ step.Body ]
    | :? Tail as step -> [ step.Body ]
    | :? Try as step -> [ step.Body; step.Handler ]
    | :? Finally as step -> [ step.Body ]
    | :? Using as step -> [ step.Body ]
    | :? Loop as step -> [ step.Body ]
    | :? Both as step -> [ step.Left; step.Right ]
    | _ -> []

let private withBodies (step: Step) (bodies: Step[] list) : Step =
    match step, bodies with
    | :? Call, [ body ] -> Call body
    | :? CallThenRead, [ body ] -> CallThenRead body
    | :? Tail, [ body ] -> Tail body
    | :? Try, [ body; handler ] -> Try(body, handler)
    | (:? Finally as step), [ body ] -> Finally(body, step.Written)
    | (:? Using as step), [ body ] -> Using(step.Pending, step.Fails, step.Written, body)
    | (:? Loop as step), [ body ] -> Loop(step.Turns, body)
    | :? Both, [ left; right ] -> Both(left, right)
    | _ -> step

/// Smaller programs: without a step, with a step replaced by its body, with a smaller body.
let rec private shrink (program: Step[]) : Step[] seq =
    seq {
        for i in 0 .. program.Length - 1 do
            let put (middle: Step[]) =
                Array.concat [ program[.. i - 1]; middle; program[i + 1 ..] ]

            put [||]
            let inner = bodies program[i]

            for body in inner do
                put body

            for j in 0 .. inner.Length - 1 do
                for smaller in shrink inner[j] do
                    put [| withBodies program[i] (List.updateAt j smaller inner) |]
    }

/// Where a synchronous exception surfaces at the call it is seen earlier than by an await: such forms are not asked to
/// start two things, or to look around, between a call and its await.
let rec private withoutGap (program: Step[]) : Step[] =
    [|
        for step in program do
            let inner = bodies step |> List.map withoutGap

            match step with
            | :? CallThenRead -> Call inner.Head :> Step
            | :? Both ->
                for body in inner do
                    Call body
            | _ -> withBodies step inner
    |]

let private programs =
    Arb.fromGenShrink (Gen.sized (fun size -> steps (min size 16)), shrink)

let builders = Cases.builders

[<Theory; MemberData(nameof builders)>]
let ``a random program leaves the same trace in every builder as in C#`` (builder: string) =
    let subject = Cases.subject builder

    let sameTrace (program: Step[]) =
        let program = if subject.Promise.Captures then program else withoutGap program

        Cases.homes subject.Promise
        |> List.map (fun home ->
            let expected =
                ContextFlow.expected subject.Promise home false (fun world ->
                    Interpreter.Run(world, program))

            let actual =
                ContextFlow.observe subject.Promise home false (fun world -> subject.Interpret world program)

            expected = actual
            |> Prop.label $"{Step.Show program}\nexpected:\n{expected}\nactual:\n{actual}")
        |> List.reduce (.&.)

    Check.One(Config.QuickThrowOnFailure.WithMaxTest(100).WithEndSize 16, Prop.forAll programs sameTrace)
