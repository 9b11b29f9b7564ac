// Operations that C# consumes. The build copies this file for each public builder whose operations have a result.
module Plait.Tests.Programs.DirectConsumed

open System.Threading.Tasks

open Plait

/// The source's result, or its error.
let awaits (source: Task<int>) =
    pooledValueTask {
        let! value = source
        return value
    }

/// Throws, behind as many yields as asked for.
let fails (error: exn) (yields: int) =
    pooledValueTask {
        for _ in 1..yields do
            do! Task.Yield()

        return (raise error: int)
    }
