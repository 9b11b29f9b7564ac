// The code that runs each of these programs. It prints `ready PID` when its load has begun, answers each line on its input with the
// number of work items that the pool has completed, and ends with its input.
module Sick.Running

open System
open System.Diagnostics
open System.Threading

/// Waits until something has been so for half a second.
let private waitUntil (so: unit -> bool) =
    let clock = Stopwatch.StartNew()

    while clock.ElapsedMilliseconds < 500L do
        Thread.Sleep 10

        if not (so ()) then
            clock.Restart()

/// Runs the one that the arguments name: of `sick` work waits, of `well` none does.
let run (sick: (string * (unit -> unit)) list) (well: (string * (unit -> unit)) list) (args: string array) =
    let named = List.tryFind (fst >> (=) (String.concat " " args))

    match named sick, named well with
    | None, None ->
        let names = List.map fst (sick @ well) |> String.concat ", "
        eprintfn $"Name one of {names}."
        2
    | isSick, isWell ->
        let _, start = Option.orElse isWell isSick |> Option.get
        start ()
        waitUntil (fun () -> isSick.IsNone || ThreadPool.PendingWorkItemCount > 0L)
        Console.WriteLine $"ready {Environment.ProcessId}"

        while not (isNull (Console.ReadLine())) do
            Console.WriteLine $"completed {ThreadPool.CompletedWorkItemCount}"

        0
