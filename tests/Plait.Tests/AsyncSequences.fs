// Under test: `for` over IAsyncEnumerable, compared with C#'s `await foreach`.
module Plait.Tests.AsyncSequences

open System
open System.Collections
open System.Collections.Generic
open System.Threading
open Xunit

open Plait
open Plait.Tests
open Plait.Tests.Oracle
open Plait.Tests.Programs

let sequences =
    [|
        for subject in Catalogue.subjects do
            for kind, _ in Manner.kinds do
                for count in [ 0; 1; 3 ] do
                    Cases.row subject.Promise [ kind; count ]
    |]

let builders = Cases.builders

let private speeds: (string * Func<int, bool>) list =
    [
        "done", Func<int, bool>(fun _ -> false)
        "pending", Func<int, bool>(fun _ -> true)
        "mixed", Func<int, bool>(fun n -> n % 2 = 0)
    ]

let private suspends = dict speeds

let private items (count, speed, failsAt, disposeFails) (given: Given) =
    WatchedItems(Action<string> given.Log, count, suspends[speed], failsAt, given.Error, disposeFails)

let private expected =
    Cases.oracle (fun case manner ->
        Trace.run Builders.FSharpTasks.promise manner (fun given ->
            Twins.AwaitForeach(
                items case given,
                fun item ->
                    task {
                        let! x = given.Task item
                        given.Log $"item {x}"
                    }
            )))

[<Theory; MemberData(nameof sequences)>]
let ``each item comes once, the enumerator is disposed once, and errors are those of C#``
    (builder: string)
    (kind: string)
    (count: int)
    =
    let subject = Cases.subject builder

    for speed, _ in speeds do
        for failsAt in [ 0; 1; 2 ] do
            for disposeFails in [ false; true ] do
                let case = count, speed, failsAt, disposeFails

                Cases.compare
                    subject.Promise
                    kind
                    (fun given -> subject.Items (items case given) given)
                    (expected case)

                Cases.compare
                    subject.Promise
                    kind
                    (fun given -> subject.ItemsUnder (items case given) CancellationToken.None given)
                    (expected case)

[<Theory; MemberData(nameof builders)>]
let ``a token reaches the enumerator`` (builder: string) =
    let subject = Cases.subject builder
    use source = new CancellationTokenSource()

    let mutable seen = CancellationToken.None

    let trace =
        Trace.run subject.Promise Manner.succeeding[2] (fun given ->
            let items =
                WatchedItems(Action<string> given.Log, 1, (fun _ -> true), 0, given.Error)

            let running = subject.ItemsUnder items source.Token given
            seen <- items.Token
            running)

    Assert.Equal(source.Token, seen)
    Assert.Equal("source 1\nitem 1\nenumerator disposed\nsucceeded", trace)

[<Theory; MemberData(nameof builders)>]
let ``loops of other kinds are allowed around and inside it`` (builder: string) =
    let subject = Cases.subject builder

    for _, suspends in speeds do
        let trace =
            Trace.run subject.Promise Manner.succeeding[2] (fun given ->
                subject.MixedLoops
                    (WatchedItems(Action<string> given.Log, 1, suspends, 0, given.Error))
                    given)

        let turn n k =
            $"source {n}\nlist {k}\nitem 1\nsource {n + 1}\nseq 30\nenumerator disposed\n"

        Assert.Equal(turn 1 10 + turn 3 20 + "array 40\nsucceeded", trace)

/// A sequence of 1 that is an asynchronous sequence of 2 as well.
type private Both() =
    interface IEnumerable<int> with
        member _.GetEnumerator() : IEnumerator<int> = (Seq.singleton 1).GetEnumerator()

    interface IEnumerable with
        member _.GetEnumerator() : IEnumerator = (Seq.singleton 1).GetEnumerator()

    interface IAsyncEnumerable<int> with
        member _.GetAsyncEnumerator token =
            (stream { yield 2 }).GetAsyncEnumerator token

[<Fact>]
let ``for over a type that is a sequence of both kinds takes the asynchronous one`` () =
    let items = Both()
    let seen = List<string * int>()
    let note builder item = seen.Add((builder, item))

    let cold =
        coldTask {
            for item in items do
                note "coldTask" item
        }

    let cancellable =
        cancellableTask {
            for item in items do
                note "cancellableTask" item
        }

    let cancellableValue =
        cancellableValueTask {
            for item in items do
                note "cancellableValueTask" item
        }

    let result () =
        pooledValueTaskResult {
            for item in items do
                note "pooledValueTaskResult" item
        }

    let items =
        stream {
            for item in items do
                note "stream" item
                yield item
        }

    let all =
        pooledTask {
            do! cold ()
            do! cancellable CancellationToken.None
            do! cancellableValue CancellationToken.None
            let! _ = result ()

            for _ in items do
                ()

            for item in Both() do
                note "pooledTask" item
        }

    Within.result "the loops" all

    Assert.Equal<(string * int) list>(
        [
            "coldTask", 2
            "cancellableTask", 2
            "cancellableValueTask", 2
            "pooledValueTaskResult", 2
            "stream", 2
            "pooledTask", 2
        ],
        List.ofSeq seen
    )
