// Functions that a builder makes, each of which starts an operation when it is called.
module Plait.Benchmarks.CancellableTasks

open System
open System.Threading
open System.Threading.Tasks
open Plait

let private step (x: int) = cancellableTask { return x + 1 }

let private later (x: int) =
    cancellableTask {
        do! Task.Yield()
        return x + 1
    }

let private two (x: int) =
    cancellableTask {
        let! a = step x
        let! b = step a
        return a + b
    }

let private twoLater (x: int) =
    cancellableTask {
        let! a = later x
        let! b = later a
        return a + b
    }

/// So many functions of one step, each made and started.
let starts (token: CancellationToken) (count: int) : Task =
    pooledTaskUnit {
        for i in Range(0, count) do
            let! _ = step (i + 1000) token
            ()
    }

/// So many starts of one function.
let kept (token: CancellationToken) : int -> Task =
    let start = step 1000

    fun count ->
        pooledTaskUnit {
            for _ in Range(0, count) do
                let! _ = start token
                ()
        }

/// So many functions of two steps, each made and started.
let twos (token: CancellationToken) (count: int) : Task =
    pooledTaskUnit {
        for i in Range(0, count) do
            let! _ = two (i + 1000) token
            ()
    }

/// The same, each step behind Task.Yield().
let twosLater (token: CancellationToken) (count: int) : Task =
    pooledTaskUnit {
        for i in Range(0, count) do
            let! _ = twoLater (i + 1000) token
            ()
    }
