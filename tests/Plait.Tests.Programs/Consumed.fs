// Operations that the tests in C# and those of locks consume. Compiled for each public builder whose operations have a result: see the
// project file.
module Plait.Tests.Programs.PooledValueTasks.Consumed

open System.Threading.Tasks

open Plait
open Plait.Tests.Programs.Builders.PooledValueTasks

/// The source's result, or its error.
let awaits (source: Task<int>) =
    co {
        let! value = source
        return value
    }

/// Throws, behind as many yields as asked for.
let fails (error: exn) (yields: int) =
    co {
        for _ in 1..yields do
            do! Task.Yield()

        return (raise error: int)
    }

/// Holds the lock until the release; whether it is held then.
let holds (gate: AsyncLock) (release: Task) =
    co {
        use! _ = gate.Enter()
        do! release
        return gate.IsHeld
    }
