// Synchronous recursion: the price of one wrapper that never suspends, next to a plain call.
namespace Plait.Benchmarks.Programs

open System.Threading.Tasks
open Plait

/// The same recursion with each wrapper.
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

    let rec guarded (n: int) : Strand<int> =
        Guarded.strand {
            if n < 2 then
                return n
            else
                let! a = guarded (n - 1)
                let! b = guarded (n - 2)
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
