// Under test: the token of an enumeration of a stream: who sees it, and what a cancellation does.
module Plait.Tests.StreamTokens

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Plait
open Xunit

open Plait.Tests.Oracle
open Plait.Tests.Programs

let private step (items: IAsyncEnumerator<'T>) : Task<bool> = items.MoveNextAsync().AsTask()

let private next (items: IAsyncEnumerator<'T>) : bool =
    Within.result "the next item" (step items)

let private dispose (items: IAsyncEnumerator<'T>) : unit =
    Within.ended "the end" (items.DisposeAsync().AsTask())

let private isCancelled (token: CancellationToken) (step: Task<bool>) =
    let error = Within.error "The step" step
    let cancelled = Assert.IsAssignableFrom<OperationCanceledException> error
    Assert.Equal(token, cancelled.CancellationToken)
    Assert.True step.IsCanceled

/// A sequence, not of ours, that notes the token of its enumerator.
type private Noting(note: CancellationToken -> unit) =
    interface IAsyncEnumerable<int> with
        member _.GetAsyncEnumerator token =
            note token
            (stream { yield 0 }).GetAsyncEnumerator()

[<Fact>]
let ``the token reaches the code, what it awaits and every sequence in it`` () =
    use source = new CancellationTokenSource()
    let seen = List<string * CancellationToken>()
    let note (name: string) token = seen.Add((name, token))

    let noting (name: string) =
        stream {
            let! token = Stream.cancellationToken
            note name token
            yield 0
        }

    let asyncNoting (name: string) =
        async {
            let! token = Async.CancellationToken
            note name token
            return 0
        }

    let items =
        stream {
            yield 0
            let! token = Stream.cancellationToken
            note "body" token
            do! Task.Yield()
            let! again = Stream.cancellationToken
            note "body, later" again
            yield! noting "yield!"

            for x in noting "for" do
                yield x

            yield! Noting(note "foreign yield!")

            for x in Noting(note "foreign for") do
                yield x

            let! x = asyncNoting "async"
            yield x
            let! x = asyncNoting "async in and!"
            and! y = asyncNoting "second async in and!"
            and! z = Task.FromResult 0
            yield x + y + z

            for x in noting("own").WithCancellation(CancellationToken.None) do
                yield x

            yield! noting "last yield!"
        }

    let one = items.GetAsyncEnumerator source.Token

    while next one do
        ()

    dispose one
    Assert.Equal(11, seen.Count)

    for name, token in seen do
        Assert.Equal((name, (if name = "own" then CancellationToken.None else source.Token)), (name, token))

[<Fact>]
let ``an enumeration that was cancelled before it began runs no code`` () =
    let begun = ref false

    let items =
        stream {
            begun.Value <- true
            yield 1
        }

    let token = CancellationToken true
    let one = items.GetAsyncEnumerator token
    isCancelled token (step one)
    Assert.False(next one)
    dispose one
    Assert.False begun.Value

[<Theory;
  InlineData "at an item";
  InlineData "at an await";
  InlineData "in an await";
  InlineData "at a yield!">]
let ``a cancellation ends the stream with its token, and the disposals run`` (place: string) =
    use source = new CancellationTokenSource()
    let log = List<string>()

    let inner =
        stream {
            use _ =
                { new IAsyncDisposable with
                    member _.DisposeAsync() =
                        ValueTask(
                            task {
                                do! Task.Yield()
                                log.Add "inner disposed"
                            }
                        )
                }

            yield 1

            if place = "at an item" then
                log.Add "not reached"

            if place = "in an await" then
                let! token = Stream.cancellationToken
                do! Task.Delay(Timeout.Infinite, token)

            if place = "at an await" then
                source.Cancel()
                log.Add "cancels"
                do! Task.CompletedTask

            if place = "at a yield!" then
                source.Cancel()
                log.Add "cancels"
                yield! stream { log.Add "not reached" }

            log.Add "not reached"
        }

    let items =
        stream {
            try
                yield! inner
                log.Add "not reached"
            finally
                log.Add "outer"
        }

    let one = items.GetAsyncEnumerator source.Token
    Assert.True(next one)

    if place = "at an item" then
        source.Cancel()

    let last = step one

    if place = "in an await" then
        source.Cancel()

    isCancelled source.Token last
    Assert.False(next one)
    dispose one

    Assert.Equal<string list>(
        [
            if place = "at an await" || place = "at a yield!" then
                "cancels"
            "inner disposed"
            "outer"
        ],
        List.ofSeq log
    )

[<Fact>]
let ``a cancellation can be caught, and a cancelled stream disposed`` () =
    use source = new CancellationTokenSource()
    let log = List<string>()

    let items =
        stream {
            try
                try
                    yield 1
                    log.Add "not reached"
                with :? OperationCanceledException ->
                    log.Add "caught"

                yield 2
                log.Add "not reached"
            finally
                log.Add "finally"
        }

    let one = items.GetAsyncEnumerator source.Token
    Assert.True(next one)
    source.Cancel()
    Assert.True(next one)
    Assert.Equal(2, one.Current)
    dispose one
    Assert.Equal<string list>([ "caught"; "finally" ], List.ofSeq log)
