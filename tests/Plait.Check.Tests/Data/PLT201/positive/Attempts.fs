// The functions that limits of time, further attempts and throttled maps call run in the body around them.
module PLT201.Positive.Attempts

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let attempts (policy: RetryPolicy) =
    task {
        return!
            Task.retry policy (fun _ _ ->
                Thread.Sleep 10 // PLT201 warning
                count "a")
    }

let inTime () =
    task {
        return!
            Task.withTimeout (TimeSpan.FromSeconds 1.) (fun _ -> Task.FromResult((count "a").Result)) // PLT201 warning
    }

let abandoned () =
    strand {
        return!
            Strand.abandonAfter (TimeSpan.FromSeconds 1.) (fun _ -> strand { return (count "a").Result }) // PLT201 warning
    }

let many (times: int list) =
    valueTask {
        return!
            ValueTask.mapThrottled
                3
                (fun (time: int) ->
                    Thread.Sleep time // PLT201 warning
                    fetch "a")
                times
    }
