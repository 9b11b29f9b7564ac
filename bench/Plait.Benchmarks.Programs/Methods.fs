// The measured programs: the same as Methods.cs, and the recursion. Compiled for each builder: see the project file.
namespace Plait.Benchmarks.Programs.PooledValueTasks

open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp
open Plait.Benchmarks.Programs.Builders.PooledValueTasks

module Methods =
    let finished = Task.FromResult 1
    let gate = Gate()
    let source = Source()

    let value (x: int) = co { return x + 1000 }

    let eight (t: Task<int>) =
        co {
            let! a = t
            let! b = t
            let! c = t
            let! d = t
            let! e = t
            let! f = t
            let! g = t
            let! h = t
            return a + b + c + d + e + f + g + h
        }

    let ten (x: int) =
        co {
            let! a = value x
            let! b = value x
            let! c = value x
            let! d = value x
            let! e = value x
            let! f = value x
            let! g = value x
            let! h = value x
            let! i = value x
            let! j = value x
            return a + b + c + d + e + f + g + h + i + j
        }

    let gates () =
        co {
            let! a = gate
            let! b = gate
            return a + b
        }

    let sources () =
        co {
            let! a = source.Next()
            let! b = source.Next()
            return a + b
        }

    let yields () =
        co {
            do! Task.Yield()
            do! Task.Yield()
            return 42
        }

    let rec descend (depth: int) : Co<int> =
        co {
            if depth = 0 then
                return 1
            else
                let! below = descend (depth - 1)
                return below + 1
        }

    let rec descendAndYield (depth: int) : Co<int> =
        co {
            if depth = 0 then
                do! Task.Yield()
                return 1
            else
                let! below = descendAndYield (depth - 1)
                return below + 1
        }

    let joinYields (width: int) : Co<int> =
        co {
            let pending = Array.init width (fun _ -> yields ())
            let! results = all pending
            return results.Length
        }

    let rec fib (n: int) : Co<int> =
        co {
            if n < 2 then
                return n
            else
                let! a = fib (n - 1)
                let! b = fib (n - 2)
                return a + b
        }

/// The programs as rows of a report.
type Rows() =
    inherit Subject()

    // kept: a thousand places are bytes that no operation costs
    let mutable places: Co<int>[] = [||]

    override _.Name = name

    override _.Value count =
        for _ in 1..count do
            Methods.value 1 |> finish |> ignore

    override _.Eight count =
        for _ in 1..count do
            Methods.eight Methods.finished |> finish |> ignore

    override _.Ten count =
        for _ in 1..count do
            Methods.ten 1 |> finish |> ignore

    override _.Gates count =
        for _ in 1..count do
            let pending = Methods.gates ()
            Methods.gate.Open()
            Methods.gate.Open()
            pending |> finish |> ignore

    override _.Sources count =
        for _ in 1..count do
            let pending = Methods.sources ()
            Methods.source.Complete()
            Methods.source.Complete()
            pending |> finish |> ignore

    override _.Yields count = loop Methods.yields count

    override _.InFlight(count, width) =
        if places.Length <> width then
            places <- Array.zeroCreate width

        loopInFlight Methods.yields places count

    override _.Deep(count, depth) =
        for _ in 1 .. (count + depth - 1) / depth do
            Methods.descend depth |> finish |> ignore

    override _.DeepSuspended(count, depth) =
        loop (fun () -> Methods.descendAndYield depth) ((count + depth - 1) / depth)

    override _.WhenAll(count, width) =
        loop (fun () -> Methods.joinYields width) ((count + width - 1) / width)
