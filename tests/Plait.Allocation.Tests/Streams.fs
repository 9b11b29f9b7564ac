// The bytes of streams: none an item, whether the code waits for it or not; a stream is one object.
module Plait.Allocation.Tests.Streams

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources
open Plait
open Xunit

/// An operation that completes when it is told to.
type private Manual() =
    let mutable core = ManualResetValueTaskSourceCore<int>()

    member source.Next() =
        core.Reset()
        ValueTask<int>(source, core.Version)

    member _.Complete() = core.SetResult 1

    interface IValueTaskSource<int> with
        member _.GetStatus token = core.GetStatus token
        member _.GetResult token = core.GetResult token

        member _.OnCompleted(continuation, state, token, flags) =
            core.OnCompleted(continuation, state, token, flags)

let private done' = Task.FromResult 1
let private array = [| 1..3 |]
let private list = [ 1..3 ]
let private some = ResizeArray [ 1; 2; 3 ]

let private started (_: CancellationToken) : Task<int> = done'
let private load (number: int) (_: CancellationToken) : ValueTask<int> = ValueTask<int> number

/// Too long for F# to write it into its caller.
[<MethodImpl(MethodImplOptions.NoInlining)>]
let private loadSlowly (number: int) (_: CancellationToken) : ValueTask<int> = ValueTask<int> number

/// Streams without an end, each of whose items is there at once.
let private endless: (string * IAsyncEnumerable<int>) list =
    [
        "while",
        stream {
            let mutable x = 0

            while true do
                yield x
                x <- x + 1
        }
        "await",
        stream {
            while true do
                let! x = done'
                yield x
                do! ValueTask()
                yield x
        }
        "loops, branches and use",
        stream {
            while true do
                for x in array do
                    if x > 1 then
                        yield x

                for x in list do
                    yield x

                for x in some do
                    yield x

                for x in Range(1, 4) do
                    yield x

                try
                    use _x: IDisposable | null = null
                    let! y = done'
                    and! z = done'
                    yield y + z
                finally
                    ()

                try
                    yield 1
                with _ ->
                    yield 2
        }
        "a function of a token by its name",
        stream {
            while true do
                let! x = started
                yield x
                let! y = load 2000
                yield y
        }
        "a lambda of a token that captures",
        stream {
            for x in Range(1, Int32.MaxValue) do
                let! y = fun (_: CancellationToken) -> ValueTask<int>(x + 1)
                yield x + y
        }
        "and! of two functions of a token",
        stream {
            for x in Range(1, Int32.MaxValue) do
                let! y = started
                and! z = fun (_: CancellationToken) -> ValueTask<int>(x + 1)
                yield x + y + z
        }
        "functions of a token with further arguments",
        stream {
            for x in Range(1, Int32.MaxValue) do
                let! y = loadSlowly x
                yield x + y
                let! y = done'
                and! z = loadSlowly x
                yield x + y + z
                let! y = loadSlowly x
                and! z = loadSlowly x
                yield y + z
        }
        "and! of functions of a token and of operations",
        stream {
            for x in Range(1, Int32.MaxValue) do
                let! y = done'
                and! z = load x
                yield x + y + z
                let! y = started
                and! z = done'
                and! a = fun (_: CancellationToken) -> ValueTask<int>(x + 1)
                yield x + y + z + a
        }
        "yield! of collections",
        stream {
            while true do
                yield! array
                yield! list
                yield! some
        }
    ]

let private within (items: IAsyncEnumerable<int>) : IAsyncEnumerable<int> = stream { yield! items }

let private without (items: IAsyncEnumerable<int>) =
    stream {
        yield! items
        yield 1
    }

let private looping (items: IAsyncEnumerable<int>) =
    stream {
        for x in items do
            yield x
            yield x
    }

let cases = [| for name, _ in endless -> TheoryDataRow(box name) |]

[<Theory; MemberData(nameof cases)>]
let ``an item that is there at once adds no byte, at any depth`` (name: string) =
    Bytes.onlyWhenOptimised ()
    let items = List.find (fst >> (=) name) endless |> snd

    for form in [ id; within; without; without >> within >> without; looping; looping >> without >> looping ] do
        for token in [ CancellationToken.None; (new CancellationTokenSource()).Token ] do
            let one = (form items).GetAsyncEnumerator token
            let mutable sum = 0

            let next () =
                if one.MoveNextAsync().Result then
                    sum <- sum + one.Current

            Assert.Equal(0.0, Bytes.perOperation next)
            one.DisposeAsync().AsTask().Wait()

/// Streams without an end whose code waits for each item.
let private waiting: (string * (Manual -> IAsyncEnumerable<int>)) list =
    [
        "an operation",
        fun source ->
            stream {
                while true do
                    let! x = source.Next()
                    yield x
            }
        "a function of a token",
        fun source ->
            stream {
                while true do
                    let! x = fun (_: CancellationToken) -> source.Next()
                    yield x
            }
    ]

let waits = [| for name, _ in waiting -> TheoryDataRow(box name) |]

[<Theory; MemberData(nameof waits)>]
let ``an item that the code waits for adds no byte`` (name: string) =
    Bytes.onlyWhenOptimised ()
    let source = Manual()
    let items = (List.find (fst >> (=) name) waiting |> snd) source

    for form in [ id; within; without; without >> without; looping ] do
        let one = (form items).GetAsyncEnumerator()
        let mutable taken = 0
        let mutable waited = 0

        let next () =
            let step = one.MoveNextAsync()

            // a loop that gives each item twice waits for every second one
            if not step.IsCompleted then
                waited <- waited + 1
                source.Complete()

            if step.GetAwaiter().GetResult() then
                taken <- taken + one.Current

        Assert.Equal(0.0, Bytes.perOperation next)
        Assert.True(waited >= taken / 2, $"It waited {waited} times for {taken} items.")

let private few (count: int) =
    stream {
        for x in Range(0, count) do
            yield x
    }

let private read (items: IAsyncEnumerable<int>) =
    let one = items.GetAsyncEnumerator()
    let mutable goes = true

    while goes do
        goes <- one.MoveNextAsync().Result

    one.DisposeAsync().GetAwaiter().GetResult()

[<Fact>]
let ``a stream is one object, with its parameters and locals, and a second enumeration a small one`` () =
    Bytes.onlyWhenOptimised ()
    // header 16, root and phases 16, machine: run and flag 16, state 4, count 4, position 8
    Assert.Equal(64.0, Bytes.perOperation (fun () -> read (few 3)))
    let again = few 3
    Assert.Equal(32.0, Bytes.perOperation (fun () -> read again))

    // stopped at the first item, and never begun
    let stopped begins =
        fun () ->
            let one = (few 3).GetAsyncEnumerator()

            if begins then
                one.MoveNextAsync().Result |> ignore

            one.DisposeAsync().GetAwaiter().GetResult()

    Assert.Equal(64.0, Bytes.perOperation (stopped true))
    Assert.Equal(64.0, Bytes.perOperation (stopped false))

let rec private down (n: int) : IAsyncEnumerable<int> =
    stream {
        yield n

        if n > 1 then
            yield! down (n - 1)
    }

let rec private up (n: int) : IAsyncEnumerable<int> =
    stream {
        if n > 1 then
            yield! up (n - 1)

        yield n
    }

[<Fact>]
let ``a stream that yields another adds that one's object`` () =
    Bytes.onlyWhenOptimised ()
    let one = Bytes.perOperation (fun () -> read (down 1))
    Assert.Equal(one * 10.0, Bytes.perOperation (fun () -> read (down 10)))
    let one = Bytes.perOperation (fun () -> read (up 1))
    Assert.Equal(one * 10.0, Bytes.perOperation (fun () -> read (up 10)))
