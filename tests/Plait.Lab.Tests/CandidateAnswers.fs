// What candidates answer: FizzBuzz, right and wrong programs, random programs. All ways of running all candidates must
// agree to the byte, and with what is written here.
module Plait.Lab.Tests.CandidateAnswers

open System.Text.Json
open Xunit

open Plait.Lab.Language
open Plait.Lab
open Plait.Tests.Support

let ids = Fleet.ids

[<Theory; MemberData(nameof ids)>]
let ``FizzBuzz is the 100 strings, byte for byte`` (id: string) =
    let body = (Fleet.ship id).Ask("""{"do":"body"}""").GetProperty("body").GetString()
    Assert.Equal(Program.expectedBody, body)

[<Fact>]
let ``the scenario and the language expect the same of FizzBuzz`` () =
    Assert.Equal<string list>(Program.expected, FizzBuzz.strings)
    Assert.Equal(Program.expectedBody, FizzBuzz.expected)
    Assert.Equal(100, FizzBuzz.strings.Length)
    Assert.Equal("fizzbuzz", FizzBuzz.strings[14])

[<Theory; InlineData false; InlineData true>]
let ``the scenario and the language count the same wrappers`` (syncFn: bool) =
    Assert.Equal(Program.wrappers syncFn, FizzBuzz.wrappers syncFn)

let private call moduleName name arguments =
    ECall(FnId.standard moduleName name, arguments)

let private int value = EInt(bigint (value: int))

let private percent left right =
    EBinary(left, FnId.standard "Int" "%", right)

let private equals left right =
    EBinary(left, FnId.standard "Int" "==", right)

let private range low high =
    call "Int" "range" [ int low; int high ]

let private id name =
    $"""["dark","stdlib","Int","{name}",0]"""

let private wrong name arguments parameters =
    $"""{{"error":"wrong argument types","function":{id name},"arguments":{arguments},"parameters":{parameters}}}"""

let private undefined name =
    $"""{{"error":"undefined variable","name":"{name}"}}"""

let private two = """["a: int","b: int"]"""
let private mapParameters = """["list: list of 'a","fn: 'a -> 'b"]"""

let private wrongMap arguments =
    $"""{{"error":"wrong argument types","function":["dark","stdlib","List","map",0],"arguments":{arguments},"parameters":{mapParameters}}}"""

/// A name, a program, and its value as JSON.
let private cases: (string * Expr * string) list =
    let secondIs expr =
        ELambda([ "i" ], EIf(equals (EVariable "i") (int 2), expr, EVariable "i"))

    [
        "unknown function",
        call "Int" "nope" [ int 1 ],
        $"""{{"error":"not a function","function":{id "nope"}}}"""
        "unknown version",
        ECall({ FnId.standard "Int" "%" with Version = 1 }, [ int 1; int 2 ]),
        """{"error":"not a function","function":["dark","stdlib","Int","%",1]}"""
        "unknown operator",
        EBinary(int 1, FnId.standard "Int" "nope", EVariable "x"),
        $"""{{"error":"not a function","function":{id "nope"}}}"""
        "wrong argument", call "Int" "toString" [ EString "a" ], wrong "toString" """["a"]""" """["a: int"]"""
        "too few arguments", call "Int" "%" [ int 1 ], wrong "%" "[1]" two
        "too many arguments", call "Int" "==" [ int 1; int 1; int 1 ], wrong "==" "[1,1,1]" two
        "no arguments", call "Int" "toString" [], wrong "toString" "[]" """["a: int"]"""
        "wrong operand", percent (EString "7") (int 2), wrong "%" """["7",2]""" two
        "wrong argument of a fetch",
        call "HttpClient" "get" [ int 1 ],
        """{"error":"wrong argument types","function":["dark","stdlib","HttpClient","get",0],"arguments":[1],"parameters":["url: string"]}"""
        "mapping no list", call "List" "map" [ int 1; ELambda([ "i" ], int 1) ], wrongMap "[1,null]"
        "mapping with no function", call "List" "map" [ range 1 2; int 3 ], wrongMap "[[1,2],3]"
        "mapping with two parameters",
        call "List" "map" [ range 1 2; ELambda([ "a"; "b" ], int 1) ],
        wrongMap "[[1,2],null]"
        "condition is an integer",
        EIf(int 1, int 2, int 3),
        """{"error":"condition is not a bool","condition":1}"""
        "condition is a list",
        EIf(range 1 2, int 2, int 3),
        """{"error":"condition is not a bool","condition":[1,2]}"""
        "condition is an error",
        EIf(EVariable "x", int 2, int 3),
        $"""{{"error":"condition is not a bool","condition":{undefined "x"}}}"""
        "undefined variable", EVariable "x", undefined "x"
        "the first of two errors", percent (EVariable "x") (EVariable "y"), undefined "x"
        "an error behind a value", call "Int" "range" [ int 1; EVariable "y" ], undefined "y"
        "an error that is named and not used", ELet("x", EVariable "y", int 1), "1"
        "an error inside a list", call "List" "map" [ range 1 3; secondIs (EVariable "x") ], undefined "x"
        "the first of two errors inside a list",
        call "List" "map" [ range 1 3; ELambda([ "i" ], EVariable "z") ],
        undefined "z"
        "an error inside a list inside a list",
        call
            "List"
            "map"
            [ range 1 2; ELambda([ "j" ], call "List" "map" [ range 1 3; secondIs (EVariable "x") ]) ],
        undefined "x"
        "division by zero", percent (int 7) (int 0), "0"
        "a negative remainder", percent (int -7) (int 3), "-1"
        "an empty range", range 3 1, "[]"
        "an integer of any size",
        percent (EInt(bigint.Pow(10I, 40))) (EInt(bigint.Pow(10I, 39) + 1I)),
        "999999999999999999999999999999999999991"
        "a function value", ELambda([ "i" ], int 1), "null"
        "the inner of two equal names", ELet("x", int 1, ELet("x", int 2, EVariable "x")), "2"
        "a captured name",
        ELet(
            "x",
            int 1,
            ELet(
                "f",
                ELambda([ "i" ], EVariable "x"),
                ELet("x", int 2, call "List" "map" [ range 1 2; EVariable "f" ])
            )
        ),
        "[1,1]"
        "a text with everything in it", EString "\"\\\n<é🧵", "\"\\\"\\\\\\n<é🧵\""
        "a list of two thousand",
        call "List" "map" [ range 1 2000; ELambda([ "i" ], equals (EVariable "i") (int 0)) ],
        "[" + String.concat "," (List.replicate 2000 "false") + "]"
    ]

let programs = TheoryData<string>(cases |> List.map (fun (name, _, _) -> name))

[<Theory; MemberData(nameof programs)>]
let ``a program has its value in every candidate`` (name: string) =
    let _, program, expected = cases |> List.find (fun (other, _, _) -> other = name)
    let answers = Fleet.answers program
    Assert.True(answers.Length = 1, $"they do not agree: %A{answers}")
    use expectedJson = JsonDocument.Parse expected
    let actual = fst answers.Head
    Assert.False(actual.StartsWith "error: ", actual)
    use actualJson = JsonDocument.Parse actual
    Assert.True(JsonElement.DeepEquals(expectedJson.RootElement, actualJson.RootElement), $"it is {actual}")

[<Fact>]
let ``a fetch that fails ends in the same sentence in every candidate`` () =
    let answers = Fleet.answers (call "HttpClient" "get" [ EString "nonsense" ])
    Assert.True(answers.Length = 1, $"they do not agree: %A{answers}")
    Assert.StartsWith("error: ", fst answers.Head)

[<Fact>]
let ``random programs evaluate alike in every candidate`` () =
    Laws.forAll 120 RandomExpr.programs (fun program ->
        match Fleet.answers program with
        | [ answer, _ ] -> not (answer.StartsWith "error: ")
        | answers -> failwith $"they do not agree: %A{answers}")

[<Fact>]
let ``random programs are of many kinds`` () =
    let sample =
        FsCheck.FSharp.Gen.sampleWithSeed (FsCheck.Rnd(1UL, 1UL)) 50 200 RandomExpr.programs.Generator

    let values =
        [ for program in sample -> Fleet.evaluate (Fleet.evaluation program) (Fleet.ship "sync") ]

    let some what =
        Assert.True(
            values |> List.exists (fun (value: string) -> value.Contains(what: string)),
            $"no value has {what}"
        )

    List.iter some [ "true"; "[1,2"; "not a function"; "not a bool"; "wrong argument"; "undefined" ]
