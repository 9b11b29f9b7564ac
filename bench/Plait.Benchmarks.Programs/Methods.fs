// The measured programs: the same as Methods.cs. Written for `pooledValueTask`; see the project file for the copies.
namespace Plait.Benchmarks.Programs

open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp
open Direct

module DirectMethods =
    let finished = Task.FromResult 1
    let gate = Gate()
    let source = Source()

    let value (x: int) = pooledValueTask { return x + 1000 }

    let eight (t: Task<int>) =
        pooledValueTask {
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
        pooledValueTask {
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
        pooledValueTask {
            let! a = gate
            let! b = gate
            return a + b
        }

    let sources () =
        pooledValueTask {
            let! a = source.Next()
            let! b = source.Next()
            return a + b
        }

    let yields () =
        pooledValueTask {
            do! Task.Yield()
            do! Task.Yield()
            return 42
        }

    let rec descend (depth: int) : Co<int> =
        pooledValueTask {
            if depth = 0 then
                return 1
            else
                let! below = descend (depth - 1)
                return below + 1
        }

    let rec descendAndYield (depth: int) : Co<int> =
        pooledValueTask {
            if depth = 0 then
                do! Task.Yield()
                return 1
            else
                let! below = descendAndYield (depth - 1)
                return below + 1
        }

    let joinYields (width: int) : Co<int> =
        pooledValueTask {
            let pending = Array.init width (fun _ -> yields ())
            let! results = all pending
            return results.Length
        }

/// The programs as rows of a report.
type DirectSubject() =
    inherit Subject()

    // kept: a thousand places are bytes that no operation costs
    let mutable places: Co<int>[] = [||]

    override _.Name = name

    override _.Value count =
        for _ in 1..count do
            DirectMethods.value 1 |> finish |> ignore

    override _.Eight count =
        for _ in 1..count do
            DirectMethods.eight DirectMethods.finished |> finish |> ignore

    override _.Ten count =
        for _ in 1..count do
            DirectMethods.ten 1 |> finish |> ignore

    override _.Gates count =
        for _ in 1..count do
            let pending = DirectMethods.gates ()
            DirectMethods.gate.Open()
            DirectMethods.gate.Open()
            pending |> finish |> ignore

    override _.Sources count =
        for _ in 1..count do
            let pending = DirectMethods.sources ()
            DirectMethods.source.Complete()
            DirectMethods.source.Complete()
            pending |> finish |> ignore

    override _.Yields count = loop DirectMethods.yields count

    override _.InFlight(count, width) =
        if places.Length <> width then
            places <- Array.zeroCreate width

        loopInFlight DirectMethods.yields places count

    override _.Deep(count, depth) =
        for _ in 1 .. (count + depth - 1) / depth do
            DirectMethods.descend depth |> finish |> ignore

    override _.DeepSuspended(count, depth) =
        loop (fun () -> DirectMethods.descendAndYield depth) ((count + depth - 1) / depth)

    override _.WhenAll(count, width) =
        loop (fun () -> DirectMethods.joinYields width) ((count + width - 1) / width)
