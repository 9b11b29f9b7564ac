// The process in which the jobs of the scenario blocking run. The lab has the jobs and their protocol; this adds
// Plait.ThreadPool, whose Blocking.run is one of the ways of waiting that are measured.
module Plait.Lab.BlockingJobs.Program

open System
open System.Threading
open System.Threading.Tasks

open Plait
open Plait.Lab

/// Each call is awaited, so that no thread of the thread pool is blocked.
let private onOwnThreads (threads: int) (calls: int) (work: unit -> unit) : Task =
    task {
        use pool =
            new BlockingPool("jobs", BlockingPoolSettings(MaxThreads = threads, QueueLimit = calls))

        let call () : Task =
            task { do! Blocking.runOn pool CancellationToken.None work }

        do! Task.WhenAll(Array.init calls (fun _ -> call ()))
    }

[<EntryPoint>]
let main _ =
    BlockingWorker.serve onOwnThreads Console.In Console.Out
    0
