// The loops: each runs numbers of its own through the kinds, several at a time, and accounts for every one.
module Plait.Stress.Stress

open System
open System.Diagnostics
open System.Threading
open System.Threading.Tasks

open Plait.Stress.Frames
open Plait.Stress.Kinds

/// What came of a run: operations by kind, in the order of `Kinds.all`.
type Outcome =
    {
        ByKind: (string * int64) list
        Errors: string list
    }

    member outcome.Operations = outcome.ByKind |> List.sumBy snd

/// Awaits one operation and says what is wrong with how it ended, if anything.
let private settle
    (kind: Kind)
    (n: int)
    (token: CancellationToken)
    (operation: ValueTask<int>)
    : Task<string option> =
    task {
        let wrong (what: string) = Some $"{kind.Name}: {n} {what}"

        try
            let! value = operation

            return
                match ending n with
                | Succeeds when value = n -> None
                | Succeeds -> wrong $"came back as {value}"
                | expected -> wrong $"succeeded where it had to end as %A{expected}"
        with
        | Seven found when ending n = Fails && found = n -> return None
        | Seven found -> return wrong $"failed with the error of {found}"
        | :? OperationCanceledException as error when ending n = Cancelled && error.CancellationToken = token ->
            return None
        | :? OperationCanceledException -> return wrong "was cancelled by mistake"
        | error -> return wrong (string error)
    }

let private loop (index: int) (isOver: unit -> bool) (note: string -> unit) (done': int64[]) : Task =
    task {
        use cancellation = new CancellationTokenSource()
        let token = cancellation.Token
        let mutable n = index * 50_000_000
        let mutable turn = index

        while not (isOver ()) do
            let at = turn % all.Length
            let kind = all[at]

            // four in flight, awaited in another order than they were started in
            let started = Array.init 4 (fun i -> struct (n + i, kind.Start (n + i) token))

            for i in [| 2; 0; 3; 1 |] do
                let struct (number, operation) = started[i]
                let! wrong = settle kind number token operation
                Option.iter note wrong

            Interlocked.Add(&done'[at], 4L) |> ignore
            n <- n + 4
            turn <- turn + 1
    }

/// Runs 16 loops for the time given, and tells the number of operations and errors now and then. An operation that is lost
/// shows as a loop that does not end.
let run (time: TimeSpan) (tell: string -> unit) : Outcome =
    let errors = ResizeArray<string>()

    let note (what: string) =
        lock errors (fun () ->
            if errors.Count < 20 then
                errors.Add what)

    let counts: int64[] = Array.zeroCreate all.Length
    let clock = Stopwatch.StartNew()

    let loops =
        [|
            for index in 1..16 -> Task.Run(fun () -> loop index (fun () -> clock.Elapsed > time) note counts)
        |]

    let ended = Task.WhenAll loops
    let patience = time + TimeSpan.FromMinutes 2.

    while not (ended.IsCompleted) && clock.Elapsed < patience do
        if Task.WaitAny([| ended |], TimeSpan.FromSeconds 5.) < 0 then
            let sofar = lock errors (fun () -> errors.Count)
            tell $"{clock.Elapsed.TotalSeconds:F0} s: {Array.sum counts} operations, {sofar} errors"

    if not ended.IsCompleted then
        note "An operation was lost: its loop did not end within two minutes of the others' end"

    {
        ByKind = [ for at in 0 .. all.Length - 1 -> all[at].Name, counts[at] ]
        Errors =
            [
                yield! lock errors (fun () -> List.ofSeq errors)
                for loop in loops do
                    if loop.IsFaulted then
                        string loop.Exception
            ]
    }
