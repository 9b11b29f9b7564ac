// Random programs: well typed in most places, so that they get far, and wrong in some. Integers are small, because a list
// is as long as its bounds are apart; nothing is fetched.
module Plait.Lab.Tests.RandomExpr

open FsCheck
open FsCheck.FSharp

open Plait.Lab.Language

/// What a part is meant to evaluate to.
type private Kind =
    | Number
    | Truth
    | Text
    | Items

let private kinds = Gen.elements [ Number; Number; Truth; Text; Items ]
let private names = Gen.elements [ "a"; "b"; "i"; "a name" ]

let private call moduleName name arguments =
    ECall(FnId.standard moduleName name, arguments)

let private leaf kind : Gen<Expr> =
    match kind with
    | Number
    | Truth -> Gen.choose (-4, 12) |> Gen.map (bigint >> EInt)
    | Text -> Gen.elements [ ""; "fizz"; "\"quoted\" \\ é 🧵" ] |> Gen.map EString
    | Items -> Gen.constant (call "Int" "range" [ EInt 1I; EInt 3I ])

let rec private program (kind: Kind) (scope: (string * Kind) list) (size: int) : Gen<Expr> =
    // Built when it is drawn: a generator of all programs would not end.
    let part kind =
        gen { return! program kind scope (size / 2) }

    let inScope =
        match scope |> List.filter (snd >> (=) kind) with
        | [] -> leaf kind
        | fitting -> Gen.elements fitting |> Gen.map (fst >> EVariable)

    let wrong =
        gen {
            let! other = kinds
            let! count = Gen.choose (0, 3)
            let! arguments = Gen.listOfLength count (part other)

            return!
                Gen.oneof
                    [
                        part other
                        Gen.constant (EVariable "unbound")
                        Gen.elements
                            [ "Int", "range"; "Int", "%"; "Int", "toString"; "List", "map"; "Int", "nope" ]
                        |> Gen.map (fun (moduleName, name) -> call moduleName name arguments)
                    ]
        }

    let binding =
        gen {
            let! name = names
            let! bound = kinds
            let! rhs = part bound

            let! body =
                program kind ((name, bound) :: List.filter (fst >> (<>) name) scope) (size / 2)

            return ELet(name, rhs, body)
        }

    let typed: Gen<Expr> =
        match kind with
        | Number ->
            Gen.map2
                (fun left right -> EBinary(left, FnId.standard "Int" "%", right))
                (part Number)
                (part Number)
        | Truth ->
            gen {
                let! left = part Number
                // Two random integers are hardly ever equal, so one part stands on both sides at times.
                let! right = Gen.oneof [ Gen.constant left; part Number ]
                return EBinary(left, FnId.standard "Int" "==", right)
            }
        | Text -> part Number |> Gen.map (fun number -> call "Int" "toString" [ number ])
        | Items ->
            let range =
                Gen.map2 (fun low high -> call "Int" "range" [ low; high ]) (part Number) (part Number)

            let map =
                gen {
                    let! list = part Items
                    let! item = names
                    let! result = kinds

                    let! parameters =
                        Gen.frequency [ 15, Gen.constant [ item ]; 1, Gen.elements [ []; [ "a"; "b" ] ] ]

                    let scope = (item, Number) :: List.filter (fst >> (<>) item) scope
                    let! body = program result scope (size / 2)
                    return call "List" "map" [ list; ELambda(parameters, body) ]
                }

            Gen.frequency [ 1, range; 2, map ]

    if size <= 0 then
        Gen.frequency [ 3, leaf kind; 3, inScope ]
    else
        Gen.frequency
            [
                1, leaf kind
                2, inScope
                6, typed
                2, binding
                2, Gen.map3 (fun test yes no -> EIf(test, yes, no)) (part Truth) (part kind) (part kind)
                1, wrong
            ]

/// The parts of a program that are programs.
let private parts (expr: Expr) : Expr list =
    match expr with
    | ELet(_, rhs, body) -> [ rhs; body ]
    | ECall(_, arguments) -> arguments
    | EBinary(left, _, right) -> [ left; right ]
    | ELambda(_, body) -> [ body ]
    | EIf(condition, yes, no) -> [ condition; yes; no ]
    | EInt _
    | EString _
    | EVariable _ -> []

let private withParts (expr: Expr) (parts: Expr list) : Expr =
    match expr, parts with
    | ELet(name, _, _), [ rhs; body ] -> ELet(name, rhs, body)
    | ECall(id, _), arguments -> ECall(id, arguments)
    | EBinary(_, id, _), [ left; right ] -> EBinary(left, id, right)
    | ELambda(parameters, _), [ body ] -> ELambda(parameters, body)
    | EIf _, [ condition; yes; no ] -> EIf(condition, yes, no)
    | _ -> expr

/// A part in its place, or one part made smaller.
let rec private shrink (expr: Expr) : Expr seq =
    seq {
        let parts = parts expr
        yield! parts

        for at in 0 .. parts.Length - 1 do
            for smaller in shrink parts[at] do
                withParts expr (List.updateAt at smaller parts)
    }

/// Programs of up to about a hundred nodes.
let programs: Arbitrary<Expr> =
    let any =
        gen {
            let! kind = kinds
            let! size = Gen.choose (1, 63)
            return! program kind [] size
        }

    Arb.fromGenShrink (any, shrink)
