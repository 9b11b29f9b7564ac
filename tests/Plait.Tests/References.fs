// Under test: what is kept alive. A completed operation lets go of the machine's locals, its context and its awaiters; a
// consumed one of its result too.
namespace Plait.Tests

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests.Oracle
open Plait.Tests.Programs

[<Collection("alone")>]
type References() =
    static let dies (reference: WeakReference) =
        let mutable turns = 0

        while reference.IsAlive && turns < 10 do
            GC.Collect()
            GC.WaitForPendingFinalizers()
            turns <- turns + 1

        not reference.IsAlive

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static let start (begins: obj -> Gate -> 'T) (gate: Gate) =
        let kept = obj ()
        struct (WeakReference kept, begins kept gate)

    static let local = AsyncLocal<obj | null>()

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static let startInContext (begins: Gate -> 'T) (gate: Gate) =
        let kept = obj ()
        local.Value <- kept
        let operation = begins gate
        local.Value <- null
        struct (WeakReference kept, operation)

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static let result (take: unit -> obj) = WeakReference(take ())

    static member Builders = Cases.resultBuilders

    [<Fact>]
    member _.``a machine's locals die when it has completed, before its result is taken``() =
        let gate = Gate()
        let struct (local, operation) = start PooledValueTasks.Results.holding gate
        gate.Open()
        Assert.True(dies local, "A local of the completed machine is alive.")
        Assert.NotNull operation.Result

    [<Fact>]
    member _.``a strand's locals die with it: nothing that is pooled keeps them``() =
        let gate = Gate()

        let run () =
            let struct (local, operation) = start Strand.Results.holding gate
            gate.Open()
            Assert.NotNull operation.Result
            local

        let local = Within.thread "It" 0 run
        Assert.True(dies local, "A local of the strand outlives it.")

    static member Waits: TheoryData<string> =
        TheoryData<string>("Tasks.task", "pooledTask", "strand")

    [<Theory; MemberData(nameof References.Waits)>]
    member _.``an awaited operation is collected while the code waits for another one``(builder: string) =
        let gate = Gate()

        let wait (sources: Queue<Task<int>>) : Task =
            match builder with
            | "Tasks.task" ->
                Plait.Tasks.task {
                    let! x = sources.Dequeue()
                    let! y = gate
                    return x + y
                }
            | "pooledTask" ->
                pooledTask {
                    let! x = sources.Dequeue()
                    let! y = gate
                    return x + y
                }
            | _ ->
                (strand {
                    let! x = sources.Dequeue()
                    let! y = gate
                    return x + y
                })
                    .AsTask()

        let begun () =
            let first = TaskCompletionSource<int>()
            let operation = wait (Queue [ first.Task ])
            first.SetResult 1
            struct (WeakReference first.Task, operation)

        let mutable operation = Task.CompletedTask

        let first =
            Within.thread "It" 0 (fun () ->
                let struct (first, begun) = begun ()
                operation <- begun
                first)

        Assert.True(dies first, "What was awaited is alive.")
        Assert.False operation.IsCompleted
        gate.Open()
        Within.ended "It" operation

    [<Fact>]
    member _.``the context of a machine dies when it has completed``() =
        let gate = Gate()

        let struct (context, operation) =
            startInContext (fun gate -> PooledValueTasks.Results.behind gate 1) gate

        gate.Open()
        Assert.True(dies context, "The context of the completed machine is alive.")
        Assert.Equal(1, operation.Result)

    [<Fact>]
    member _.``the context of a strand dies when it has completed``() =
        let gate = Gate()

        let struct (context, operation) =
            startInContext (fun gate -> Strand.Results.behind gate 1) gate

        gate.Open()
        Assert.True(dies context, "The context of the completed strand is alive.")
        Assert.Equal(1, operation.Result)

    [<Fact>]
    member _.``a result dies when it has been taken``() =
        let gate = Gate()
        let operation = PooledValueTasks.Results.holding (obj ()) gate
        gate.Open()
        let taken = result (fun () -> operation.Result)
        Assert.True(dies taken, "The result is alive in the pool.")

    [<Fact>]
    member _.``an error dies when it has been taken``() =
        let gate = Gate()

        let run () =
            gate.Error <- InvalidOperationException "to be forgotten"
            let operation = PooledValueTasks.Results.behind gate 1
            gate.Open()

            result (fun () ->
                try
                    operation.Result
                with error ->
                    error)

        let taken = Within.thread "It" 0 run
        gate.Error <- null
        Assert.True(dies taken, "The error is alive in the pool.")

    [<Theory; MemberData(nameof References.Builders)>]
    member _.``only the awaited operation keeps a waiting operation alive``(builder: string) =
        let subject = Cases.result builder
        let gate = Gate()

        let struct (local, operation) =
            start (fun kept gate -> subject.Holding(kept, gate)) gate

        GC.Collect()
        Assert.True local.IsAlive
        gate.Open()
        Assert.NotNull(Within.result "It" operation)
