// Programs with asynchronous disposal and asynchronous sequences, which are compared with C#'s `await using` and `await
// foreach`. Compiled for each builder: see the project file.
module Plait.Tests.Programs.PooledValueTasks.Disposal

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks

open Plait
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTasks

/// `use` with a body that ends as the given says.
let using (resource: IAsyncDisposable) (given: Given) : Co =
    co {
        use _resource = resource
        let! x = given.Task 1
        given.Log $"body {x}"
    }

/// The same with `use!`.
let usingBound (resource: IAsyncDisposable) (given: Given) : Co =
    co {
        use! _resource =
            task {
                do! System.Threading.Tasks.Task.Yield()
                return resource
            }

        let! x = given.Task 1
        given.Log $"body {x}"
    }

/// A type with both interfaces.
let both (given: Given) : Co =
    co {
        use _resource = new TwoFaced(given.Log)
        let! x = given.Task 1
        given.Log $"body {x}"
    }

/// Nothing to dispose.
let nothing (given: Given) : Co =
    co {
        use _untyped = null
        use (_asynchronous: IAsyncDisposable | null) = null
        use (_synchronous: IDisposable | null) = null
        use (_both: TwoFaced | null) = null
        let! x = given.Task 1
        given.Log $"body {x}"
    }

/// `for` over an asynchronous sequence.
let items (items: IAsyncEnumerable<int>) (given: Given) : Co =
    co {
        for item in items do
            let! x = given.Task item
            given.Log $"item {x}"
    }

/// `for` over an asynchronous sequence that is given a token.
let itemsUnder (items: IAsyncEnumerable<int>) (token: CancellationToken) (given: Given) : Co =
    co {
        for item in items.WithCancellation(token).ConfigureAwait false do
            let! x = given.Task item
            given.Log $"item {x}"
    }

/// It between loops of other kinds.
let mixedLoops (items: IAsyncEnumerable<int>) (given: Given) : Co =
    co {
        for item in [ 10; 20 ] do
            do! given.Unit()
            given.Log $"list {item}"

            for item in items do
                given.Log $"item {item}"

                for item in Seq.singleton 30 do
                    do! given.Unit()
                    given.Log $"seq {item}"

        for item in [| 40 |] do
            given.Log $"array {item}"
    }
