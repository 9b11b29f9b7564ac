// The measured programs in F#: the same as Baselines.cs, in FSharp.Core's `task` and in Plait's builders.
module Plait.Benchmarks.Programs

open System.Threading.Tasks
open Plait
open Plait.Benchmarks.CSharp

module FSharpTask =
    let value (x: int) = task { return x + 1000 }

    let eight (t: Task<int>) =
        task {
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

    let gate (gate: Gate) =
        task {
            let! a = gate
            let! b = gate
            return a + b
        }

    let source (source: Source) =
        task {
            let! a = source.Next()
            let! b = source.Next()
            return a + b
        }

    let yields () =
        task {
            do! Task.Yield()
            do! Task.Yield()
            return 42
        }

module Pooled =
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

    let gate (gate: Gate) =
        pooledValueTask {
            let! a = gate
            let! b = gate
            return a + b
        }

    let source (source: Source) =
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

module Strands =
    let value (x: int) = strand { return x + 1000 }

    let eight (t: Task<int>) =
        strand {
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

    let gate (gate: Gate) =
        strand {
            let! a = gate
            let! b = gate
            return a + b
        }

    let source (source: Source) =
        strand {
            let! a = source.Next()
            let! b = source.Next()
            return a + b
        }

    let yields () =
        strand {
            do! Task.Yield()
            do! Task.Yield()
            return 42
        }

/// Synchronous recursion: the price of one wrapper that never suspends.
module Recursion =
    let rec plain (n: int) : int =
        if n < 2 then n else plain (n - 1) + plain (n - 2)

    let rec exact (n: int) : Strand<int> =
        strand {
            if n < 2 then
                return n
            else
                let! a = exact (n - 1)
                let! b = exact (n - 2)
                return a + b
        }

    let rec bare (n: int) : Strand<int> =
        Unsafe.Bare.strand {
            if n < 2 then
                return n
            else
                let! a = bare (n - 1)
                let! b = bare (n - 2)
                return a + b
        }

    let rec pooled (n: int) : ValueTask<int> =
        pooledValueTask {
            if n < 2 then
                return n
            else
                let! a = pooled (n - 1)
                let! b = pooled (n - 2)
                return a + b
        }

    let rec fsharp (n: int) : Task<int> =
        task {
            if n < 2 then
                return n
            else
                let! a = fsharp (n - 1)
                let! b = fsharp (n - 2)
                return a + b
        }
