// What the library promises of the rows.
module Plait.Benchmarks.Promises

open Plait.Benchmarks.Suites
open Plait.Benchmarks.Goals

/// Bytes are exact but for what starts the operations: a thousand Tasks in a slice are one byte a visit.
let all =
    [
        for row in [ "AsyncLock"; "AsyncSemaphore" ] do
            bytes 1.0 free row
            bytes 1.0 (contended 2 100_000) row
            bytes 2.0 (contended 1_000 100_000) row

            { time 1.0 row "SemaphoreSlim" free with
                Why =
                    "the JIT compiles what the locks share by the profile of all that ran; alone in a process AsyncLock takes 0.67, and without the profile the two take 0.83 and 0.96"
            }

        bytes 1.0 set "AsyncAutoResetEvent"
        bytes 1.0 signalled "AsyncAutoResetEvent"
        bytes 1.0 broadcast "AsyncManualResetEvent"
    ]
