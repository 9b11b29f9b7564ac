// Under test: `mapThrottled` over lists, arrays and sequences, and `mapThrottledAsync`, over every module.
module Plait.Tests.ThrottledMaps

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Threading
open System.Threading.Channels
open System.Threading.Tasks
open Plait
open Xunit

/// An asynchronous sequence that is made by hand; counts what was read and whether it was disposed.
type private Items(count: int, failsAt: int, waits: bool) =
    member val Read = 0 with get, set
    member val Disposed = 0 with get, set
    member val Token = CancellationToken.None with get, set

    interface IAsyncEnumerable<int> with
        member items.GetAsyncEnumerator token =
            items.Token <- token
            let mutable index = -1

            { new IAsyncEnumerator<int> with
                member _.Current = index

                member _.MoveNextAsync() =
                    ValueTask<bool>(
                        task {
                            if waits then
                                do! Task.Yield()

                            token.ThrowIfCancellationRequested()
                            index <- index + 1

                            if index = failsAt then
                                raise (InvalidOperationException "of the items")

                            items.Read <- items.Read + 1
                            return index < count
                        }
                    )

                member _.DisposeAsync() =
                    items.Disposed <- items.Disposed + 1
                    ValueTask()
            }

let families = Families.rowsWithUnits
let private named = Families.named

/// Every function over a count of items, of every kind.
let private ways (maps: Family) : (string * (int -> Mapping -> int -> Task<int[]>)) list =
    [
        "list", (fun limit mapping count -> maps.MapThrottled limit mapping ([ 0 .. count - 1 ] :> seq<int>))
        "array",
        (fun limit mapping count -> maps.MapThrottled limit mapping ([| 0 .. count - 1 |] :> seq<int>))
        "seq", (fun limit mapping count -> maps.MapThrottled limit mapping (Seq.init count id))
        "door", (fun limit mapping count -> maps.DoorMap limit mapping ([ 0 .. count - 1 ] :> seq<int>))
        "async", (fun limit mapping count -> maps.MapThrottledAsync limit mapping (Items(count, -1, true)))
        "async, there",
        (fun limit mapping count -> maps.MapThrottledAsync limit mapping (Items(count, -1, false)))
        "async door",
        (fun limit mapping count ->
            maps.DoorMapAsync CancellationToken.None limit mapping (Items(count, -1, true)))
    ]

[<Theory; MemberData(nameof families)>]
let ``the results are in order, and never more than the limit are in flight`` (name: string) =
    for title, map in ways (named name) do
        for limit in [ 1; 3; 100 ] do
            for count in [ 0; 1; 20 ] do
                let gate = obj ()
                let mutable flying = 0
                let mutable most = 0

                let change by =
                    lock gate (fun () ->
                        flying <- flying + by
                        most <- max most flying)

                let mapping item =
                    change 1

                    ValueTask<int>(
                        task {
                            do! Task.Yield()
                            change -1
                            return item * 2
                        }
                    )

                Assert.Equal<int>(
                    [| for item in 0 .. count - 1 -> item * 2 |],
                    Within.result title (map limit mapping count)
                )

                Assert.InRange(most, min 1 count, limit)

[<Theory; MemberData(nameof families)>]
let ``after a failure nothing is started, those in flight are awaited, and the first error in order is the result``
    (name: string)
    =
    for title, map in ways (named name) do
        for throws in [ false; true ] do
            let first = Counted()
            let started = ConcurrentQueue<int>()

            let mapping item =
                started.Enqueue item

                if item = 0 then first.Operation
                elif throws then raise (InvalidOperationException "of 1")
                else ValueTask<int>(Task.FromException<int>(InvalidOperationException "of 1"))

            let task = map 3 mapping 100
            Within.comes "the second is started" (fun () -> started.Count >= 2)
            Assert.False(task.IsCompleted, title)
            first.Complete 1
            Assert.Equal("of 1", (Within.error title task).Message)
            Assert.Equal<int list>([ 0; 1 ], List.ofSeq started)
            Assert.Equal(1, first.Taken)

[<Theory; MemberData(nameof families)>]
let ``an asynchronous sequence is read one item ahead at most, and disposed in each case`` (name: string) =
    let maps = named name

    // it fails
    for waits in [ false; true ] do
        let items = Items(10, 2, waits)
        let first = Counted()

        let task =
            maps.MapThrottledAsync
                5
                (fun item -> if item = 0 then first.Operation else ValueTask<int> 1)
                items

        Within.comes "the sequence is disposed" (fun () -> items.Disposed = 1)
        Assert.False task.IsCompleted
        first.Complete 1
        Assert.Equal("of the items", (Within.error "It" task).Message)

        // the error of an operation before it is first in order
        let items = Items(10, 2, waits)

        let task =
            maps.MapThrottledAsync 5 (fun _ -> raise (InvalidOperationException "of an item")) items

        Assert.Equal("of an item", (Within.error "It" task).Message)
        Assert.Equal(1, items.Read)
        Assert.Equal(1, items.Disposed)

        // one in flight, one that waits for a slot
        let items = Items(10, -1, waits)
        let source = Counted()

        let task =
            maps.MapThrottledAsync
                1
                (fun item -> if item = 0 then source.Operation else ValueTask<int> item)
                items

        Within.comes "the second item is read" (fun () -> items.Read = 2)
        Assert.False task.IsCompleted
        source.Complete 0
        Assert.Equal<int>([| 0..9 |], Within.result "It" task)
        Assert.Equal(1, items.Disposed)

    // its token
    use caller = new CancellationTokenSource()
    let items = Items(10, -1, true)

    let task =
        maps.DoorMapAsync
            caller.Token
            5
            (fun item ->
                caller.Cancel()
                ValueTask<int> item)
            items

    let error =
        Assert.IsAssignableFrom<OperationCanceledException>(Within.error "It" task)

    Assert.Equal(caller.Token, error.CancellationToken)
    Assert.True items.Token.IsCancellationRequested
    Assert.Equal(1, items.Disposed)

[<Theory; MemberData(nameof families)>]
let ``a failure ends the wait for an item that does not come`` (name: string) =
    let maps = named name

    for byCaller in [ false; true ] do
        use caller = new CancellationTokenSource()
        let channel = Channel.CreateUnbounded<int>()
        let first = TaskCompletionSource<int>()
        let second = Counted()

        let map =
            if byCaller then maps.DoorMapAsync caller.Token else maps.MapThrottledAsync

        let task =
            map
                4
                (fun item -> if item = 0 then ValueTask<int> first.Task else second.Operation)
                (channel.Reader.ReadAllAsync())

        Assert.True(channel.Writer.TryWrite 0)
        Assert.True(channel.Writer.TryWrite 1)
        Within.comes "both are read" (fun () -> channel.Reader.Count = 0)
        Assert.False task.IsCompleted

        if byCaller then
            caller.Cancel()
            first.SetResult 0
        else
            first.SetException(InvalidOperationException "of an item")

        second.Complete 1

        match Within.error "It" task with
        | :? OperationCanceledException as error when byCaller ->
            Assert.Equal(caller.Token, error.CancellationToken)
            Assert.True task.IsCanceled
        | error -> Assert.Equal((false, "of an item"), (byCaller, error.Message))

[<Theory; MemberData(nameof families)>]
let ``a failure does not hide behind an error of its cancellation`` (name: string) =
    let maps = named name
    let gate = TaskCompletionSource<bool>()
    let first = TaskCompletionSource<int>()
    let mutable disposed = 0

    let items =
        { new IAsyncEnumerable<int> with
            member _.GetAsyncEnumerator token =
                let mutable index = -1

                let registration =
                    token.Register(fun () ->
                        gate.SetResult true
                        raise (InvalidOperationException "of the callback"))

                { new IAsyncEnumerator<int> with
                    member _.Current = index

                    member _.MoveNextAsync() =
                        index <- index + 1
                        if index = 0 then ValueTask<bool> true else ValueTask<bool> gate.Task

                    member _.DisposeAsync() =
                        disposed <- disposed + 1
                        registration.DisposeAsync()
                }
        }

    let task = maps.MapThrottledAsync 4 (fun _ -> ValueTask<int> first.Task) items
    first.SetException(InvalidOperationException "of an item")
    Assert.Equal("of an item", (Within.error "It" task).Message)
    Assert.Equal(1, disposed)

[<Theory; MemberData(nameof families)>]
let ``wrong arguments are errors of the result`` (name: string) =
    let maps = named name
    let work: Mapping = fun _ -> failwith "not reached"

    for title, map in ways maps do
        Assert.IsType<ArgumentOutOfRangeException>(Within.error title (map 0 work 3)) |> ignore

    for task in
        [
            maps.MapThrottled 1 work Unchecked.defaultof<_>
            maps.MapThrottledAsync 1 work Unchecked.defaultof<_>
        ] do
        Assert.Equal("items", Assert.IsType<ArgumentNullException>(Within.error "It" task).ParamName)

    let torn =
        seq {
            yield 1
            raise (InvalidOperationException "of the sequence")
        }

    let task = maps.MapThrottled 2 (fun item -> ValueTask<int> item) torn
    Assert.Equal("of the sequence", (Within.error "It" task).Message)

[<Theory; MemberData(nameof families)>]
let ``many items that are done at once do not grow the stack`` (name: string) =
    for title, map in ways (named name) do
        let results = Within.result title (map 2 (fun item -> ValueTask<int> item) 20_000)
        Assert.Equal(20_000, results.Length)
        Assert.Equal(19_999, results[19_999])
