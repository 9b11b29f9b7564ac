// Synchronous recursion: the price of one wrapper that never suspends, next to a plain call.
namespace Plait.Benchmarks.Programs

open Plait

/// The recursion of Methods.fs without a wrapper, and with those that have no other programs.
module Recursion =
    let rec plain (n: int) : int =
        if n < 2 then n else plain (n - 1) + plain (n - 2)

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
