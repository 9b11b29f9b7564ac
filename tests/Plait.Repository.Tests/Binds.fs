// Under test: what a builder binds, without an annotation and without a warning: every awaitable of the BCL, strands,
// asyncs, functions, and awaiters of every shape, under let!, do!, return!, use!, and!, match! and while!.
[<Xunit.Collection(Plait.Repository.Tests.Compiler.Collection); Xunit.Trait("run", "more")>]
module Plait.Repository.Tests.Binds

open Plait.Repository.Tests.Matrix
open Xunit

let private matrix (opened: string) (builders: string list) (ending: Ending) =
    Compiler.silently (Awaitables.head + opened + "\n\n" + functions builders ending)
    |> ignore

[<Theory>]
[<InlineData "strand">]
[<InlineData "pooledValueTask">]
[<InlineData "Tasks.task">]
[<InlineData "strandResult">]
[<InlineData "pooledValueTaskResult">]
[<InlineData "taskValidation">]
let ``a builder with a result binds everything`` (builder: string) = matrix "open Plait" [ builder ] Value

[<Theory>]
[<InlineData "pooledValueTaskUnit">]
[<InlineData "Tasks.taskUnit">]
let ``a builder without a result binds everything`` (builder: string) =
    matrix "open Plait" [ builder ] Nothing

/// Twins as users write them, where a module that replaces builders is opened, and builders that users make for any context.
let private twins =
    [
        "strands", [ "strand"; "Guarded.strand"; "Bare.strand"; "NonAffine.strand"; "stranded" ]
        "machines",
        [
            "pooledValueTask"
            "Plait.ValueTaskBuilders.valueTask"
            "Plait.PooledTaskBuilders.pooledTask"
            "NonAffine.valueTask"
            "pooledTask"
            "NonAffine.pooledValueTask"
            "valueTask"
            "NonAffine.pooledTask"
            "Tasks.backgroundTask"
            "pooled"
        ]
    ]

[<Theory>]
[<InlineData "strands">]
[<InlineData "machines">]
let ``twins, which take turns, bind everything`` (kernel: string) =
    let made =
        "let pooled = PooledValueTaskBuilder<Anywhere, Safe>()\nlet stranded = StrandBuilder<Anywhere>()"

    matrix
        $"open Plait\nopen Plait.Unsafe\nopen Plait.Kernel\n\n{made}"
        (List.find (fst >> (=) kernel) twins |> snd)
        Value

[<Fact>]
let ``twins without a result, which take turns, bind everything`` () =
    matrix "open Plait" Builders.unvaluedTwins Nothing

[<Fact>]
let ``and! takes every two sources, under builders with the members of another in turn`` () =
    let file =
        [
            [ "strand" ], Value
            [ "pooledValueTask" ], Value
            [ "Tasks.task" ], Value
            [ "pooledValueTaskUnit"; "Tasks.taskUnit"; "Tasks.backgroundTask" ], Nothing
        ]
        |> List.mapi (fun index (builders, ending) ->
            $"module M{index} =\n{indented (pairs builders ending)}\n")

    Compiler.silently (Awaitables.head + "open Plait\n\n" + String.concat "\n" file) |> ignore

[<Theory>]
[<InlineData("strandResult", "taskResult")>]
[<InlineData("strandValidation", "pooledValueTaskValidation")>]
let ``a builder of results takes every source of a Result apart, and two of them together in turn with another``
    (one: string)
    (other: string)
    =
    let file =
        [ apart one; apart other; apartTogether [ one; other ] ]
        |> List.mapi (fun index functions -> $"module M{index} =\n{indented functions}\n")

    Compiler.silently (Awaitables.head + "open Plait\n\n" + String.concat "\n" file) |> ignore

[<Fact>]
let ``a stream binds everything, and functions of a token`` () =
    Compiler.silently (Awaitables.head + "open Plait\n\n" + items ()) |> ignore

[<Fact>]
let ``builders handed on by let bind everything in code that never opens Plait`` () =
    let given =
        "module Given =\n"
        + indented
            "let co = Plait.StrandBuilders.strand\nlet pooled = Plait.PooledValueTaskBuilders.pooledValueTask"

    matrix given [ "Given.co"; "Given.pooled" ] Value
