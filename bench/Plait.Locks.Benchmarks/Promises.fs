// The library's goals for the rows.
module Plait.Benchmarks.Promises

open Plait.Benchmarks.Suites
open Plait.Benchmarks.Goals

/// Bytes are exact but for the start of the operations: a thousand Tasks in a slice are one byte a visit.
let all =
    [
        for row in [ "AsyncLock"; "AsyncSemaphore" ] do
            bytes 1.0 free row
            bytes 1.0 (contended 2 100_000) row
            bytes 2.0 (contended 1_000 100_000) row

        for row in [ "AsyncLock"; "AsyncSemaphore" ] do
            { time 1.0 row "SemaphoreSlim" free with
                Why = "the JIT compiles the methods that both rows call by the profile of both"
            }

        bytes 1.0 set "AsyncAutoResetEvent"
        bytes 1.0 signalled "AsyncAutoResetEvent"
        bytes 1.0 broadcast "AsyncManualResetEvent"
    ]
