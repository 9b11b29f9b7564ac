// Under test: the token of an enumeration of a stream: who sees it, and what a cancellation does.
module Plait.Tests.StreamTokens

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Plait
open Xunit

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
let ``the token reaches the code, its operations and every sequence in it`` () =
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

[<Fact>]
let ``a function of a token is called with the token of the enumeration where it is awaited`` () =
    use source = new CancellationTokenSource()
    let seen = List<string * CancellationToken>()

    let noting (name: string) (result: 'T) (token: CancellationToken) : 'T =
        seen.Add((name, token))
        result

    let four = cancellableTask { return 4 }

    let later =
        fun (token: CancellationToken) ->
            pooledValueTask {
                do! Task.Yield()
                seen.Add(("later", token))
                return 3
            }

    let items =
        stream {
            let! one = noting "a task" (Task.FromResult 1)
            yield one
            do! noting "a task without a result" Task.CompletedTask
            let! two = noting "a value task" (ValueTask<int> 2)
            yield two
            do! noting "a value task without a result" (ValueTask())
            let! three = later
            and! four = four
            yield three + four
            use! _resource = noting "a resource" (Task.FromResult(new IO.MemoryStream()))

            let! _ =
                fun (token: CancellationToken) ->
                    Task.FromException<int>(InvalidOperationException(string token.CanBeCanceled))

            yield 0
        }

    let steps = items.GetAsyncEnumerator source.Token
    Assert.True(next steps)
    Assert.Equal<string * CancellationToken>([ "a task", source.Token ], seen)
    Assert.True(next steps)
    Assert.True(next steps)
    Assert.Equal(7, steps.Current)
    let error = Within.error "The step" (step steps)
    Assert.Equal("True", (Assert.IsType<InvalidOperationException> error).Message)
    dispose steps

    Assert.Equal<string list>(
        [
            "a task"
            "a task without a result"
            "a value task"
            "a value task without a result"
            "later"
            "a resource"
        ],
        [ for name, _ in seen -> name ]
    )

    Assert.All(seen, (fun (_, token) -> Assert.Equal(source.Token, token)))

[<Fact>]
let ``a function of a token is not called after a cancellation`` () =
    use source = new CancellationTokenSource()
    let mutable calls = 0

    let items =
        stream {
            yield 1
            source.Cancel()

            let! _ =
                fun (_: CancellationToken) ->
                    calls <- calls + 1
                    Task.FromResult 1

            yield 2
        }

    let steps = items.GetAsyncEnumerator source.Token
    Assert.True(next steps)
    isCancelled source.Token (step steps)
    dispose steps
    Assert.Equal(0, calls)

[<Fact>]
let ``several functions of a token begin together, and with operations that have begun`` () =
    use source = new CancellationTokenSource()
    let gate = TaskCompletionSource()
    let begun = List<string>()

    let waiting (name: string) (result: 'T) (token: CancellationToken) =
        begun.Add name
        Assert.Equal(source.Token, token)

        pooledTask {
            do! gate.Task
            return result
        }

    let value (name: string) (result: 'T) (token: CancellationToken) =
        ValueTask<'T>(waiting name result token)

    let work =
        async {
            let! token = Async.CancellationToken
            return if token = source.Token then 10 else 0
        }

    let eight = cancellableValueTask { return 8 }

    let items =
        stream {
            let! a = waiting "first" 1
            and! b = value "second" "2"
            and! c = Task.FromResult 3.0
            and! d = work
            yield $"{a} {b} {c} {d}"

            let! a = Task.FromResult 4
            and! b = waiting "third" 5
            yield $"{a} {b}"

            let! () = fun (_: CancellationToken) -> Task.CompletedTask
            and! a = value "fourth" 6
            yield $"{a}"

            let! a = ValueTask<int> 7
            and! b = work
            and! c = eight
            yield $"{a} {b} {c}"
            do! fun (_: CancellationToken) -> ValueTask()
        }

    let steps = items.GetAsyncEnumerator source.Token
    let first = step steps
    Assert.Equal<string>([ "first"; "second" ], begun)
    gate.SetResult()
    Assert.True(Within.result "the first item" first)
    Assert.Equal("1 2 3 10", steps.Current)
    Assert.True(next steps)
    Assert.Equal("4 5", steps.Current)
    Assert.True(next steps)
    Assert.Equal("6", steps.Current)
    Assert.True(next steps)
    Assert.Equal("7 10 8", steps.Current)
    Assert.False(next steps)
    dispose steps

[<Fact>]
let ``an operation that a function began before the cancellation gives its result`` () =
    use source = new CancellationTokenSource()
    let gate = TaskCompletionSource<int>()

    let items =
        stream {
            let! one = fun (_: CancellationToken) -> gate.Task
            yield one
        }

    let steps = items.GetAsyncEnumerator source.Token
    let first = step steps
    source.Cancel()
    gate.SetResult 1
    Assert.True(Within.result "the first item" first)
    Assert.Equal(1, steps.Current)
    isCancelled source.Token (step steps)
    dispose steps

[<Fact>]
let ``a lock that was entered in a cancelled enumeration is left`` () =
    for builder, forms in
        [ "static", Streams.StreamForms.acquiring; "dynamic", DynamicStreams.StreamForms.acquiring ] do
        for form, acquiring in forms do
            for waits in [ false; true ] do
                let name = $"{builder}, {form}, waits: {waits}"
                use source = new CancellationTokenSource()
                let log = List<string>()
                let gate = new AsyncLock()
                let first = gate.Enter()
                Assert.True(first.IsCompletedSuccessfully, name)
                let steps = (acquiring gate source.Cancel log).GetAsyncEnumerator source.Token
                Assert.True(next steps)

                if not waits then
                    first.Result.Dispose()

                let second = step steps

                if waits then
                    Assert.Equal((form = "a function"), second.IsCompleted)
                    first.Result.Dispose()

                isCancelled source.Token second
                dispose steps
                Assert.False(gate.IsHeld, name)
                Assert.Equal<string>((if form = "a function" then [] else [ "held" ]), log)

[<Fact>]
let ``a loop whose binds give resources ends when its enumeration is cancelled`` () =
    for builder, forms in
        [ "static", Streams.StreamForms.looping; "dynamic", DynamicStreams.StreamForms.looping ] do
        for form, expected, looping in forms do
            let name = $"{builder}, {form}"
            use source = new CancellationTokenSource()
            let gate = new AsyncLock()
            let turns = Turns source

            let steps = (looping gate turns.Next).GetAsyncEnumerator source.Token
            isCancelled source.Token (step steps)
            dispose steps
            Assert.Equal((name, expected), (name, turns.Count))
            Assert.False(gate.IsHeld, name)
