// The modules of operations without a result: Tasks are used many times, and a new operation is made for each attempt.
module PLT101.Negative.UnitModules

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let tasks () =
    task {
        let saved = save "a"
        do! TaskUnit.timeout (TimeSpan.FromSeconds 1.) saved
        let! caught = TaskUnit.catch saved
        do! TaskUnit.whenAll [ saved; save "b" ]
        do! saved
        return caught
    }

let attempts (policy: RetryPolicy) =
    pooledValueTaskUnit { do! PooledValueTaskUnit.retry policy (fun _ _ -> flush "a") }

let limited () =
    task {
        let flushed = flush "a"
        do! TaskUnit.withTimeout (TimeSpan.FromSeconds 1.) (fun _ -> flushed.AsTask())
    }

let each (names: string list) =
    task { do! ValueTaskUnit.iterThrottled 2 flush names }
