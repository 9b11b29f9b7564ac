// Streams that are data, and what a consumer must see of them: an interpreter in direct style, without a stream or an await, in
// which an item is a call of the consumer, and a consumer that stops is an exception that no handler of the script gets.
namespace Plait.Tests.Programs

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks

open Plait.Tests.Oracle

/// One statement of a stream.
[<RequireQualifiedAccess>]
type Script =
    | Item of int
    | Note of int
    /// An await: whether it waits, and on which thread it goes on.
    | Await of waits: bool
    | Fail of int
    | Both of Script * Script
    /// A loop over a list, an array, numbers, a sequence, or by `while`; an item stands before and behind the body.
    | Loop of kind: int * turns: int * Script
    | Try of Script * handler: Script
    | Finally of Script * note: int * fails: bool
    /// A resource, disposed asynchronously or not.
    | Use of isAsync: bool * waits: bool * note: int * fails: bool * Script
    /// `yield!` of a stream of its own.
    | Sub of Script
    /// A loop over a stream of its own, each of whose items is given twice.
    | Each of Script
    /// A branch that is not taken, in front of the body.
    | Branch of Script
    /// The rest of the stream is another one's.
    | Last of Script

/// What a consumer does: it takes so many items, and may cancel behind one of them.
type Consumer = { Takes: int; CancelsBehind: int }

/// An error of a script.
type ScriptError(number: int) =
    inherit Exception($"error {number}")

/// What happens while a script runs.
type ScriptWorld() =
    let log = List<string>()
    let cancellation = new CancellationTokenSource()
    member _.Log(what: string) = lock log (fun () -> log.Add what)
    member _.Entries = lock log (fun () -> String.Join("\n", log))
    member _.Cancellation = cancellation

    member _.Await(waits: bool) : ValueTask<int> =
        if waits then ValueTask<int>(Foreign.Return 0) else ValueTask<int> 0

    member world.Close(note: int, fails: bool) =
        world.Log $"closes {note}"

        if fails then
            raise (ScriptError note)

    member world.Open(note: int, fails: bool) =
        { new IDisposable with
            member _.Dispose() = world.Close(note, fails)
        }

    member world.OpenAsync(waits: bool, note: int, fails: bool) =
        { new IAsyncDisposable with
            member _.DisposeAsync() =
                ValueTask(
                    task {
                        let! _ = world.Await waits
                        world.Close(note, fails)
                    }
                )
        }

/// The consumer has stopped.
type private Stopped() =
    inherit Exception()

/// What is unwound as one: a stream with those that it yields.
type private Unwound() =
    /// No handler runs from here on.
    member val Stops = false with get, set

module Script =

    /// What a consumer of the stream sees.
    let expected (script: Script) (consumer: Consumer) : string =
        let world = ScriptWorld()
        let whole = Unwound()
        let mutable taken = 0

        let check () =
            if world.Cancellation.IsCancellationRequested then
                raise (OperationCanceledException world.Cancellation.Token)

        let giveToConsumer (item: int) =
            taken <- taken + 1
            world.Log $"item {item}"

            if taken = consumer.CancelsBehind then
                world.Cancellation.Cancel()

            if taken = consumer.Takes then
                whole.Stops <- true
                world.Log "stops"
                raise (Stopped())

            check ()

        let rec run (unwound: Unwound) (give: int -> unit) (script: Script) : unit =
            let sub script =
                check ()
                run unwound give script

            match script with
            | Script.Item item -> give item
            | Script.Note note -> world.Log $"note {note}"
            | Script.Await _ -> check ()
            | Script.Fail number -> raise (ScriptError number)
            | Script.Both(Script.Item first, Script.Item second) ->
                give first
                give second
            | Script.Both(first, second) ->
                sub first
                sub second
            | Script.Loop(_, turns, body) ->
                check ()

                for turn in 1..turns do
                    give turn
                    sub body
                    give -turn
            | Script.Try(body, handler) ->
                let mutable caught: exn | null = null

                try
                    sub body
                with error when not unwound.Stops ->
                    caught <- error

                match caught with
                | null -> ()
                | caught ->
                    world.Log $"catches {caught.GetType().Name}"
                    sub handler
            | Script.Finally(body, note, fails)
            | Script.Use(_, _, note, fails, body) ->
                try
                    sub body
                finally
                    world.Close(note, fails)
            | Script.Sub body
            | Script.Branch body
            | Script.Last body -> sub body
            | Script.Each body ->
                check ()
                let inner = Unwound()

                run
                    inner
                    (fun item ->
                        try
                            give item
                            give (item + 1000)
                        with error ->
                            inner.Stops <- true
                            raise error

                        check ())
                    body

                check ()

        let mutable error: exn | null = null

        try
            if consumer.Takes > 0 then
                run whole giveToConsumer script
                world.Log "ends"
        with
        | :? Stopped -> ()
        | caught -> error <- caught

        world.Log(
            match error with
            | null -> "succeeds"
            | :? OperationCanceledException -> "is cancelled"
            | error -> error.Message
        )

        world.Entries

    /// What a consumer of a stream sees.
    let seen (begins: ScriptWorld -> IAsyncEnumerable<int>) (consumer: Consumer) : Task<string> =
        task {
            let world = ScriptWorld()
            let items = (begins world).GetAsyncEnumerator world.Cancellation.Token
            let mutable error: exn | null = null
            let mutable taken = 0
            let mutable goes = consumer.Takes > 0

            try
                while goes do
                    let! more = items.MoveNextAsync()

                    if more then
                        taken <- taken + 1
                        world.Log $"item {items.Current}"

                        if taken = consumer.CancelsBehind then
                            world.Cancellation.Cancel()

                        if taken = consumer.Takes then
                            world.Log "stops"
                            goes <- false
                    else
                        world.Log "ends"
                        goes <- false
            with caught ->
                error <- caught

            try
                do! items.DisposeAsync()
            with caught ->
                error <- caught

            world.Log(
                match error with
                | null -> "succeeds"
                | :? OperationCanceledException -> "is cancelled"
                | error -> error.Message
            )

            return world.Entries
        }
