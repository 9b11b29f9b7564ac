// Functions without an argument, that start an operation at each call.
module Plait.Benchmarks.ColdTasks

open System
open System.Threading
open System.Threading.Tasks
open Plait

let private step (x: int) = coldTask { return x + 1 }

let private later (x: int) =
    coldTask {
        do! Task.Yield()
        return x + 1
    }

let private two (x: int) =
    coldTask {
        let! a = step x
        let! b = step a
        return a + b
    }

let private twoLater (x: int) =
    coldTask {
        let! a = later x
        let! b = later a
        return a + b
    }

/// So many functions of one step, each made and started.
let starts (_token: CancellationToken) (count: int) : Task =
    pooledTaskUnit {
        for i in Range(0, count) do
            let! _ = step (i + 1000) ()
            ()
    }

/// So many starts of one function.
let kept (_token: CancellationToken) : int -> Task =
    let start = step 1000

    fun count ->
        pooledTaskUnit {
            for _ in Range(0, count) do
                let! _ = start ()
                ()
        }

/// So many functions of two steps, each made and started.
let twos (_token: CancellationToken) (count: int) : Task =
    pooledTaskUnit {
        for i in Range(0, count) do
            let! _ = two (i + 1000) ()
            ()
    }

/// The same, each step behind Task.Yield().
let twosLater (_token: CancellationToken) (count: int) : Task =
    pooledTaskUnit {
        for i in Range(0, count) do
            let! _ = twoLater (i + 1000) ()
            ()
    }
