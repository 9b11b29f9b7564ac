// What a program is given: sources that end in the manner under test, and a log. Everything is deterministic: one
// program runs at a time, and its log is in program order.
namespace Plait.Tests.Programs

open System
open System.Threading
open System.Threading.Tasks

open Plait.Tests.Oracle

/// How sources end: how fast, and whether one of them fails.
type Manner =
    {
        /// Which sources suspend, by their number.
        Suspends: int -> bool
        /// The number of the source that fails; 0: none.
        Fails: int
        /// Whether it is cancelled instead.
        Cancels: bool
        Name: string
    }

    override manner.ToString() = manner.Name

module Manner =
    let private speeds =
        [ "done", (fun _ -> false); "yields", (fun _ -> true); "mixed", (fun n -> n % 2 = 0) ]

    let private ending name cancels fails =
        [
            for speed, suspends in speeds ->
                {
                    Suspends = suspends
                    Fails = fails
                    Cancels = cancels
                    Name = if fails = 0 then speed else $"{speed}, {name} at {fails}"
                }
        ]

    let succeeding = ending "" false 0
    let throwing = List.collect (ending "throws" false) [ 1; 2; 3; 5 ]
    let cancelled = List.collect (ending "cancelled" true) [ 1; 2; 3 ]

    /// The four kinds of completion, each with its manners.
    let kinds =
        [ "done", succeeding[..0]; "yields", succeeding[1..]; "throws", throwing; "cancelled", cancelled ]

/// Disposed once, or it says so.
type Disposable(log: string -> unit, name: string) =
    interface IDisposable with
        member _.Dispose() = log $"dispose {name}"

/// A type with both interfaces: the asynchronous one is meant.
type TwoFaced(log: string -> unit) =
    interface IDisposable with
        member _.Dispose() = log "disposed synchronously"

    interface IAsyncDisposable with
        member _.DisposeAsync() =
            log "disposed asynchronously"
            ValueTask()

type Given(manner: Manner) =
    let log = ResizeArray<string>()
    let cancellation = new CancellationTokenSource()
    let mutable taken = 0

    let error: exn =
        if manner.Cancels then
            OperationCanceledException("cancelled by the test", cancellation.Token)
        else
            InvalidOperationException "thrown by the test"

    /// The exception that the failing source fails with.
    member _.Error = error

    member _.Token = cancellation.Token

    member _.Log(what: string) = lock log (fun () -> log.Add what)

    member _.Entries = lock log (fun () -> List.ofSeq log)

    /// Notes an exception that a handler got: the very one, or which.
    member given.Caught(caught: exn) =
        match caught with
        // a cancelled Task makes a new exception: the same token, not the same instance
        | :? OperationCanceledException as caught when
            manner.Cancels && caught.CancellationToken = given.Token
            ->
            given.Log "caught the cancellation"
        | caught when obj.ReferenceEquals(caught, error) -> given.Log "caught"
        | caught -> given.Log $"caught another: {caught.GetType().Name} {caught.Message}"

    member private given.Next() =
        taken <- taken + 1
        given.Log $"source {taken}"
        struct (manner.Suspends taken, (if manner.Fails = taken then Some error else None))

    /// A source that throws where it is called, if it is its turn to fail.
    member given.Now(value: int) : int =
        let struct (_, error) = given.Next()

        match error with
        | None -> value
        | Some error -> raise error

    member given.Task(value: int) : Task<int> =
        let struct (suspends, error) = given.Next()

        if suspends then
            Foreign.Return(value, Option.toObj error)
        else
            let source = TaskCompletionSource<int>()
            Foreign.Settle(source, value, Option.toObj error)
            source.Task

    member given.Unit() : Task = given.Task 0

    member given.ValueTask(value: int) : ValueTask<int> =
        let struct (suspends, error) = given.Next()
        let source = ManualSource()
        let pending = source.Next()

        let settle () =
            match error with
            | None -> source.Complete value
            | Some error -> source.Fail error

        if suspends then Foreign.Run settle else settle ()
        pending

    /// Not by AwaitTask, which makes another exception of the source's.
    member given.Async(value: int) : Async<int> =
        Async.FromContinuations(fun (succeed, fail, _) ->
            let awaiter = given.Task(value).GetAwaiter()

            let finish () =
                match
                    (try
                        Choice1Of2(awaiter.GetResult())
                     with error ->
                         Choice2Of2 error)
                with
                | Choice1Of2 value -> succeed value
                | Choice2Of2 error -> fail error

            if awaiter.IsCompleted then finish () else awaiter.OnCompleted finish)

    member given.Ending(value: int) =
        let struct (suspends, error) = given.Next()
        Ending(value, not suspends, Option.toObj error)

    member given.Open(name: string) = new Disposable(given.Log, name)
