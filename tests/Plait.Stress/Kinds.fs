// The kinds of operation under stress. Each takes a number and ends as `ending` of the number says: with the number, with its
// error, or cancelled with the token. What else goes wrong surfaces as an error of its own.
module Plait.Stress.Kinds

open System
open System.Threading
open System.Threading.Tasks

open Plait
open Plait.Stress.Frames

/// A kind of operation.
type Kind = { Name: string; Start: int -> CancellationToken -> ValueTask<int> }

// no number of these fails or is cancelled
let private harmless (n: int) = abs (n % 1_000_000) * 77 + 1

/// The frames of every kind inside each other, with a finally that runs once.
let private nested (n: int) (token: CancellationToken) : ValueTask<int> =
    valueTask {
        let ended = [| 0 |]

        try
            let! struct (value, words) = run n token ended

            if words <> string n then
                failwith $"{n} came back as \"{words}\""

            return value
        finally
            if ended[0] <> 1 then
                failwith $"The finally of {n} ran {ended[0]} times"
    }

let private ofPooledTask (n: int) (token: CancellationToken) : Task<int> =
    pooledTask {
        let! value = leaf n token
        do! Task.Yield()
        return value
    }

let private ofValueTask (n: int) (token: CancellationToken) : ValueTask<int> =
    valueTask {
        let! value = leaf n token
        return value
    }

let private ofTask (n: int) (token: CancellationToken) : Task<int> =
    Plait.Tasks.task {
        let! value = ofPooledTask n token
        let! again = ofValueTask value token
        return again
    }

let private ofStrand (n: int) (token: CancellationToken) : ValueTask<int> =
    (strand {
        let! value = strandLeaf n token
        and! _ = strandLeaf (harmless n) token
        return value
    })
        .AsValueTask()

/// Three setters race for one operation while it is awaited, and may come when its object serves another one already.
let private raced (n: int) (operation: ValueTask<int>) (trySet: unit -> bool) : ValueTask<int> =
    ValueTask<int>(
        task {
            let setters = [| for _ in 1..3 -> Task.Run<bool>(fun () -> trySet ()) |]

            let! outcome =
                task {
                    try
                        let! value = operation
                        return Ok value
                    with error ->
                        return Error error
                }

            let! wins = Task.WhenAll setters

            if (wins |> Array.filter id).Length <> 1 then
                failwith $"%A{wins}: not one of the setters of {n} has won"

            return
                match outcome with
                | Ok value -> value
                | Error error -> raise error
        }
    )

let private pooledSource (n: int) (token: CancellationToken) =
    let source = PooledValueTaskSource<int>.Create()

    raced n source.Task (fun () ->
        match ending n with
        | Succeeds -> source.TrySetResult n
        | Fails -> source.TrySetException(Seven n)
        | Cancelled -> source.TrySetCanceled token)

let private completionSource (n: int) (token: CancellationToken) =
    let source = ValueTaskCompletionSource<int>.Create()

    raced n (ValueTask<int> source.Task) (fun () ->
        match ending n with
        | Succeeds -> source.TrySetResult n
        | Fails -> source.TrySetException(Seven n)
        | Cancelled -> source.TrySetCanceled token)

/// The source is disposed while its setters may still come.
let private lazySource (n: int) (token: CancellationToken) : ValueTask<int> =
    let source = LazyTaskCompletionSource<int>.Create()

    let set () =
        match ending n with
        | Succeeds -> source.TrySetResult n
        | Fails -> source.TrySetException(Seven n)
        | Cancelled -> source.TrySetCanceled token

    valueTask {
        use _ = source
        let first = Task.Run<bool>(fun () -> set ())
        let late = Task.Run<bool>(fun () -> set ())
        let! _ = Task.WhenAny(first, late)
        return! source.Task
    }

let private combined (n: int) (token: CancellationToken) : ValueTask<int> =
    pooledValueTask {
        let! all =
            PooledValueTask.whenAll [ Method.leaf (harmless n) token; leaf n token; leaf (harmless n) token ]

        let! struct (value, _) =
            PooledValueTask.parallelZip (leaf all[1] token) (leaf (harmless n) token)

        let! again =
            PooledValueTask.whenAllThrottled
                2
                [ for offset in [ 0; 77; 154 ] -> fun () -> leaf (harmless n + offset) token ]

        if again <> [| for offset in [ 0; 77; 154 ] -> harmless n + offset |] then
            failwith $"%A{again} came out of {n}"

        return! PooledValueTask.timeout (TimeSpan.FromMinutes 5.) (PooledValueTask.map id (leaf value token))
    }

/// Carries the mark of who has it.
[<AllowNullLiteral; PoolSize 8>]
type Canary() =
    [<DefaultValue>]
    val mutable owner: int

let private pool (n: int) (token: CancellationToken) : ValueTask<int> =
    pooledValueTask {
        let me = n + 1

        let canary =
            match Pool.TryRent<Canary>() with
            | null -> Canary()
            | canary -> canary

        let before = Interlocked.Exchange(&canary.owner, me)

        if before <> 0 then
            failwith $"{n} has rented what {before - 1} has"

        let boxed = Pool.Box struct (me, n)

        try
            return! Method.leaf n token
        finally
            let struct (owner, number) = Pool.UnboxAndReturn<struct (int * int)> boxed

            if owner <> me || number <> n then
                failwith $"The box of {n} had the value of {number}"

            if Interlocked.Exchange(&canary.owner, 0) <> me then
                failwith $"Another has taken what {n} had"

            Pool.Return canary
    }

/// Every kind.
let all: Kind[] =
    [|
        { Name = "nested frames"; Start = nested }
        { Name = "pooledValueTask"; Start = leaf }
        { Name = "pooledTask"; Start = fun n token -> ValueTask<int>(ofPooledTask n token) }
        { Name = "valueTask"; Start = ofValueTask }
        { Name = "task"; Start = fun n token -> ValueTask<int>(ofTask n token) }
        { Name = "strand"; Start = ofStrand }
        { Name = "C# method"; Start = Method.leaf }
        { Name = "PooledValueTaskSource"; Start = pooledSource }
        { Name = "ValueTaskCompletionSource"; Start = completionSource }
        { Name = "LazyTaskCompletionSource"; Start = lazySource }
        { Name = "combinators"; Start = combined }
        { Name = "Pool"; Start = pool }
    |]
