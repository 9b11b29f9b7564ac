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

[<Theory>]
[<InlineData "strands">]
[<InlineData "machines">]
let ``twins, which take turns, bind everything`` (kernel: string) =
    matrix "open Plait" (List.find (fst >> (=) kernel) Builders.twins |> snd) Value

[<Fact>]
let ``twins without a result, which take turns, bind everything`` () =
    matrix
        "open Plait"
        [ "valueTaskUnit"; "pooledTaskUnit"; "Unsafe.pooledValueTaskUnit"; "Tasks.backgroundTaskUnit" ]
        Nothing

[<Fact>]
let ``builders whose module is opened bind everything`` () =
    matrix "open Plait\nopen Plait.Unsafe" [ "strand"; "pooledValueTask" ] Value

[<Fact>]
let ``and! takes every two sources`` () =
    let file =
        [
            "strand", Value
            "pooledValueTask", Value
            "pooledValueTaskUnit", Nothing
            "Tasks.task", Value
            "Tasks.taskUnit", Nothing
            "Tasks.backgroundTask", Value
        ]
        |> List.mapi (fun index (builder, ending) ->
            $"module M{index} =\n{indented (pairs builder ending)}\n")

    Compiler.silently (Awaitables.head + "open Plait\n\n" + String.concat "\n" file) |> ignore

[<Theory>]
[<InlineData "strandResult">]
[<InlineData "taskResult">]
[<InlineData "strandValidation">]
[<InlineData "pooledValueTaskValidation">]
let ``a builder of results takes every source of a Result apart`` (builder: string) =
    Compiler.silently (Awaitables.head + "open Plait\n\n" + apart builder) |> ignore

[<Fact>]
let ``builders off the captured context bind everything`` () =
    let made =
        "let pooled = PooledValueTaskBuilder<Anywhere, Safe>()\nlet stranded = StrandBuilder<Anywhere>()"

    matrix $"open Plait\nopen Plait.Kernel\n\n{made}" [ "pooled"; "stranded" ] Value

[<Fact>]
let ``builders handed on by let bind everything in code that never opens Plait`` () =
    let given =
        "module Given =\n"
        + indented
            "let co = Plait.StrandBuilders.strand\nlet pooled = Plait.PooledValueTaskBuilders.pooledValueTask"

    matrix given [ "Given.co"; "Given.pooled" ] Value
