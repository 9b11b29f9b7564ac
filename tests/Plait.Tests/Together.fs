// Under test: `and!`.
module Plait.Tests.Together

open System
open System.Collections.Concurrent
open System.Threading.Tasks
open Xunit

open Plait.Tests.Oracle
open Plait.Tests.Programs

let builders = Cases.builders
let buildersByKind = Cases.buildersByKind

let private orders =
    [
        for first in [ 0; 1; 2 ] do
            for second in [ 0; 1; 2 ] do
                if first <> second then
                    [ first; second; 3 - first - second ]
    ]

[<Theory; MemberData(nameof builders)>]
let ``all are started before the first is awaited, and the results come in order`` (builder: string) =
    let subject = Cases.subject builder

    for order in orders do
        let sources = [ for _ in 0..2 -> TaskCompletionSource<int>() ]
        let log = ConcurrentQueue<string>()

        let start n () =
            log.Enqueue $"start {n}"
            sources[n].Task

        let operation =
            subject.Three (start 0) (fun () -> ValueTask<int>(start 1 ())) (start 2) log.Enqueue

        Assert.Equal<string seq>([ "start 0"; "start 1"; "start 2" ], log)

        for n in order do
            Assert.False operation.IsCompleted
            sources[n].SetResult n

        Within.ended "It" operation
        Assert.Equal("0 1 2", Seq.last log)

/// How a program with sources in several statements ends. All sources of a statement are started.
let private expected (statements: (int * string) list) (manner: Manner) =
    let rec go (from: int) (statements: (int * string) list) =
        match statements with
        | [] -> [ "succeeded" ]
        | (count, line) :: rest ->
            let sources = [ for n in from .. from + count - 1 -> $"source {n}" ]

            if manner.Fails >= from && manner.Fails < from + count then
                sources
                @ [ (if manner.Cancels then "cancelled, with its token" else "faulted, by the source") ]
            else
                sources @ [ line ] @ go (from + count) rest

    String.concat "\n" (go 1 statements)

[<Theory; MemberData(nameof buildersByKind)>]
let ``and! takes five awaitables of five kinds`` (builder: string) (kind: string) =
    let subject = Cases.subject builder
    Cases.compare subject.Promise kind subject.Five (expected [ 5, "1 2 3 4 5" ])

[<Theory; MemberData(nameof buildersByKind)>]
let ``and! takes configured tasks, yields, strands, tasks, functions and types with ConfigureAwait``
    (builder: string)
    (kind: string)
    =
    let subject = Cases.subject builder
    Cases.compare subject.Promise kind subject.Mixed (expected [ 3, "1 2"; 3, "3 4 5"; 2, "6 7" ])

[<Theory; MemberData(nameof builders)>]
let ``if the left one fails, the right one is awaited and observed, and the left error wins``
    (builder: string)
    =
    let subject = Cases.subject builder
    let left = TaskCompletionSource<int>()
    let right = TaskCompletionSource<int>()
    let log = ConcurrentQueue<string>()
    let operation = subject.Caught left.Task right.Task log.Enqueue
    left.SetException(InvalidOperationException "left")
    Assert.False operation.IsCompleted
    Assert.Empty log
    right.SetException(InvalidOperationException "right")
    Within.ended "It" operation
    Assert.Equal<string seq>([ "left"; "True True" ], log)

[<Theory; MemberData(nameof builders)>]
let ``if only the right one fails, its error is the result`` (builder: string) =
    let subject = Cases.subject builder
    let log = ConcurrentQueue<string>()
    let right = TaskCompletionSource<int>()
    let operation = subject.Caught (Task.FromResult 1) right.Task log.Enqueue
    right.SetException(InvalidOperationException "right")
    Within.ended "It" operation
    Assert.Equal<string seq>([ "right"; "True True" ], log)

[<Theory; MemberData(nameof builders)>]
let ``two pooled operations that both fail return to their pool`` (builder: string) =
    let subject = Cases.subject builder
    let source = ManualSource()
    let second = source.Next()
    let left = TaskCompletionSource<int>()
    let operation = subject.Two left.Task second ignore
    left.SetException(InvalidOperationException "left")
    source.Fail(InvalidOperationException "right")
    Assert.Equal("left", (Within.error "It" operation).Message)
    // taken, so that the source is free for its next use, under a new token
    Assert.False((source.Next()).IsCompleted)

/// A pooled operation whose one result has been taken.
let private usedUp () =
    let source = ManualSource()
    let operation = source.Next()
    source.Complete 1
    Assert.Equal(1, operation.Result)
    source.Next() |> ignore
    operation

[<Theory; MemberData(nameof builders)>]
let ``a pooled operation that was used up before is an error, and its neighbour is awaited first``
    (builder: string)
    =
    let subject = Cases.subject builder
    let left = TaskCompletionSource<int>()
    let operation = subject.Two left.Task (usedUp ()) ignore
    Assert.False operation.IsCompleted
    left.SetResult 1
    Assert.IsType<InvalidOperationException>(Within.error "It" operation) |> ignore

[<Theory; InlineData true; InlineData false>]
let ``pooled operations beside a consumed one return to their pool`` (ended: bool) =
    let uses: (ValueTask<int> -> ValueTask<int> -> ValueTask<int> -> Task) list =
        [
            fun stale second third ->
                (Plait.PooledValueTaskBuilders.pooledValueTask {
                    let! a = stale
                    and! b = second
                    and! c = third
                    return a + b + c
                })
                    .AsTask()
            fun stale second third ->
                (Plait.StrandBuilders.strand {
                    let! a = second
                    and! b = third
                    and! c = stale
                    return a + b + c
                })
                    .AsTask()
            fun stale second third ->
                Plait.Tasks.task {
                    let! a = second
                    and! b = stale
                    and! c = third
                    return a + b + c
                }
        ]

    for start in uses do
        let sources = [ ManualSource(); ManualSource() ]
        let operations = [ for source in sources -> source.Next() ]

        let complete () =
            for source in sources do
                source.Complete 1

        if ended then
            complete ()

        let task = start (usedUp ()) operations[0] operations[1]

        if not ended then
            Assert.False task.IsCompleted
            complete ()

        Assert.IsType<InvalidOperationException>(Within.error "It" task) |> ignore

        for operation in operations do
            Assert.Throws<InvalidOperationException>(fun () -> operation.Result |> ignore) |> ignore

[<Collection("alone")>]
type Unobserved() =

    static member Builders = Cases.builders

    [<Theory; MemberData(nameof Unobserved.Builders)>]
    member _.``no branch is left unobserved``(builder: string) =
        let subject = Cases.subject builder

        let fail () =
            let left = Foreign.Return(1, InvalidOperationException "of a branch")
            let right = Foreign.Return(1, InvalidOperationException "of a branch")

            Within.error "It" (Trace.start subject.Promise (fun () -> subject.Tasks left right ignore))
            |> ignore

        Observed.all "of a branch" fail
