// Results that the code takes apart itself.
module Plait.Benchmarks.TasksByHand

open System
open System.Threading.Tasks
open Plait

let private checked' (limit: int) (x: int) =
    task { if x > limit then return Error "too large" else return Ok(x + 1) }

let private later (limit: int) (x: int) =
    task {
        do! Task.Yield()

        if x > limit then return Error "too large" else return Ok(x + 1)
    }

let private three (limit: int) (x: int) =
    task {
        match! checked' limit x with
        | Error error -> return Error error
        | Ok a ->
            match! checked' limit a with
            | Error error -> return Error error
            | Ok b ->
                match! checked' limit b with
                | Error error -> return Error error
                | Ok c -> return Ok(a + b + c)
    }

let private threeLater (limit: int) (x: int) =
    task {
        match! later limit x with
        | Error error -> return Error error
        | Ok a ->
            match! later limit a with
            | Error error -> return Error error
            | Ok b ->
                match! later limit b with
                | Error error -> return Error error
                | Ok c -> return Ok(a + b + c)
    }

let private both (limit: int) (x: int) =
    task {
        let first = checked' limit x
        let second = checked' limit (x + 1)
        let! a = first
        let! b = second

        match a, b with
        | Ok a, Ok b -> return Ok(a + b)
        | Error one, Error other -> return Error [ one; other ]
        | Error error, _
        | _, Error error -> return Error [ error ]
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
