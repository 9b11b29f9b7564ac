// The modules of operations without a result: they use their operands as those with results do.
module PLT101.Positive.UnitModules

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let inTime () =
    task {
        let flushed = flush "a"
        do! ValueTaskUnit.timeout (TimeSpan.FromSeconds 1.) flushed
        do! flushed // PLT101 warning
    }

let caught () =
    pooledValueTask {
        let flushed = flush "a"
        let! first = PooledValueTaskUnit.catch flushed
        let! second = PooledValueTaskUnit.catch flushed // PLT101 warning
        return first, second
    }

let handled () =
    pooledValueTaskUnit {
        let flushed = flush "a"
        do! PooledValueTaskUnit.catchWith ignore flushed
        do! flushed // PLT101 warning
    }

let all () =
    task {
        let flushed = flush "a"
        do! ValueTaskUnit.whenAll [ flushed; flush "b" ]
        do! flushed // PLT101 warning
    }

let any () =
    task {
        let flushed = flush "a"
        do! PooledValueTaskUnit.whenAny [ flushed; flush "b" ]
        do! flushed // PLT101 warning
    }

let attempts (policy: RetryPolicy) =
    let flushed = flush "a"

    task { do! TaskUnit.retry policy (fun _ _ -> task { do! flushed }) } // PLT101 warning

let limited () =
    task {
        let flushed = flush "a"
        do! TaskUnit.withTimeout (TimeSpan.FromSeconds 1.) (fun _ -> flushed.AsTask())
        do! flushed // PLT101 warning
    }
