// The library's goals for the rows.
module Plait.Benchmarks.Promises

open Plait.Benchmarks.Suites
open Plait.Benchmarks.Goals

/// Bytes are exact but for the start of the operations, a Task in a slice, and for objects of the thread pool.
let all =
    [
        for suite in [ okay; failing; valid ] do
            bytes 0.1 suite "pooledValueTaskResult"
            bytes 0.1 suite "strandResult"

        bytes 1.0 okayLater "pooledValueTaskResult"

        for suite in [ okay; failing; valid ] do
            bytesBeyond 0.1 "taskResult" "task, by hand" suite

        bytesBeyond 0.1 "cancellableTask" "pooledTask of a token" kept
        bytesBeyond 0.1 "cancellableValueTask" "pooledValueTask of a token" kept
        bytesBeyond 24.1 "cancellableTask" "pooledTask of a token" started
        bytesBeyond 24.1 "cancellableValueTask" "pooledValueTask of a token" started
        bytesBeyond 1.0 "PooledValueTask.retryLinked" "a loop by hand" first
        bytes 1.0 limited "PooledValueTask.withTimeoutLinked"
        bytes 1.0 limitedLater "PooledValueTask.withTimeoutLinked"
    ]
