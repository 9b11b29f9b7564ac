// The bind matrix as F# source: every awaitable, under every keyword that binds, in a computation expression of one
// builder. Only the argument says what it is.
module Plait.Repository.Tests.Matrix

open System

/// What the expressions of a builder may end in.
type Ending =
    | Value
    | Nothing

let private indented (text: string) =
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

/// All functions of the matrix for one builder expression.
let functions (builder: string) (ending: Ending) =
    let result, give =
        match ending with
        | Value -> "int", "return"
        | Nothing -> "unit", "return ignore"

    let bodies =
        [
            for source in Awaitables.valued do
                for taken, body in valuedBodies ->
                    source.Replace("RESULT", taken.Replace("RESULT", result)), body.Replace("GIVE", give)
            for source in Awaitables.unvalued do
                for body in unvaluedBodies -> source, body.Replace("GIVE", give)
        ]

    String.Join(
        "\n",
        [
            for index, (argument, body) in List.indexed bodies ->
                $"let f{index} (x: {argument}) =\n    {builder} {{\n{indented (indented body)}\n    }}\n"
        ]
    )
