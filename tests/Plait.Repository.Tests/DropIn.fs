// Under test: `open Plait.Tasks` is all it takes to leave FSharp.Core's `task`. Whatever compiles under that without an
// annotation compiles under ours, to functions of the same types.
[<Xunit.Collection(Plait.Repository.Tests.Compiler.Collection)>]
module Plait.Repository.Tests.DropIn

open Xunit

[<Fact>]
let ``code for FSharp.Core's task has the same type under ours`` () =
    use theirs = Compiler.silently (Batch.file "" [ "task" ] TaskCode.snippets)

    use ours =
        Compiler.silently (Batch.file "open Plait.Tasks" [ "task" ] TaskCode.snippets)

    Assert.NotEmpty(TaskCode.functions theirs)
    Assert.Contains(ours.MainModule.AssemblyReferences, fun one -> one.Name = "Plait")
    TaskCode.sameTypes (TaskCode.functions theirs) (TaskCode.functions ours)
