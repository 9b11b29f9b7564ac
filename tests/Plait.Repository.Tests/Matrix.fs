// The bind matrices as F# source: every awaitable under every keyword that binds, and every two under `and!`, in a
// computation expression of one builder. Only the arguments say what they are.
module Plait.Repository.Tests.Matrix

open System

/// What the expressions of a builder may end in.
type Ending =
    | Value
    | Nothing

/// The text one level in.
let indented (text: string) =
    String.Join("\n", [ for line in text.Split '\n' -> "    " + line ])

/// The type of the source's result and the body; GIVE stands for how the builder ends.
let private valuedBodies =
    [
        "int", "let! y = x\nGIVE (y + 1)"
        "int", "let! y = x\nand! z = Task.FromResult \"\"\nGIVE (y + z.Length)"
        "int", "let! y = ValueTask<string> \"\"\nand! z = x\nand! w = x\nGIVE (y.Length + z + w)"
        "unit", "do! x\nGIVE 1"
        "Resource", "use! y = x\nGIVE y.Size"
        "AsyncResource", "use! y = x\nGIVE y.Size"
        "int option", "match! x with\n| Some n -> GIVE n\n| None -> GIVE 0"
        "bool", "while! x do\n    ()\nGIVE 1"
        "RESULT", "return! x"
    ]

let private unvaluedBodies =
    [
        "do! x\nGIVE 1"
        "let! () = x\nGIVE 1"
        "if Environment.HasShutdownStarted then\n    do! x\nGIVE 1"
        "let! () = x\nand! y = Task.FromResult 1\nand! () = x\nGIVE y"
        "match! x with\n| () -> GIVE 1"
        "do! x"
        "if Environment.HasShutdownStarted then do! x"
        "return! x"
    ]

/// The result of an expression, and what stands for `return` of a value.
let private ended (ending: Ending) =
    match ending with
    | Value -> "int", "return"
    | Nothing -> "unit", "return ignore"

/// Functions of these arguments and bodies. The builders take turns, one off in each round, so that each meets all bodies.
let private written (builders: string list) (bodies: (string * string) list) =
    let turn index =
        builders[(index + index / builders.Length) % builders.Length]

    String.Join(
        "\n",
        [
            for index, (arguments, body) in List.indexed bodies ->
                $"let f{index} {arguments} =\n    {turn index} {{\n{indented (indented body)}\n    }}\n"
        ]
    )

/// All functions of the matrix for builder expressions, which take turns.
let functions (builders: string list) (ending: Ending) =
    let result, give = ended ending

    written
        builders
        [
            for source in Awaitables.valued do
                for taken, body in valuedBodies ->
                    let source = source.Replace("RESULT", taken.Replace("RESULT", result))
                    $"(x: {source})", body.Replace("GIVE", give)
            for source in Awaitables.unvalued do
                for body in unvaluedBodies -> $"(x: {source})", body.Replace("GIVE", give)
        ]

/// `and!` of every source with every other, and of every source with two others, for builder expressions, which take turns.
let pairs (builders: string list) (ending: Ending) =
    let _, give = ended ending

    let argument name (source: string) (result: string) =
        $"""({name}: {source.Replace("RESULT", result)})"""

    written
        builders
        [
            for first in Awaitables.valued do
                let x = argument "x" first "int"

                for second in Awaitables.valued do
                    $"""{x} {argument "y" second "string"}""",
                    $"let! x = x\nand! y = y\n{give} (x + y.Length)"

                x, $"let! a = x\nand! b = x\nand! c = x\n{give} (a + b + c)"
        ]

let private given (source: string) (result: string) = source.Replace("RESULT", result)

/// Every source of a Result under every keyword of a builder of results.
let apart (builder: string) =
    written
        [ builder ]
        [
            for source in "RESULT" :: Awaitables.valued do
                let x = given source "Result<int, string>"
                $"(x: {x})", "let! y = x\nreturn y + 1"
                $"(x: {x})", "return! x"
                $"(x: {x})", "match! x with\n| 1 -> return 1\n| n -> return n"
                $"""(x: {given source "Result<unit, string>"})""", "do! x\nreturn 1"
        ]

/// `and!` of every source of a Result with every other source, of a Result and of a value, for builders of results, which take turns.
let apartTogether (builders: string list) =
    written
        builders
        [
            for source in "RESULT" :: Awaitables.valued do
                let x = given source "Result<int, string>"

                for other in "RESULT" :: Awaitables.valued do
                    $"""(x: {x}) (y: {given other "Result<string, string>"})""",
                    "let! x = x\nand! y = y\nreturn x + y.Length"

                for other in Awaitables.valued do
                    $"""(x: {x}) (y: {given other "string"})""", "let! y = y\nand! x = x\nreturn x + y.Length"
        ]

/// Every source under every keyword of a stream, and under `and!` with every other.
let items () =
    let given (source: string) (result: string) = source.Replace("RESULT", result)

    written
        [ "stream" ]
        [
            for source in Awaitables.valued do
                for result, body in
                    [
                        "int", "let! y = x\nyield y + 1"
                        "unit", "do! x\nyield 1"
                        "unit", "yield 1\ndo! x"
                        "Resource", "use! y = x\nyield y.Size"
                        "AsyncResource", "use! y = x\nyield y.Size"
                        "int option", "match! x with\n| Some n -> yield n\n| None -> ()"
                        "bool", "while! x do\n    yield 1"
                    ] do
                    $"(x: {given source result})", body

                for other in Awaitables.valued do
                    $"""(x: {given source "int"}) (y: {given other "string"})""",
                    "let! x = x\nand! y = y\nyield x + y.Length"

            for source in Awaitables.unvalued do
                $"(x: {source})", "do! x\nyield 1"
                $"(x: {source})", "let! () = x\nand! y = Task.FromResult 1\nyield y"

            for kind in [ "Task"; "ValueTask" ] do
                let start = $"Threading.CancellationToken -> {kind}"
                $"(x: {start}<int>)", "let! y = x\nyield y"
                $"(x: {start}<unit>)", "do! x\nyield 1"
                $"(x: {start})", "do! x\nyield 1"
                $"(x: {start})", "yield 1\ndo! x"
                $"(x: {start}<AsyncResource>)", "use! y = x\nyield y.Size"
                $"(x: {start}<bool>)", "while! x do\n    yield 1"

                for other in Awaitables.valued do
                    $"""(x: {start}<int>) (y: {given other "string"})""",
                    "let! x = x\nand! y = y\nyield x + y.Length"

                    $"""(x: {start}<int>) (y: {given other "string"})""",
                    "let! y = y\nand! x = x\nyield x + y.Length"

                for second in [ "Task"; "ValueTask" ] do
                    $"(x: {start}<int>) (y: Threading.CancellationToken -> {second}<string>)",
                    "let! x = x\nand! y = y\nyield x + y.Length"
        ]
