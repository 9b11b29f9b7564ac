// Under test: `whenEach` over every module: results in order of completion, and each operation consumed once.
module Plait.Tests.InCompletionOrder

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Plait
open Xunit

type private Each = seq<ValueTask<int>> -> IAsyncEnumerable<int>

/// By the places that a module over operations without a result gives.
let private places (each: seq<ValueTask> -> IAsyncEnumerable<int>) : Each =
    fun operations ->
        let values = ConcurrentDictionary<int, int>()

        operations
        |> Entries.numbered (fun place operation ->
            Valueless.Of(operation, fun value -> values[place] <- value))
        |> each
        |> Kept.items (fun place -> values[place])

let private all: (string * Each) list =
    [
        for m in UnitModules.all do
            m.Name, places m.WhenEach
        "ValueTask without a result, door", places (fun operations -> operations.WhenEach())
        "PooledValueTask without a result, door",
        places (fun operations -> (Entries.each Entries.ValueTaskUnit.enterDoor operations).WhenEach())
        "Strand", (fun operations -> Strand.whenEach (Entries.each Entries.Strand.enter operations))
        "Strand, door", (fun operations -> (Entries.each Entries.Strand.enter operations).WhenEach())
        "PooledValueTask", PooledValueTask.whenEach
        "ValueTask", ValueTask.whenEach
        "ValueTask, door", (fun operations -> operations.WhenEach())
        "PooledValueTask, door",
        (fun operations -> (Entries.each Entries.ValueTask.enterDoor operations).WhenEach())
        "Task", (fun operations -> Task.whenEach (Entries.each Entries.Task.enter operations))
    ]

let families = [| for name, _ in all -> TheoryDataRow(box name) |]
let private named name = List.find (fst >> (=) name) all |> snd

let private operations (sources: Counted list) =
    sources |> List.map _.Operation |> Seq.ofList

let private takenOnce (sources: Counted list) =
    Within.comes "every operation is consumed" (fun () -> sources |> List.forall (fun one -> one.Taken > 0))

    for source in sources do
        Assert.Equal(1, source.Taken)

/// The next item, as a Task; -1 at the end.
let private next (items: IAsyncEnumerator<int>) : Task<int> =
    task {
        let! more = items.MoveNextAsync()
        return if more then items.Current else -1
    }

[<Theory; MemberData(nameof families)>]
let ``results come in order of completion, first those that were there`` (name: string) =
    let sources = List.init 5 (fun _ -> Counted())
    sources[3].Complete 3
    sources[1].Complete 1
    let items = (named name (operations sources)).GetAsyncEnumerator()

    let item () =
        Within.result "the next item" (next items)
    // in the order of the operations
    Assert.Equal(1, item ())
    Assert.Equal(3, item ())
    let waiting = next items
    Assert.False waiting.IsCompleted
    sources[4].Complete 4
    Assert.Equal(4, Within.result "the item that was waited for" waiting)
    // two between two steps
    sources[2].Complete 2
    sources[0].Complete 0
    Assert.Equal(2, item ())
    Assert.Equal(0, item ())
    Assert.Equal(-1, item ())
    Assert.Equal(-1, item ())
    takenOnce sources

[<Theory; MemberData(nameof families)>]
let ``the first failure ends the sequence, the others are consumed`` (name: string) =
    for early in [ false; true ] do
        let sources = List.init 4 (fun _ -> Counted())
        let error = InvalidOperationException "of an operation"

        if early then
            sources[2].Fail error

        let items = (named name (operations sources)).GetAsyncEnumerator()
        let waiting = next items

        if not early then
            sources[2].Fail error

        Assert.Same(error, Within.error "It" waiting)
        Assert.Equal(-1, Within.result "the end" (next items))
        sources[0].Complete 1
        sources[1].Fail(InvalidOperationException())
        sources[3].Complete 1
        takenOnce sources

[<Theory; MemberData(nameof families)>]
let ``operations are consumed if the sequence is read in part, or not at all`` (name: string) =
    for read in 0..2 do
        let sources = List.init 3 (fun _ -> Counted())
        let sequence = named name (operations sources)

        if read > 0 then
            let items = sequence.GetAsyncEnumerator()

            for index in 1 .. read - 1 do
                sources[index].Complete index
                Assert.Equal(index, Within.result "It" (next items))

            Within.ended "the end" (items.DisposeAsync().AsTask())
            Assert.Equal(-1, Within.result "the end" (next items))

        for index in 0..2 do
            if sources[index].Taken = 0 then
                sources[index].Complete index

        takenOnce sources

[<Theory; MemberData(nameof families)>]
let ``a token ends the wait of whenEach, and the operations go on`` (name: string) =
    use caller = new CancellationTokenSource()
    let sources = List.init 2 (fun _ -> Counted())

    let items = (named name (operations sources)).GetAsyncEnumerator caller.Token

    let waiting = next items
    caller.Cancel()

    let cancelled (task: Task<int>) =
        let error =
            Assert.IsAssignableFrom<OperationCanceledException>(Within.error "It" task)

        Assert.Equal(caller.Token, error.CancellationToken)

    cancelled waiting
    cancelled (next items)

    for source in sources do
        source.Complete 1

    takenOnce sources

[<Theory; MemberData(nameof families)>]
let ``whenEach of no operations, of null and of a sequence that throws`` (name: string) =
    let first (each: seq<ValueTask<int>>) =
        next ((named name each).GetAsyncEnumerator())

    Assert.Equal(-1, Within.result "none" (first []))

    Assert.IsType<ArgumentNullException>(Within.error "null" (first Unchecked.defaultof<_>))
    |> ignore

    let source = Counted()

    let torn =
        seq {
            yield source.Operation
            raise (InvalidOperationException "of the sequence")
        }

    let items = (named name torn).GetAsyncEnumerator()
    source.Complete 7
    Assert.Equal(7, Within.result "the operation before" (next items))
    Assert.Equal("of the sequence", (Within.error "It" (next items)).Message)

[<Theory; MemberData(nameof families)>]
let ``the sequence of whenEach is enumerated once, one step at a time`` (name: string) =
    let sources = List.init 1 (fun _ -> Counted())
    let sequence = named name (operations sources)
    let items = sequence.GetAsyncEnumerator()

    let refused (act: unit -> unit) =
        Assert.Contains("whenEach", Assert.Throws<InvalidOperationException>(act).Message)

    refused (fun () -> sequence.GetAsyncEnumerator() |> ignore)
    let waiting = next items
    refused (fun () -> items.MoveNextAsync() |> ignore)
    sources[0].Complete 3
    Assert.Equal(3, Within.result "It" waiting)

[<Theory; MemberData(nameof families)>]
let ``operations that complete on many threads are each seen once`` (name: string) =
    for round in 1..300 do
        let sources = List.init 8 (fun _ -> Counted())
        let sequence = named name (operations sources)

        let sum =
            pooledTask {
                let seen = ResizeArray<int>()

                for item in sequence do
                    seen.Add item

                return Seq.sort seen |> List.ofSeq
            }

        Parallel.For(0, 8, (fun index -> sources[index].Complete index)) |> ignore
        Assert.Equal<int list>([ 0..7 ], Within.result $"round {round}" sum)
        takenOnce sources
