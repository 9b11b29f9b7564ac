// The modules of operations without a result: the functions that they run block the thread where they stand, and those for
// attempts and for elements too.
module PLT201.Positive.UnitModules

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let inTime () =
    task {
        do!
            TaskUnit.withTimeout (TimeSpan.FromSeconds 1.) (fun _ ->
                (save "a").Wait() // PLT201 warning
                Task.CompletedTask)
    }

let attempts (policy: RetryPolicy) =
    pooledValueTaskUnit {
        do!
            PooledValueTaskUnit.retry policy (fun _ _ ->
                (save "a").Wait() // PLT201 warning
                ValueTask())
    }

let each (names: string list) =
    task {
        do!
            ValueTaskUnit.iterThrottled
                2
                (fun name ->
                    (save name).Wait() // PLT201 warning
                    ValueTask())
                names
    }
