// Functions that pass their token on.
module Plait.Benchmarks.TaskFunctions

open System
open System.Threading
open System.Threading.Tasks
open Plait

let private step (x: int) (_token: CancellationToken) = task { return x + 1 }

let private later (x: int) (_token: CancellationToken) =
    task {
        do! Task.Yield()
        return x + 1
    }

let private two (x: int) (token: CancellationToken) =
    task {
        let! a = step x token
        let! b = step a token
        return a + b
    }

let private twoLater (x: int) (token: CancellationToken) =
    task {
        let! a = later x token
        let! b = later a token
        return a + b
    }

/// So many starts of one step.
let starts (token: CancellationToken) (count: int) : Task =
    pooledTaskUnit {
        for i in Range(0, count) do
            let! _ = step (i + 1000) token
            ()
    }

/// The same: a function of a token is not made here, but called.
let kept = starts

/// So many starts of two steps.
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
