// Limits of time, further attempts and many at a time: their results are operations too.
module PLT301.Positive.Limits

open System
open Support.Jobs
open Plait

let attempts (policy: RetryPolicy) = task { Task.retry policy (fun _ _ -> count "a") |> ignore } // PLT301 warning

let strands (policy: RetryPolicy) =
    strand { Strand.retryUntil (fun n -> n > 1) policy (fun _ _ -> spun "a") |> ignore } // PLT301 warning

let inTime () = task { Task.withTimeout (TimeSpan.FromSeconds 1.) (fun _ -> count "a") |> ignore } // PLT301 warning

let many (names: string list) = task { Task.mapThrottled 3 count names |> ignore } // PLT301 warning
