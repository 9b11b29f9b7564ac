// Under test: what a builder binds, without an annotation and without a warning: every awaitable of the BCL, strands,
// asyncs, functions, and awaiters of every shape, under let!, do!, return!, use!, and!, match! and while!.
[<Xunit.Collection(Plait.Repository.Tests.Compiler.Collection)>]
module Plait.Repository.Tests.Binds

open Plait.Repository.Tests.Matrix
open Xunit

let private matrix (opened: string) (builder: string) (ending: Ending) =
    Compiler.silently (Awaitables.head + opened + "\n\n" + functions builder ending) |> ignore

[<Theory>]
[<InlineData("open Plait", "strand")>]
[<InlineData("open Plait\nopen Plait.Unsafe", "strand")>]
[<InlineData("open Plait", "Unsafe.Bare.strand")>]
[<InlineData("open Plait", "pooledValueTask")>]
[<InlineData("open Plait\nopen Plait.Unsafe", "pooledValueTask")>]
[<InlineData("open Plait", "pooledTask")>]
[<InlineData("open Plait", "valueTask")>]
[<InlineData("open Plait", "Guarded.strand")>]
[<InlineData("open Plait", "NonAffine.strand")>]
[<InlineData("open Plait", "NonAffine.pooledTask")>]
[<InlineData("open Plait", "Tasks.task")>]
let ``a builder with a result binds everything`` (opened: string, builder: string) =
    matrix opened builder Value

[<Theory>]
[<InlineData("open Plait", "pooledValueTaskUnit")>]
[<InlineData("open Plait", "Unsafe.pooledValueTaskUnit")>]
[<InlineData("open Plait", "pooledTaskUnit")>]
[<InlineData("open Plait", "valueTaskUnit")>]
[<InlineData("open Plait", "Tasks.taskUnit")>]
let ``a builder without a result binds everything`` (opened: string, builder: string) =
    matrix opened builder Nothing

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
[<InlineData "PooledValueTaskBuilder<Anywhere, Safe>()">]
[<InlineData "StrandBuilder<Anywhere>()">]
let ``a builder off the captured context binds everything`` (made: string) =
    matrix $"open Plait\nopen Plait.Kernel\n\nlet anywhere = {made}" "anywhere" Value

[<Theory>]
[<InlineData "Plait.StrandBuilders.strand">]
[<InlineData "Plait.PooledValueTaskBuilders.pooledValueTask">]
let ``a builder handed on by let binds everything in code that never opens Plait`` (builder: string) =
    matrix $"module Given =\n    let co = {builder}" "Given.co" Value
