// Operations without a result that C# consumes. The build copies this file for each public builder of such.
module Plait.Tests.Programs.DirectConsumedUnits

open System.Threading.Tasks

open Plait

/// Ends when the source does, or with its error.
let awaits (source: Task<int>) =
    pooledValueTaskUnit {
        let! value = source
        ignore value
    }

/// Throws, behind as many yields as asked for.
let fails (error: exn) (yields: int) =
    pooledValueTaskUnit {
        for _ in 1..yields do
            do! Task.Yield()

        raise error
    }
