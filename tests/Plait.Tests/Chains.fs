// Under test: operations that wait for each other. The end of the innermost resumes all of them on one stack; whoever caused
// it finds the contexts of its thread as they were, and each operation continues in its own.
module Plait.Tests.Chains

open System.Threading
open System.Threading.Tasks
open Xunit
open Plait

let private place = AsyncLocal<string>()

/// Waits, and leaves other contexts behind; gives what it has seen behind its wait.
type private Level = ValueTask<string list> -> ValueTask<string list>

let private levels: (string * Level) list =
    let seen (below: string list) =
        let found = place.Value
        place.Value <- "changed"
        SynchronizationContext.SetSynchronizationContext(SynchronizationContext())
        found :: below

    [
        "pooledValueTask",
        (fun below ->
            pooledValueTask {
                place.Value <- $"level {place.Value}"
                let! result = below
                return seen result
            })
        "strand",
        (fun below ->
            (strand {
                place.Value <- $"level {place.Value}"
                let! result = below
                return seen result
            })
                .AsValueTask())
        "valueTask",
        (fun below ->
            valueTask {
                place.Value <- $"level {place.Value}"
                let! result = below
                return seen result
            })
        "Plait.Tasks.task",
        (fun below ->
            ValueTask<string list>(
                Plait.Tasks.task {
                    place.Value <- $"level {place.Value}"
                    let! result = below
                    return seen result
                }
            ))
    ]

let pairs =
    [|
        for outer, _ in levels do
            for inner, _ in levels do
                TheoryDataRow [| box outer; box inner |]
    |]

[<Theory; MemberData(nameof pairs)>]
let ``the thread that completes an operation keeps its contexts, and each waiter has its own``
    (outer: string)
    (inner: string)
    =
    let level name =
        levels |> List.find (fst >> (=) name) |> snd

    Within.thread "The chain" 0 (fun () ->
        let source = PooledValueTaskSource<string list>.Create()
        place.Value <- "A"
        let below = level inner source.Task
        Assert.Equal("A", place.Value)
        place.Value <- "B"
        let chain = level outer below
        let top = (level outer chain).AsTask()
        place.Value <- "mine"
        let home = SynchronizationContext()
        SynchronizationContext.SetSynchronizationContext home
        source.SetResult []
        Assert.Equal("mine", place.Value)
        Assert.Same(home, SynchronizationContext.Current)
        Assert.Equal<string list>([ "level B"; "level B"; "level A" ], Within.result "The chain" top))
    |> ignore

[<Fact>]
let ``a chain of a hundred thousand that all wait ends on any stack`` () =
    let source = PooledValueTaskSource<int>.Create()
    let depth = 100_000
    let mutable chain = source.Task

    for _ in 1..depth do
        let below = chain

        chain <-
            pooledValueTask {
                let! value = below
                return value + 1
            }

    let top = chain.AsTask()
    Within.thread "A small stack" (256 * 1024) (fun () -> source.SetResult 0) |> ignore
    Assert.Equal(depth, Within.result "The chain" top)

/// The frames on the stack that put an execution context on the thread and call a delegate.
let private contextsOnStack () =
    System.Diagnostics.StackTrace().GetFrames()
    |> Array.filter (fun frame ->
        match frame.GetMethod() with
        | null -> false
        | called -> called.DeclaringType = typeof<ExecutionContext>)
    |> Array.length

/// How many of them the outermost of a chain has below it.
let private contextsBelow depth =
    let source = PooledValueTaskSource<int>.Create()
    let mutable chain = source.Task
    let mutable seen = 0

    for level in 1..depth do
        let below = chain

        chain <-
            pooledValueTask {
                let! value = below

                if level = depth then
                    seen <- contextsOnStack ()

                return value
            }

    let top = chain.AsTask()
    source.SetResult 1
    Assert.Equal(1, Within.result "The chain" top)
    seen

[<Fact>]
let ``a chain enters contexts once, however long it is`` () =
    Assert.Equal(contextsBelow 1, contextsBelow 20)
