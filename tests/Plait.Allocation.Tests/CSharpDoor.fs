// C# methods with the library's return types and method builders: a pooled value task allocates nothing for two
// suspensions, a pooled task 72 bytes, its Task; sources of pooled value tasks nothing.
module Plait.Allocation.Tests.CSharpDoor

open System
open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp
open Xunit

[<Fact>]
let ``two waits in a pooled value task allocate nothing`` () =
    Bytes.onlyWhenOptimised ()
    Assert.Equal(0.0, SuspendedBytes.gated PooledMethods.GateValue (fun task -> task.Result |> ignore))

    Assert.Equal(
        0.0,
        SuspendedBytes.gated PooledMethods.GateValueByAttribute (fun task -> task.Result |> ignore)
    )

[<Fact>]
let ``two waits in a pooled task allocate its Task`` () =
    Bytes.onlyWhenOptimised ()
    Assert.Equal(72.0, SuspendedBytes.gated PooledMethods.GateTask (fun task -> task.Result |> ignore))

    Assert.Equal(
        72.0,
        SuspendedBytes.gated PooledMethods.GateTaskByAttribute (fun task -> task.Result |> ignore)
    )

[<Fact>]
let ``two waits in a forgotten method allocate nothing`` () =
    Bytes.onlyWhenOptimised ()
    Assert.Equal(0.0, SuspendedBytes.gated PooledMethods.GateForgotten ignore)

[<Fact>]
let ``a method that does not wait allocates nothing`` () =
    Bytes.onlyWhenOptimised ()
    Assert.Equal(0.0, Bytes.perOperation (fun () -> PooledMethods.Sync(1).Result |> ignore))

/// Bytes of one operation that yields twice.
let private yielding (operation: unit -> ValueTask<int>) =
    let operation = Func<ValueTask<int>> operation
    Bytes.perOperationOfAll 20000 (fun count -> Loops.Run(operation, count).Wait())

[<Fact>]
let ``two yields in a pooled value task allocate nothing`` () =
    Bytes.onlyWhenOptimised ()
    Assert.InRange(yielding (fun () -> PooledMethods.YieldValue().AsValueTask()), -1.0, 1.0)
    Assert.InRange(yielding PooledMethods.YieldValueByAttribute, -1.0, 1.0)

[<Fact>]
let ``two yields in a pooled task allocate its Task`` () =
    Bytes.onlyWhenOptimised ()
    Assert.InRange(yielding (fun () -> ValueTask<int>(PooledMethods.YieldTask().AsTask())), 71.0, 73.0)
    Assert.InRange(yielding (fun () -> ValueTask<int>(PooledMethods.YieldTaskByAttribute())), 71.0, 73.0)

[<Fact>]
let ``a pooled source that is set by hand allocates nothing`` () =
    Bytes.onlyWhenOptimised ()

    let bytes =
        Bytes.perOperation (fun () ->
            let source = PooledValueTaskSource<int>.Create()
            let task = source.Task
            source.SetResult 1
            task.Result |> ignore)

    Assert.Equal(0.0, bytes)

[<Fact>]
let ``a source over a Task allocates the Task, and an unread lazy one nothing`` () =
    Bytes.onlyWhenOptimised ()
    let completed = ValueTaskCompletionSource<int>.Create

    Assert.Equal(
        72.0,
        Bytes.perOperation (fun () ->
            let source = completed ()
            source.SetResult 1
            source.Task.Result |> ignore)
    )

    Assert.Equal(
        0.0,
        Bytes.perOperation (fun () ->
            use source = LazyTaskCompletionSource<int>.Create()
            source.SetResult 1
            source.Task.Result |> ignore)
    )
