// Limits of time, further attempts and many at a time that are awaited.
module PLT301.Negative.Limits

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let attempts (policy: RetryPolicy) = task { return! Task.retry policy (fun _ _ -> count "a") }

/// Each attempt makes a value of its own.
let valueTasks (policy: RetryPolicy) = task { return! ValueTask.retry policy (fun _ _ -> fetch "a") }

/// The function runs once.
let inTime (reading: ValueTask<int>) =
    task { return! Task.withTimeout (TimeSpan.FromSeconds 1.) (fun _ -> task { return! reading }) }

let before (job: Task<int>) =
    task { return! Task.withDeadline (DateTimeOffset.Now.AddSeconds 1.) (fun _ -> job) }

let many (names: string list) =
    task {
        let! lengths = Task.mapThrottled 3 count names
        return Array.sum lengths
    }
