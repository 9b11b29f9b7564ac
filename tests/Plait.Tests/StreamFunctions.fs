// Under test: the functions of `Stream`, and the sample of the page about streams.
module Plait.Tests.StreamFunctions

open System
open System.Collections.Generic
open System.IO
open System.Linq
open System.Threading
open System.Threading.Tasks
open Plait
open Plait.Samples
open Xunit

open Plait.Tests.Oracle

let private all (items: IAsyncEnumerable<'T>) : 'T list =
    Within.result "the stream" (items.ToListAsync().AsTask()) |> List.ofSeq

let private next (items: IAsyncEnumerator<'T>) : Task<bool> = items.MoveNextAsync().AsTask()

[<Fact>]
let ``unfold and scan await each step, and only when they are asked`` () =
    let mutable made = 0

    let powers =
        1
        |> Stream.unfold (fun n ->
            pooledValueTask {
                made <- made + 1
                do! Task.Yield()
                return if n > 100 then ValueNone else ValueSome(struct (n, n * 3))
            })

    Assert.Equal<int list>([ 1; 3; 9; 27; 81 ], all powers)
    Assert.Equal(6, made)

    let sums =
        powers
        |> Stream.scan
            (fun (sum: string) n ->
                pooledValueTask {
                    do! Task.Yield()
                    return $"{sum},{n}"
                })
            "0"

    Assert.Equal<string list>([ "0"; "0,1"; "0,1,3"; "0,1,3,9"; "0,1,3,9,27"; "0,1,3,9,27,81" ], all sums)
    made <- 0
    Assert.Equal<string list>([ "0"; "0,1" ], all (sums.Take 2))
    Assert.Equal(1, made)

[<Fact>]
let ``merge gives each item when it comes, and asks a sequence again when its item was taken`` () =
    let gates = [| Gate(); Gate() |]
    let begun = [| 0; 0 |]

    let gated (at: int) =
        stream {
            for n in 1..2 do
                begun[at] <- begun[at] + 1
                let! _ = gates[at]
                yield at * 10 + n
        }

    let one =
        (Stream.merge [ gated 0; gated 1; stream { yield 100 } ]).GetAsyncEnumerator()

    Assert.Equal<int list>([ 0; 0 ], List.ofArray begun)
    Assert.True(Within.result "It" (next one))
    Assert.Equal(100, one.Current)
    Assert.Equal<int list>([ 1; 1 ], List.ofArray begun)

    let take (at: int) =
        let step = next one
        Assert.False step.IsCompleted
        gates[at].Open()
        Assert.True(Within.result "It" step)
        one.Current

    Assert.Equal(11, take 1)
    Assert.Equal<int list>([ 1; 1 ], List.ofArray begun)
    let step = next one
    Assert.Equal<int list>([ 1; 2 ], List.ofArray begun)
    gates[0].Open()
    Assert.True(Within.result "It" step)
    Assert.Equal(1, one.Current)
    Assert.Equal(12, take 1)
    Assert.Equal(2, take 0)
    Assert.False(Within.result "It" (next one))
    Within.ended "It" (one.DisposeAsync().AsTask())
    Assert.Empty(all (Stream.merge Seq.empty<IAsyncEnumerable<int>>))

    let numbers =
        [
            for start in 0..9 ->
                stream {
                    for n in 1..100 do
                        if n % 7 = start then
                            do! Task.Yield()

                        yield start * 1000 + n
                }
        ]

    Assert.Equal<int list>(
        [
            for start in 0..9 do
                for n in 1..100 -> start * 1000 + n
        ],
        all (Stream.merge numbers) |> List.sort
    )

[<Theory; InlineData "error"; InlineData "stop"; InlineData "cancel">]
let ``the end of merge cancels the others and waits for their disposal`` (ending: string) =
    use source = new CancellationTokenSource()
    let log = List<string>()
    let error = InvalidOperationException "of one"

    let waiting =
        stream {
            try
                let! token = Stream.cancellationToken
                do! Task.Delay(Timeout.Infinite, token)
                yield 0
            finally
                lock log (fun () -> log.Add "disposed")
        }

    let giving =
        stream {
            yield 1

            if ending = "error" then
                raise error

            let! token = Stream.cancellationToken
            do! Task.Delay(Timeout.Infinite, token)
        }

    let one =
        (Stream.merge [ waiting; giving; waiting ]).GetAsyncEnumerator source.Token

    Assert.True(Within.result "It" (next one))

    match ending with
    | "error" -> Assert.Same(error, Within.error "It" (next one))
    | "cancel" ->
        let step = next one
        source.Cancel()

        let seen =
            Assert.IsAssignableFrom<OperationCanceledException>(Within.error "It" step)

        Assert.Equal(source.Token, seen.CancellationToken)
    | _ -> ()

    Within.ended "It" (one.DisposeAsync().AsTask())
    Assert.Equal<string list>([ "disposed"; "disposed" ], List.ofSeq log)

[<Fact>]
let ``the sample loads pages as they are wanted, and closes its reader`` () =
    let loaded = List<int>()

    let load (number: int) (_: CancellationToken) =
        task {
            do! Task.Yield()
            loaded.Add number

            return
                {
                    Items = [ for n in 1..3 -> $"{number}.{n}" ]
                    Next = if number < 3 then Some(number + 1) else None
                }
        }

    let items = Pages.items load 1
    Assert.Equal<string list>([ "1.1"; "1.2"; "1.3"; "2.1" ], all (items.Take 4))
    Assert.Equal<int list>([ 1; 2 ], List.ofSeq loaded)
    Assert.Equal(9, (all items).Length)
    let closed = List<string>()

    let reader () =
        Task.FromResult(
            { new StringReader("a\nb\nc") with
                member _.Dispose disposing =
                    closed.Add $"closed {disposing}"
                    base.Dispose disposing
            }
            :> TextReader
        )

    Assert.Equal<string list>([ "a"; "b"; "c" ], all (Pages.lines reader))
    Assert.Equal<string list>([ "a" ], all ((Pages.lines reader).Take 1))
    Assert.Equal<string list>([ "closed True"; "closed True" ], List.ofSeq closed)
