// Limits of time, further attempts and many at a time that are awaited.
module PLT301.Negative.Limits

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let attempts (policy: RetryPolicy) =
    task {
        let! length = Task.retry policy (fun _ _ -> count "a")
        return length + 1
    }

/// Each attempt makes a value of its own.
let valueTasks (policy: RetryPolicy) = task { return! ValueTask.retry policy (fun _ _ -> fetch "a") }

/// The function runs once.
let inTime (reading: ValueTask<int>) =
    task {
        let! length = Task.withTimeout (TimeSpan.FromSeconds 1.) (fun _ -> reading.AsTask())
        return length + 1
    }

let before (job: Task<int>) =
    task {
        let! length = Task.withDeadline (DateTimeOffset.Now.AddSeconds 1.) (fun _ -> job)
        return length + 1
    }

let many (names: string list) =
    task {
        let! lengths = Task.mapThrottled 3 count names
        return Array.sum lengths
    }
