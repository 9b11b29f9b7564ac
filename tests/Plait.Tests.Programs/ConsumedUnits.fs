// Operations without a result that the tests in C# and those of locks consume. Compiled for each public builder of those: see the project
// file.
module Plait.Tests.Programs.PooledValueTaskUnits.Consumed

open System.Threading.Tasks

open Plait
open Plait.Tests.Programs.Builders.PooledValueTaskUnits

/// Ends when the source does, or with its error.
let awaits (source: Task<int>) =
    co {
        let! value = source
        ignore value
    }

/// Throws, behind as many yields as asked for.
let fails (error: exn) (yields: int) =
    co {
        for _ in 1..yields do
            do! Task.Yield()

        raise error
    }

/// Holds the lock until the release, and notes whether it is held then.
let holds (gate: AsyncLock) (release: Task) (note: bool -> unit) =
    co {
        use! _ = gate.Enter()
        do! release
        note gate.IsHeld
    }
