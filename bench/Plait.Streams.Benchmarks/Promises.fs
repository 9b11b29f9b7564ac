// The library's goals for the rows.
module Plait.Benchmarks.Promises

open Plait.Benchmarks.Suites
open Plait.Benchmarks.Goals

/// Bytes are exact but for the readers of the items: a few objects in a slice.
let all =
    [
        for suite in [ numbers; gated; yielding; within ] do
            bytes 0.1 suite "stream"
        bytesBeyond 0.0 "stream" "C# async iterator" short
        bytesBeyond 0.0 "stream" "C# async iterator" stopped
        bytesBeyond 0.0 "stream" "C# async iterator" down
    ]
