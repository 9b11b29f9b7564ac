// Programs with a result: values of many types, `return!` of every awaitable, generic code, deep recursion. Compiled for
// each builder that has a result: see the project file.
module Plait.Tests.Programs.PooledValueTasks.Results

open System
open System.Threading.Tasks

open Plait
open Plait.Tests.Oracle
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTasks

/// The value, behind as many yields as asked for.
let generic (value: 'T) (yields: int) : Co<'T> =
    co {
        for _ in 1..yields do
            do! Task.Yield()

        return value
    }

/// A function applied twice.
let twice (apply: 'a -> Co<'b>) (value: 'a) : Co<'b list> =
    co {
        let! first = apply value
        let! second = apply value
        return [ first; second ]
    }

let fails (error: exn) (yields: int) : Co<int> =
    co {
        for _ in 1..yields do
            do! Task.Yield()

        return raise error
    }

let awaits (source: Task<'T>) : Co<'T> =
    co {
        let! value = source
        return value
    }

/// Awaits a value of this very kind.
let awaitsSame (source: Co<'T>) : Co<'T> =
    co {
        let! value = source
        return value
    }

/// Every awaitable under `return!`.
let returned: (string * (Given -> Co<int>)) list =
    [
        "Task<'T>", fun given -> co { return! given.Task 7 }
        "Task<'T> configured", fun given -> co { return! (given.Task 7).ConfigureAwait false }
        "ValueTask<'T>", fun given -> co { return! given.ValueTask 7 }
        "ValueTask<'T> configured", fun given -> co { return! (given.ValueTask 7).ConfigureAwait false }
        "Async<'T>", fun given -> co { return! given.Async 7 }
        "class awaiter", fun given -> co { return! ClassAwaitable(given.Ending 7) }
        "struct awaiter", fun given -> co { return! StructAwaitable(given.Ending 7) }
        "INotifyCompletion only", fun given -> co { return! PlainAwaitable(given.Ending 7) }
        "ConfigureAwait only", fun given -> co { return! ConfigureOnly(given.Ending 7) }
        "function to Task<'T>", fun given -> co { return! (fun () -> given.Task 7) }
        "Strand", fun given -> co { return! strand { return! given.Task 7 } }
        "itself", fun given -> co { return! co { return! given.Task 7 } }
        "while loop around a bind",
        fun given ->
            co {
                let mutable x = 0

                while x < 7 do
                    let! y = given.Task 7
                    x <- y

                return x
            }
        "try with",
        fun given ->
            co {
                try
                    return! given.Task 7
                with error ->
                    given.Caught error
                    return! raise error
            }
        "try finally",
        fun given ->
            co {
                try
                    return! given.Task 7
                finally
                    given.Log "finally"
            }
        "use",
        fun given ->
            co {
                use _it = given.Open "it"
                return! given.Task 7
            }
        "match",
        fun given ->
            co {
                let! x = given.Task 3

                match x with
                | 3 -> return! given.Task 7
                | _ -> return 0
            }
    ]

let factorial (n: int) : Co<bigint> =
    let rec go (n: int) : Co<bigint> =
        co {
            if n = 0 then
                return 1I
            else
                let! rest = go (n - 1)

                if n % 3 = 0 then
                    do! Task.Yield()

                return bigint n * rest
        }

    go n

/// `return!` all the way, suspending at each step.
let rec yieldingTail (n: int) (total: int64) : Co<int64> =
    co {
        if n = 0 then
            return total
        else
            do! Task.Yield()
            return! yieldingTail (n - 1) (total + 1L)
    }

/// `return!` all the way, at each step behind a gate that the caller opens.
let rec gatedTail (gate: Gate) (n: int) (total: int64) : Co<int64> =
    co {
        if n = 0 then
            return total
        else
            let! one = gate
            return! gatedTail gate (n - 1) (total + int64 one)
    }

/// `return!` all the way without a suspension.
let rec synchronousTail (n: int) (total: int64) : Co<int64> =
    co {
        if n = 0 then
            return total
        else
            let! one = co { return 1L }
            return! synchronousTail (n - 1) (total + one)
    }

/// Not a tail call: each level waits for the next.
let rec depth (n: int) : Co<int> =
    co {
        if n = 0 then
            do! Task.Yield()
            return 0
        else
            let! below = depth (n - 1)
            return below + 1
    }

/// Many turns, every so many of which suspend (0: none).
let turns (count: int) (every: int) : Co<int> =
    co {
        let mutable i = 0

        while i < count do
            if every > 0 && i % every = 0 then
                do! Task.Yield()

            let! one = co { return 1 }
            i <- i + one

        for x in Seq.init count id do
            if every > 0 && x % every = 0 then
                do! Task.Yield()

            let! one = Task.FromResult 1
            i <- i + one

        return i
    }

/// Where it runs: static code has a machine of its own on the stack, dynamic code has not.
let stack () : Co<string> =
    co {
        let! _ = Task.FromResult 1
        return Diagnostics.StackTrace().ToString()
    }

/// A captured value, which is kept alive as long as this is suspended.
let holding (kept: obj) (gate: Gate) : Co<obj> =
    co {
        let! _ = gate
        GC.KeepAlive kept
        return obj ()
    }

/// Waits at the gate and returns what it was given.
let behind (gate: Gate) (value: 'T) : Co<'T> =
    co {
        let! _ = gate
        return value
    }

/// Runs a function here, behind a wait.
let after (source: Task<int>) (inspect: unit -> 'T) : Co<'T> =
    co {
        let! _ = source
        return inspect ()
    }

/// Runs a function after each wait of a program with a loop and a finally.
let afterEach (source: unit -> Task<int>) (child: unit -> Co<int>) (inspect: unit -> unit) : Co<int> =
    co {
        let mutable i = 0

        while i < 3 do
            let! _ = source ()
            inspect ()
            i <- i + 1

        for _ in [ 1; 2 ] do
            let! _ = child ()
            inspect ()

        try
            try
                let! _ = source ()
                inspect ()
            finally
                inspect ()
        with _ ->
            inspect ()

        do! Task.Yield()
        inspect ()
        return i
    }

/// Hops to another thread in every kind of statement and notes, behind it, where it is.
let hopping (hopper: Hopper) (note: string -> unit) : Co<int> =
    co {
        if hopper.Last <> "" then
            do! hopper.Next()

        note "if"

        for _ in [| 1; 2 |] do
            do! hopper.Next()

        note "for"
        let mutable i = 0

        while i < 2 do
            do! hopper.Next()
            i <- i + 1

        note "while"

        try
            do! hopper.Next()
        finally
            note "finally"

        note "behind finally"

        try
            do! hopper.Next()
            failwith "on purpose"
        with _ ->
            note "handler"

        note "behind the handler"
        return i
    }
