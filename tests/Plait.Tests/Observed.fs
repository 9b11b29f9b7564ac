// Whether somebody observes each failure: a Task whose exception nobody reads reports it when the collector finalizes it.
module Plait.Tests.Observed

open System
open System.Collections.Concurrent
open System.Threading.Tasks
open Xunit

/// After ten runs, every exception with this text was observed.
let all (text: string) (fail: unit -> unit) =
    let unobserved = ConcurrentQueue<string>()

    let handler =
        EventHandler<UnobservedTaskExceptionEventArgs>(fun _ args ->
            if args.Exception.ToString().Contains text then
                unobserved.Enqueue args.Exception.Message)

    TaskScheduler.UnobservedTaskException.AddHandler handler

    try
        for _ in 1..10 do
            fail ()

        for _ in 1..3 do
            GC.Collect()
            GC.WaitForPendingFinalizers()

        Assert.Empty unobserved
    finally
        TaskScheduler.UnobservedTaskException.RemoveHandler handler
