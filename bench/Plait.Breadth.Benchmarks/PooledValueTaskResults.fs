// Results by a builder of results.
module Plait.Benchmarks.PooledValueTaskResults

open System
open System.Threading.Tasks
open Plait

let private checked' (limit: int) (x: int) =
    pooledValueTaskResult {
        if x > limit then
            do! Error "too large"

        return x + 1
    }

let private later (limit: int) (x: int) =
    pooledValueTaskResult {
        do! Task.Yield()

        if x > limit then
            do! Error "too large"

        return x + 1
    }

let private three (limit: int) (x: int) =
    pooledValueTaskResult {
        let! a = checked' limit x
        let! b = checked' limit a
        let! c = checked' limit b
        return a + b + c
    }

let private threeLater (limit: int) (x: int) =
    pooledValueTaskResult {
        let! a = later limit x
        let! b = later limit a
        let! c = later limit b
        return a + b + c
    }

let private both (limit: int) (x: int) =
    pooledValueTaskValidation {
        let! a = checked' limit x
        and! b = checked' limit (x + 1)
        return a + b
    }

/// So many operations of three steps, the limit of a step being given.
let steps (limit: int) (count: int) : Task =
    pooledTaskUnit {
        for _ in Range(0, count) do
            let! _ = three limit 1
            ()
    }

/// The same, each step behind Task.Yield().
let stepsLater (limit: int) (count: int) : Task =
    pooledTaskUnit {
        for _ in Range(0, count) do
            let! _ = threeLater limit 1
            ()
    }

/// So many validations of two values.
let validations (limit: int) (count: int) : Task =
    pooledTaskUnit {
        for _ in Range(0, count) do
            let! _ = both limit 1
            ()
    }
