// The loops: each runs numbers of its own through the frames, several at a time, and accounts for every one.
module Plait.Stress.Stress

open System
open System.Diagnostics
open System.Threading
open System.Threading.Tasks

open Plait.Stress.Frames

/// What came of a run.
type Outcome = { Operations: int64; Errors: string list }

/// Awaits one operation and says what is wrong with how it ended, if anything.
let private settle
    (n: int)
    (token: CancellationToken)
    (operation: ValueTask<struct (int * string)>)
    : Task<string option> =
    task {
        try
            let! struct (value, words) = operation

            return
                match fate n with
                | Succeeds when value = n && words = string n -> None
                | Succeeds -> Some $"{n} came back as {value} and \"{words}\""
                | expected -> Some $"{n} succeeded where it had to end as %A{expected}"
        with
        | Seven found ->
            return if fate n = Fails && found = n then None else Some $"{n} failed with the error of {found}"
        | :? OperationCanceledException as error ->
            return
                if fate n = Cancelled && error.CancellationToken = token then
                    None
                else
                    Some $"{n} was cancelled by mistake"
        | error -> return Some $"{n}: {error}"
    }

let private loop (index: int) (until: Stopwatch -> bool) (note: string -> unit) : Task<int64> =
    task {
        let clock = Stopwatch.StartNew()
        use cancellation = new CancellationTokenSource()
        let ended = [| [| 0 |]; [| 0 |]; [| 0 |]; [| 0 |] |]
        let mutable n = index * 50_000_000
        let mutable operations = 0L

        while not (until clock) do
            // four in flight, awaited in another order than they were started in
            let started =
                Array.init 4 (fun i -> struct (n + i, run (n + i) cancellation.Token ended[i]))

            for i in [| 2; 0; 3; 1 |] do
                let struct (number, operation) = started[i]
                let! wrong = settle number cancellation.Token operation
                Option.iter note wrong

            for counter in ended do
                if counter[0] <> 1 then
                    note $"A finally of {n} and its neighbours ran {counter[0]} times"
                    counter[0] <- 0
                else
                    counter[0] <- 0

            n <- n + 4
            operations <- operations + 4L

        return operations
    }

/// Runs 16 loops for the time given. An operation that is lost shows as a loop that does not end.
let run (time: TimeSpan) : Outcome =
    let errors = ResizeArray<string>()

    let note (what: string) =
        lock errors (fun () ->
            if errors.Count < 20 then
                errors.Add what)

    let loops =
        [|
            for index in 1..16 ->
                Task.Run<int64>(fun () -> loop index (fun clock -> clock.Elapsed > time) note)
        |]

    let all = Task.WhenAll loops

    if not (Task.WaitAny([| all :> Task |], time + TimeSpan.FromSeconds 30.) = 0) then
        note "An operation was lost: its loop did not end within 30 s of the others' end"

    {
        Operations =
            loops
            |> Array.sumBy (fun loop -> if loop.IsCompletedSuccessfully then loop.Result else 0L)
        Errors =
            [
                yield! errors
                for loop in loops do
                    if loop.IsFaulted then
                        string loop.Exception
            ]
    }
