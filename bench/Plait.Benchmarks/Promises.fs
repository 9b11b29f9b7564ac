// The library's goals for the rows.
module Plait.Benchmarks.Promises

open Plait.Benchmarks.Suites
open Plait.Benchmarks.Goals

/// .NET 10 inlines methods with a `finally`, such as the start of a C# method, but none that catches, as a start in F# does.
let private notInlined =
    "its start catches an exception, so the JIT makes it a call of its own; C#'s is inlined"

let private lifted =
    "behind each await the rest is a function of its own, which is called; a machine goes on in its method"

let private crowded =
    "a thousand machines come from the pool that threads share; the BCL's builder keeps few and allocates 104 B for each other one"

let private unexplained = "the cause is not known"

/// Why a pooled row takes longer than the BCL's, where it is known to. In the other rows two reports differ by a tenth.
let private known (suite: Suite) row =
    [
        if row = "pooledValueTask" then
            (deep 10).Title, notInlined
            (deep 100).Title, notInlined
            (deepSuspended 100).Title, notInlined
            sources.Title, unexplained
        (inFlight 1000).Title, crowded
    ]
    |> List.tryFind (fun (title, _) -> title = suite.Title)
    |> Option.map snd
    |> Option.defaultValue "two reports of this row differ by a tenth"

/// Bytes are exact but for a timer or a tier-0 method: up to 1 B/op is none. A time that must not be longer may be
/// 1.05: one program differs from itself by that.
let all =
    [
        for suite in [ value; eight; gates; sources; yields ] @ List.map inFlight [ 1; 8; 64; 1000 ] do
            bytes 1.0 suite "pooledValueTask"

        for suite in [ value; eight ] do
            bytes 1.0 suite "strand"

        for row in [ "pooledTask"; "valueTask"; "C# PooledTask" ] do
            bytes 73.0 yields row

        for row in [ "C# PooledValueTask"; "C# ValueTask, our builder" ] do
            bytes 1.0 yields row

        bytes 120.0 yields "strand"
        { time 1.05 "strand" "C# ValueTask" eight with Why = lifted }
        { time 1.20 "strand" "C# ValueTask" ten with Why = $"{notInlined}; {lifted}" }

        for suite in Suites.all do
            if suite.Rows |> List.exists (fun row -> row.Name = "Plait.Tasks.task") then
                bytesBeyond 1.0 "Plait.Tasks.task" "F# task" suite
                time 1.05 "Plait.Tasks.task" "F# task" suite

                for row in [ "pooledValueTask"; "C# PooledValueTask"; "C# ValueTask, our builder" ] do
                    { time 1.05 row "C# pooling ValueTask" suite with Why = known suite row }
    ]
