// Under test: `and!` of an operation that has begun with a function of a token, which is not called after a cancellation: the
// operation that has begun is taken all the same, its result or its error.
module Plait.Tests.BegunOperands

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Plait
open Xunit

/// An operation that has begun.
type private Begin = unit -> ValueTask<int>

/// A function of a token.
type private Call = CancellationToken -> Task<int>

let private read (items: IAsyncEnumerable<int>) (token: CancellationToken) : Task<int> =
    task {
        let items = items.GetAsyncEnumerator token

        try
            let mutable sum = 0
            let mutable goes = true

            while goes do
                let! more = items.MoveNextAsync()
                goes <- more

                if more then
                    sum <- sum + items.Current

            return sum
        finally
            items.DisposeAsync().AsTask().Wait()
    }

/// Code that cancels its own token and then binds: its name, how many operations have begun by then, and the code.
let private forms: (string * int * ((unit -> unit) -> Begin -> Call -> CancellationToken -> Task<int>)) list =
    [
        "stream, begun first",
        1,
        (fun cancel start call ->
            read (
                stream {
                    yield 1
                    cancel ()
                    let! a = start ()
                    and! b = call
                    yield a + b
                }
            ))
        "stream, begun last",
        1,
        (fun cancel start call ->
            read (
                stream {
                    yield 1
                    cancel ()
                    let! a = call
                    and! b = start ()
                    yield a + b
                }
            ))
        "stream, begun on both sides",
        2,
        (fun cancel start call ->
            read (
                stream {
                    yield 1
                    cancel ()
                    let! a = start ()
                    and! b = call
                    and! c = start ()
                    yield a + b + c
                }
            ))
        "stream, begun between functions",
        1,
        (fun cancel start call ->
            read (
                stream {
                    yield 1
                    cancel ()
                    let! a = call
                    and! b = start ()
                    and! c = call
                    yield a + b + c
                }
            ))
        "cancellableTask, begun first",
        1,
        (fun cancel start call ->
            cancellableTask {
                cancel ()
                let! a = start ()
                and! b = call
                return a + b
            })
        "cancellableTask, begun last",
        1,
        (fun cancel start call ->
            cancellableTask {
                cancel ()
                let! a = call
                and! b = start ()
                return a + b
            })
        "cancellableTask, begun on both sides",
        2,
        (fun cancel start call ->
            cancellableTask {
                do! Task.Yield()
                cancel ()
                let! a = start ()
                and! b = call
                and! c = start ()
                return a + b + c
            })
        "cancellableTask, begun between functions",
        1,
        (fun cancel start call ->
            cancellableTask {
                cancel ()
                let! a = call
                and! b = start ()
                and! c = call
                return a + b + c
            })
        "cancellableValueTask, begun first",
        1,
        (fun cancel start call token ->
            (cancellableValueTask {
                cancel ()
                let! a = start ()
                and! b = call
                return a + b
            })
                token
            |> _.AsTask())
        "cancellableValueTask, begun last",
        1,
        (fun cancel start call token ->
            (cancellableValueTask {
                cancel ()
                let! a = call
                and! b = start ()
                return a + b
            })
                token
            |> _.AsTask())
        "cancellableValueTask, begun on both sides",
        2,
        (fun cancel start call token ->
            (cancellableValueTask {
                cancel ()
                let! a = start ()
                and! b = call
                and! c = start ()
                return a + b + c
            })
                token
            |> _.AsTask())
        "cancellableValueTask, begun between functions",
        1,
        (fun cancel start call token ->
            (cancellableValueTask {
                cancel ()
                let! a = call
                and! b = start ()
                and! c = call
                return a + b + c
            })
                token
            |> _.AsTask())
    ]

let cases: TheoryData<string, string> =
    let rows = TheoryData<string, string>()

    for form, _, _ in forms do
        for ending in [ "done"; "done later"; "failed"; "failed later" ] do
            rows.Add(form, ending)

    rows

[<Theory; MemberData(nameof cases)>]
let ``an operation that has begun beside a function of a cancelled token is taken``
    (form: string)
    (ending: string)
    =
    let _, count, code = forms |> List.find (fun (name, _, _) -> name = form)
    use source = new CancellationTokenSource()
    let begun = List<Counted>()
    let mutable calls = 0

    let finish (one: Counted) =
        if ending.StartsWith "done" then one.Complete 1 else one.Fail(InvalidOperationException())

    let start () =
        let one = Counted()
        begun.Add one

        if not (ending.EndsWith "later") then
            finish one

        one.Operation

    let call (_: CancellationToken) =
        calls <- calls + 1
        Task.FromResult 1

    let error = Within.error form (code source.Cancel start call source.Token)

    let cancelled = Assert.IsAssignableFrom<OperationCanceledException> error
    Assert.Equal(source.Token, cancelled.CancellationToken)
    Assert.Equal(0, calls)
    Assert.Equal(count, begun.Count)

    if ending.EndsWith "later" then
        Seq.iter finish begun

    Assert.All(begun, (fun one -> Assert.Equal(1, one.Taken)))

[<Fact>]
let ``without a cancellation both give their results`` () =
    for form, count, code in forms do
        let begun = List<Counted>()
        let mutable calls = 0

        let start () =
            let one = Counted()
            one.Complete 10
            begun.Add one
            one.Operation

        let call (_: CancellationToken) =
            calls <- calls + 1
            Task.FromResult 100

        let result = Within.result form (code ignore start call CancellationToken.None)
        let item = if form.StartsWith "stream" then 1 else 0
        Assert.Equal(item + 10 * count + 100 * calls, result)
        Assert.All(begun, (fun one -> Assert.Equal(1, one.Taken)))
