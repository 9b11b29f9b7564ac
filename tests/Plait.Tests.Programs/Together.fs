// Programs with `and!`. Compiled for each builder: see the project file.
module Plait.Tests.Programs.PooledValueTasks.Together

open System.Threading.Tasks

open Plait
open Plait.Tests.Oracle
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTasks

let two (first: Task<int>) (second: ValueTask<int>) (log: string -> unit) : Co =
    co {
        let! x = first
        and! y = second
        log $"{x} {y}"
    }

let tasks (first: Task<int>) (second: Task<int>) (log: string -> unit) : Co =
    co {
        let! x = first
        and! y = second
        log $"{x} {y}"
    }

let three
    (first: unit -> Task<int>)
    (second: unit -> ValueTask<int>)
    (third: unit -> Task<int>)
    (log: string -> unit)
    : Co =
    co {
        let! x = first ()
        and! y = second ()
        and! z = strand { return! third () }
        log $"{x} {y} {z}"
    }

let five (given: Given) : Co =
    co {
        let! a = given.Task 1
        and! b = given.ValueTask 2
        and! c = ClassAwaitable(given.Ending 3)
        and! d = StructAwaitable(given.Ending 4)
        and! e = PlainAwaitable(given.Ending 5)
        given.Log $"{a} {b} {c} {d} {e}"
    }

let mixed (given: Given) : Co =
    co {
        let! a = (given.Task 1).ConfigureAwait false
        and! () = Task.Yield()
        and! b = strand { return! given.Task 2 }
        and! () = given.Unit()
        given.Log $"{a} {b}"
        let! c = ConfigureOnly(given.Ending 3)
        and! d = fun () -> given.Task 4
        and! e = fun () -> given.Task 5
        given.Log $"{c} {d} {e}"
        let! f = given.Task 6
        and! g = given.Task 7
        given.Log $"{f} {g}"
    }

let caught (first: Task<int>) (second: Task<int>) (log: string -> unit) : Co =
    co {
        try
            let! x = first
            and! y = second
            log $"{x} {y}"
        with error ->
            log error.Message
            log $"{first.IsCompleted} {second.IsCompleted}"
    }
