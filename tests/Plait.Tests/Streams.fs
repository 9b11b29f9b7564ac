// Under test: `stream`: what a consumer sees of the items, of the end, of early stops, of errors and of its own misuse.
module Plait.Tests.Streams

open System
open System.Collections.Generic
open System.Linq
open System.Threading
open System.Threading.Tasks
open Plait
open Xunit

open Plait.Tests.Oracle
open Plait.Tests.Programs

/// The ways to compile a stream.
let builders =
    [| for name in [ Builders.Streams.name; Builders.DynamicStreams.name ] -> TheoryDataRow(box name) |]

let private itemsOf (builder: string) =
    if builder = Builders.Streams.name then
        Streams.StreamForms.items
    else
        DynamicStreams.StreamForms.items

let private logsOf (builder: string) =
    if builder = Builders.Streams.name then
        Streams.StreamForms.logs
    else
        DynamicStreams.StreamForms.logs

let private next (items: IAsyncEnumerator<'T>) : bool =
    Within.result "the next item" (items.MoveNextAsync().AsTask())

let private dispose (items: IAsyncEnumerator<'T>) : unit =
    Within.ended "the end" (items.DisposeAsync().AsTask())
    items.DisposeAsync().AsTask().GetAwaiter().GetResult()

/// All items, in order.
let private all (items: IAsyncEnumerable<'T>) : 'T list =
    Within.result "the stream" (items.ToListAsync().AsTask()) |> List.ofSeq

[<Theory; MemberData(nameof builders)>]
let ``a stream gives its items in order, at every enumeration, to LINQ and to loops`` (builder: string) =
    for name, expected, begins in itemsOf builder do
        for manner in Manner.succeeding do
            let given = Given manner
            let items = begins given

            let inLoop =
                pooledTask {
                    let seen = ResizeArray<int>()

                    for item in items do
                        seen.Add item

                    return List.ofSeq seen
                }

            Assert.Equal<int list>(expected, Within.result name inLoop)
            Assert.Equal<int list>(expected, all items)
            Assert.Equal<int list>(expected, all items)

[<Theory; MemberData(nameof builders)>]
let ``a consumer that stops has the finally blocks and disposals run, innermost first, and nothing else``
    (builder: string)
    =
    for name, taken, expected, begins in logsOf builder do
        for manner in Manner.succeeding do
            let given = Given manner
            let items = (begins given).GetAsyncEnumerator()
            let mutable left = taken

            while left > 0 do
                if next items then
                    given.Log $"item {items.Current}"
                    left <- left - 1
                else
                    given.Log "end"
                    left <- 0

            given.Log "stops"
            let before = given.Entries.Length
            dispose items
            let end' = given.Entries.Length
            dispose items
            Assert.False(next items, $"{name} goes on behind its end.")
            let entries = given.Entries
            Assert.Equal(end', entries.Length)
            Assert.True(before <= end')

            Assert.Equal(
                $"{name}, {manner}\n" + String.Join("\n", expected),
                $"{name}, {manner}\n" + String.Join("\n", entries)
            )

/// Starts a step, whose ValueTask is not yet awaited.
let private step (items: IAsyncEnumerator<'T>) : Task<bool> = items.MoveNextAsync().AsTask()

[<Fact>]
let ``each enumeration has locals of its own, and so have those that run at the same time`` () =
    let gates = Queue [ Gate(); Gate() ]
    let starts = ref 0

    let items =
        stream {
            starts.Value <- starts.Value + 1
            let gate = gates.Dequeue()
            let mutable sum = starts.Value * 10
            let! _ = gate
            sum <- sum + 1
            yield sum
            sum <- sum + 1
            yield sum
        }

    Assert.Equal(0, starts.Value)
    let waiting = gates.ToArray()
    let first = items.GetAsyncEnumerator()
    let second = items.GetAsyncEnumerator()
    Assert.Equal(0, starts.Value)
    let firstStep = step first
    let secondStep = step second
    waiting[1].Open()
    Assert.True(Within.result "the second" secondStep)
    Assert.False firstStep.IsCompleted
    waiting[0].Open()
    Assert.True(Within.result "the first" firstStep)
    Assert.Equal((11, 21), (first.Current, second.Current))
    Assert.True(next first && next second)
    Assert.Equal((12, 22), (first.Current, second.Current))
    dispose first
    Assert.False(next second)
    dispose second

    let numbers =
        stream {
            for n in 1..200 do
                if n % 10 = 0 then
                    do! Task.Yield()

                yield n
        }

    let sums =
        [ for _ in 1..8 -> Task.Run<int>(fun () -> numbers.SumAsync(CancellationToken.None).AsTask()) ]

    for sum in sums do
        Assert.Equal(20_100, Within.result "a sum" sum)

[<Theory; InlineData true; InlineData false>]
let ``an error is the result of the step, and the end of the stream`` (pending: bool) =
    let error = InvalidOperationException "of the stream"
    let log = ResizeArray<string>()

    let items =
        stream {
            try
                yield 1

                if pending then
                    do! Task.Yield()

                raise error
                yield 2
            finally
                log.Add "finally"
        }

    let one = items.GetAsyncEnumerator()
    Assert.True(next one)
    Assert.Same(error, Within.error "The step" (step one))
    Assert.Equal([ "finally" ], log)
    Assert.False(next one)
    dispose one
    Assert.Equal([ "finally" ], log)
    // from inside of another one, whose finally runs behind it
    let outer =
        stream {
            try
                yield! items
            finally
                log.Add "outer"
        }

    Assert.Same(error, Within.error "The outer one" (task { return! outer.CountAsync() }))
    Assert.Equal([ "finally"; "finally"; "outer" ], log)
    // a sequence that cannot even begin
    let none: IAsyncEnumerable<int> = Unchecked.defaultof<_>
    let broken = stream { yield! none }

    Assert.IsType<NullReferenceException>(Within.error "No sequence" (task { return! broken.CountAsync() }))
    |> ignore

[<Fact>]
let ``a disposal fails with the error of DisposeAsync or of the step, and the other disposals still run`` () =
    let log = ResizeArray<string>()
    let first, second, third = exn "first", exn "second", exn "third"

    let failing (pending: bool) (error: exn) =
        { new IAsyncDisposable with
            member _.DisposeAsync() =
                log.Add error.Message

                if pending then
                    ValueTask(
                        task {
                            do! Task.Yield()
                            raise error
                        }
                    )
                else
                    raise error
        }

    let items =
        stream {
            try
                use _a = failing false first

                try
                    use _b = failing true second

                    try
                        yield 1
                    finally
                        log.Add "finally"
                        raise third
                finally
                    log.Add "behind b"
            with _ ->
                log.Add "handler"
                yield 2
        }

    let stopped = items.GetAsyncEnumerator()
    Assert.True(next stopped)
    Assert.Same(first, Within.error "DisposeAsync" (stopped.DisposeAsync().AsTask()))
    Assert.Equal<string list>([ "finally"; "second"; "behind b"; "first" ], List.ofSeq log)
    dispose stopped
    log.Clear()
    // read to the end, the same error is caught
    Assert.Equal<int list>([ 1; 2 ], all items)
    Assert.Equal<string list>([ "finally"; "second"; "behind b"; "first"; "handler" ], List.ofSeq log)
    // an inner stream's, around which the outer one's finally runs
    log.Clear()

    let outer =
        stream {
            try
                try
                    yield! items
                with _ ->
                    log.Add "outer handler"
            finally
                log.Add "outer"
        }

    let stopped = outer.GetAsyncEnumerator()
    Assert.True(next stopped)
    Assert.Same(first, Within.error "DisposeAsync" (stopped.DisposeAsync().AsTask()))
    Assert.Equal<string list>([ "finally"; "second"; "behind b"; "first"; "outer" ], List.ofSeq log)

let private isBusy (error: exn) =
    Assert.IsType<InvalidOperationException> error |> ignore
    Assert.Contains("docs/errors/stream-busy.md", error.Message)

let private isConsumed (error: exn) =
    Assert.IsType<InvalidOperationException> error |> ignore
    Assert.Contains("docs/errors/consumed-twice.md", error.Message)

[<Fact>]
let ``a step or a DisposeAsync beside one that works is refused, and does no harm`` () =
    let gate = Gate()
    let log = ResizeArray<string>()

    let items =
        stream {
            try
                let! _ = gate
                yield 1
                yield 2
            finally
                log.Add "finally"
        }

    let one = items.GetAsyncEnumerator()
    let waiting = one.MoveNextAsync()
    isBusy (Within.error "A second step" (step one))
    isBusy (Within.error "DisposeAsync" (one.DisposeAsync().AsTask()))
    gate.Open()
    // there, but not taken
    isBusy (Within.error "A second step" (step one))
    Assert.True waiting.IsCompleted
    Assert.True(Within.result "the step" (waiting.AsTask()))
    Assert.Equal(1, one.Current)
    isConsumed (Within.error "A second await" (task { return! waiting }))
    Assert.True(next one)
    Assert.Equal(2, one.Current)
    isConsumed (Within.error "A late await" (task { return! waiting }))
    dispose one
    Assert.Equal([ "finally" ], log)
    isConsumed (Within.error "An await behind the end" (task { return! waiting }))
    // a step whose result nobody has taken: DisposeAsync takes it
    let dropped = items.GetAsyncEnumerator()
    let lost = dropped.MoveNextAsync()
    gate.Open()
    Assert.True lost.IsCompleted
    dispose dropped
    Assert.Equal([ "finally"; "finally" ], log)
    isConsumed (Within.error "It" (task { return! lost }))

[<Fact>]
let ``an enumerator that was disposed reaches no later enumeration`` () =
    let items =
        stream {
            yield 1
            do! Task.Yield()
            yield 2
        }

    let old = [ for _ in 1..4 -> items.GetAsyncEnumerator() ]

    for one in old do
        Assert.True(next one && next one)
        dispose one

    let current = [ for _ in 1..8 -> items.GetAsyncEnumerator() ]

    for one in current do
        Assert.True(next one)

    for one in old do
        dispose one
        Assert.False(next one)
        Assert.Equal(0, one.Current)

    for one in current do
        Assert.True(next one)
        Assert.Equal(2, one.Current)
        Assert.False(next one)
        dispose one

[<Fact>]
let ``after the end an enumerator holds no item`` () =
    let plain = stream { yield "a" }

    let tail =
        stream {
            yield "a"
            yield! plain
        }

    let inside =
        stream {
            yield! plain
            yield "b"
            do! Task.Yield()
        }

    let failing =
        stream {
            yield "a"
            failwith "it ends"
        }

    for items in [ plain; tail; inside ] do
        let one = items.GetAsyncEnumerator()

        while next one do
            Assert.NotNull one.Current

        Assert.Null one.Current
        Assert.False(next one)
        Assert.Null one.Current
        dispose one

    let one = failing.GetAsyncEnumerator()
    Assert.True(next one)
    Assert.Equal("it ends", (Within.error "The step" (step one)).Message)
    Assert.Null one.Current
    dispose one

[<Fact>]
let ``nothing runs ahead of the consumer`` () =
    let log = ResizeArray<int>()

    let inner =
        stream {
            for n in 1..3 do
                log.Add n
                do! Task.Yield()
                yield n
        }

    let items =
        stream {
            yield! inner

            for n in inner do
                yield n
        }

    let one = items.GetAsyncEnumerator()

    for n in 1..6 do
        Assert.Equal(n - 1, log.Count)
        Assert.True(next one)
        Assert.Equal(n, log.Count)

    Assert.False(next one)
    dispose one
