// Combinators: nothing beside the array of results, where the operations have ended and, pooled, where they are pending.
module Plait.Allocation.Tests.Combinators

open System
open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp
open Xunit

/// Widths of a call.
let widths: TheoryData<int> = TheoryData<int>(2, 4, 16)

let private consume (task: ValueTask<'T>) = task.Result |> ignore<'T>

/// What an array of results costs.
let private arrayOf (width: int) =
    Bytes.perOperation (fun () -> GC.KeepAlive(Array.zeroCreate<int> width))

/// Operations that wait, in memory that is used again.
type private Waiting(width: int) =
    let sources = Array.init width (fun _ -> Source())
    let operations: ValueTask<int>[] = Array.zeroCreate width

    member _.Next() =
        for index in 0 .. width - 1 do
            operations[index] <- sources[index].Next()

        operations

    member _.Complete() =
        for source in sources do
            source.Complete()

[<Theory; MemberData(nameof widths)>]
let ``whenAll of operations that have ended allocates the array of results`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let ended = Array.init width ValueTask<int>
    let tasks = Array.init width Task.FromResult
    let strands = Array.init width Strand<int>.Of
    let expected = arrayOf width

    Assert.Equal(expected, Bytes.perOperation (fun () -> consume (PooledValueTask.whenAll ended)))
    Assert.Equal(expected, Bytes.perOperation (fun () -> consume (ValueTask.whenAll ended)))

    Assert.Equal(expected, Bytes.perOperation (fun () -> (Strand.whenAll strands).Result |> ignore<int[]>))

    // and the Task itself
    Assert.InRange(
        Bytes.perOperation (fun () -> (Plait.Task.whenAll tasks).Result |> ignore<int[]>),
        expected,
        expected + 72.
    )

[<Theory; MemberData(nameof widths)>]
let ``whenAll of pending operations, pooled, allocates the array of results`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let waiting = Waiting width

    let bytes =
        Bytes.perOperation (fun () ->
            let all = PooledValueTask.whenAll (waiting.Next())
            waiting.Complete()
            consume all)

    Assert.Equal(arrayOf width, bytes)

[<Theory; MemberData(nameof widths)>]
let ``whenAll of pending tasks allocates less than Task.WhenAll`` (width: int) =
    Bytes.onlyWhenOptimised ()

    let measured (whenAll: Task<int>[] -> Task<int[]>) =
        Bytes.perOperation (fun () ->
            let sources = Array.init width (fun _ -> TaskCompletionSource<int>())
            let all = whenAll (sources |> Array.map _.Task)

            for source in sources do
                source.SetResult 1

            all.Result |> ignore<int[]>)

    let ours = measured Plait.Task.whenAll
    let theirs = measured Task.WhenAll

    TestContext.Current.TestOutputHelper
    |> Option.ofObj
    |> Option.iter _.WriteLine($"{ours} of {theirs}")

    Assert.True(ours <= theirs, $"{ours} B, and Task.WhenAll {theirs} B")

[<Theory; MemberData(nameof widths)>]
let ``sixty-four whenAll in flight allocate their arrays of results`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let waiting = Array.init 64 (fun _ -> Waiting width)
    let all: ValueTask<int[]>[] = Array.zeroCreate 64

    let bytes =
        Bytes.perOperation (fun () ->
            for index in 0..63 do
                all[index] <- PooledValueTask.whenAll (waiting[index].Next())

            for index in 0..63 do
                waiting[index].Complete()
                consume all[index])

    Assert.Equal(64. * arrayOf width, bytes)

[<Theory; MemberData(nameof widths)>]
let ``whenAny, its losers and all, allocates nothing`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let waiting = Waiting width

    let pending =
        Bytes.perOperation (fun () ->
            let any = PooledValueTask.whenAny (waiting.Next())
            waiting.Complete()
            consume any)

    let ended = Array.init width ValueTask<int>
    Assert.Equal(0., pending)
    Assert.Equal(0., Bytes.perOperation (fun () -> consume (PooledValueTask.whenAny ended)))

[<Theory; MemberData(nameof widths)>]
let ``a throttle allocates the array of results and the enumerator`` (width: int) =
    Bytes.onlyWhenOptimised ()
    let source = Source()
    let starts = Array.init width (fun _ -> fun () -> source.Next())

    let enumerator =
        Bytes.perOperation (fun () -> (starts :> seq<_>).GetEnumerator().Dispose())

    let bytes =
        Bytes.perOperation (fun () ->
            let all = PooledValueTask.sequential starts

            for _ in 1..width do
                source.Complete()

            consume all)

    Assert.Equal(arrayOf width + enumerator, bytes)

[<Fact>]
let ``the combinators of one operation allocate nothing, whether it has ended or is pending`` () =
    Bytes.onlyWhenOptimised ()
    let source = Source()
    let next = Func<int, ValueTask<int>>(fun _ -> ValueTask<int> 1)

    let uses: (string * (ValueTask<int> -> unit -> unit)) list =
        let reading (start: ValueTask<int> -> ValueTask<'T>) =
            fun operation ->
                let task = start operation
                fun () -> consume task

        [
            "map", reading (PooledValueTask.map ((+) 1))
            "bind", reading (PooledValueTask.bind next.Invoke)
            "zip", reading (fun operation -> PooledValueTask.zip operation (ValueTask<int> 1))
            "ignore", reading PooledValueTask.ignore
            "catch", reading PooledValueTask.catch
            "catchWith", reading (PooledValueTask.catchWith (fun _ -> 0))
        ]

    for title, start in uses do
        // what the closure of this loop costs
        let closure =
            Bytes.perOperation (fun () ->
                let task = ValueTask<int> 1
                let read = fun () -> consume task
                read ())

        let pending =
            Bytes.perOperation (fun () ->
                let read = start (source.Next())
                source.Complete()
                read ())

        let ended =
            Bytes.perOperation (fun () ->
                let read = start (ValueTask<int> 1)
                read ())

        Assert.InRange(pending, 0., closure + 32.)
        Assert.Equal($"{title} {ended}", $"{title} {pending}")
