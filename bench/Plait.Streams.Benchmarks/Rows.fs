// The rows of the suites: the same sequences as streams and as C#'s async iterators, read by the same loops in C#.
module Plait.Benchmarks.Rows

open System
open System.Collections.Generic
open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp

/// The title of the report, and the command that renews it.
let title, renew = "Streams, in turn, by the time of the processor", "make bench"

/// One way to write a sequence.
type Way =
    {
        Name: string
        Numbers: int -> IAsyncEnumerable<int>
        Gated: int -> Gate -> IAsyncEnumerable<int>
        Yielding: int -> IAsyncEnumerable<int>
        Within: IAsyncEnumerable<int> -> IAsyncEnumerable<int>
        Down: int -> IAsyncEnumerable<int>
    }

let private iterators =
    {
        Name = "C# async iterator"
        Numbers = Iterators.Numbers
        Gated = fun count gate -> Iterators.Gated(count, gate)
        Yielding = Iterators.Yielding
        Within = Iterators.Within
        Down = Iterators.Down
    }

let rec private down (depth: int) : IAsyncEnumerable<int> =
    stream {
        yield depth

        if depth > 1 then
            yield! down (depth - 1)
    }

let private streams =
    {
        Name = "stream"
        Numbers =
            fun count ->
                stream {
                    for i in Range(0, count) do
                        do! Task.CompletedTask
                        yield i
                }
        Gated =
            fun count gate ->
                stream {
                    for _ in Range(0, count) do
                        let! i = gate
                        yield i
                }
        Yielding =
            fun count ->
                stream {
                    for i in Range(0, count) do
                        do! Task.Yield()
                        yield i
                }
        Within =
            fun items ->
                stream {
                    yield! items
                    do! Task.CompletedTask
                }
        Down = down
    }

/// Both, the base first.
let ways = [ iterators; streams ]
