// The modules of operations without a result: their results are operations too.
module PLT301.Positive.UnitModules

open System
open Support.Jobs
open Plait

let attempts (policy: RetryPolicy) = task { TaskUnit.retry policy (fun _ _ -> save "a") |> ignore } // PLT301 warning

let inTime () =
    task { TaskUnit.withTimeout (TimeSpan.FromSeconds 1.) (fun _ -> save "a") |> ignore } // PLT301 warning

let values () =
    pooledValueTask { PooledValueTaskUnit.timeout (TimeSpan.FromSeconds 1.) (flush "a") |> ignore } // PLT301 warning

let all (names: string list) =
    task { names |> List.map flush |> ValueTaskUnit.whenAll |> ignore } // PLT301 warning

let each (names: string list) = task { ValueTaskUnit.iterThrottled 2 flush names |> ignore } // PLT301 warning
