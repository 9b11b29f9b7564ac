// The library's goals for the rows on .NET 11.
module Plait.Benchmarks.Promises

open Plait.Benchmarks.Suites
open Plait.Benchmarks.Goals

let private byName =
    let title, _, _ = Programs.FunctionValues.suite
    calls |> List.find (fun suite -> suite.Title = title)

/// A time that must not be longer may be 1.05: one program differs from itself by that. Bytes are exact but for a timer or a
/// tier-0 method: up to 1 B/op is none.
let all =
    [
        for suite in [ value; eight; ten; deep 100 ] do
            bytes 1.0 suite "runtime async valueTask"

        for suite in [ value; eight; ten; gates; yields; inFlight 1000; deepSuspended 100 ] do
            time 1.05 "runtime async valueTask" "C# runtime async ValueTask" suite
            time 1.05 "runtime async task" "C# runtime async Task" suite

        { time 1.05 "runtime async valueTask" "C# runtime async ValueTask" (deep 100) with
            Why =
                "the ratio differs from process to process, from 0.96 to 1.07, with the addresses of the compiled code"
        }
        time 1.05 "runtime async task" "C# runtime async Task" (deep 100)

        time 1.05 "by name" "C# by name" byName
        time 1.05 "by name, Task" "C# by name, Task" byName

        for suite in [ yields; inFlight 1000; deepSuspended 100 ] do
            bytesBeyond 1.0 "runtime async valueTask" "C# runtime async ValueTask" suite
            bytesBeyond 1.0 "runtime async task" "C# runtime async Task" suite

        { time 0.25 "strand" "F# task" (deepSuspended 100) with
            Why =
                "each level that waits allocates an object of the strand; it does not use the runtime's continuations"
        }
    ]
