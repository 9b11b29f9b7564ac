// The methods in F#, the same as those in C#. Each is a function of its own, so that its builder is known where it is
// compiled.
module internal Plait.Lab.Yields.Methods

open System.Threading.Tasks
open Plait

let fsharpTask (x: int) (y: int) =
    task {
        do! Task.Yield()
        let sum = x + y
        do! Task.Yield()
        return 10 * sum
    }

let plaitTask (x: int) (y: int) =
    Tasks.task {
        do! Task.Yield()
        let sum = x + y
        do! Task.Yield()
        return 10 * sum
    }

let pooledTask' (x: int) (y: int) =
    pooledTask {
        do! Task.Yield()
        let sum = x + y
        do! Task.Yield()
        return 10 * sum
    }

let valueTask' (x: int) (y: int) =
    valueTask {
        do! Task.Yield()
        let sum = x + y
        do! Task.Yield()
        return 10 * sum
    }

let pooledValueTask' (x: int) (y: int) =
    pooledValueTask {
        do! Task.Yield()
        let sum = x + y
        do! Task.Yield()
        return 10 * sum
    }

let unsafePooledValueTask (x: int) (y: int) =
    Unsafe.pooledValueTask {
        do! Task.Yield()
        let sum = x + y
        do! Task.Yield()
        return 10 * sum
    }

let strand' (x: int) (y: int) =
    strand {
        do! Task.Yield()
        let sum = x + y
        do! Task.Yield()
        return 10 * sum
    }

let unsafeStrand (x: int) (y: int) =
    Unsafe.strand {
        do! Task.Yield()
        let sum = x + y
        do! Task.Yield()
        return 10 * sum
    }

let bareStrand (x: int) (y: int) =
    Unsafe.Bare.strand {
        do! Task.Yield()
        let sum = x + y
        do! Task.Yield()
        return 10 * sum
    }

let guardedStrand (x: int) (y: int) =
    Guarded.strand {
        do! Task.Yield()
        let sum = x + y
        do! Task.Yield()
        return 10 * sum
    }

let plaitTaskUnit () =
    Tasks.taskUnit {
        do! Task.Yield()
        do! Task.Yield()
    }

let pooledTaskUnit' () =
    pooledTaskUnit {
        do! Task.Yield()
        do! Task.Yield()
    }

let valueTaskUnit' () =
    valueTaskUnit {
        do! Task.Yield()
        do! Task.Yield()
    }

let pooledValueTaskUnit' () =
    pooledValueTaskUnit {
        do! Task.Yield()
        do! Task.Yield()
    }

/// F# async knows no Task.Yield; this is the same: the rest becomes an item of the pool.
let fsharpAsync (x: int) (y: int) =
    async {
        do! Async.SwitchToThreadPool()
        let sum = x + y
        do! Async.SwitchToThreadPool()
        return 10 * sum
    }
