// Programs that bind one awaitable each, of every type and in every position, without a type annotation. Compiled for
// each builder: see the project file.
module Plait.Tests.Programs.PooledValueTasks.Binding

open System
open System.Threading.Tasks

open Plait
open Plait.Tests.Oracle
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTasks

/// Awaitables with a result: each program notes it.
let values: (string * (Given -> Co)) list =
    [
        "Task<'T>",
        fun given ->
            co {
                let! x = given.Task 7
                given.Log $"got {x}"
            }
        "Task<'T> configured",
        fun given ->
            co {
                let! x = (given.Task 7).ConfigureAwait false
                given.Log $"got {x}"
            }
        "ValueTask<'T>",
        fun given ->
            co {
                let! x = given.ValueTask 7
                given.Log $"got {x}"
            }
        "ValueTask<'T> configured",
        fun given ->
            co {
                let! x = (given.ValueTask 7).ConfigureAwait false
                given.Log $"got {x}"
            }
        "Async<'T>",
        fun given ->
            co {
                let! x = given.Async 7
                given.Log $"got {x}"
            }
        "class awaiter",
        fun given ->
            co {
                let! x = ClassAwaitable(given.Ending 7)
                given.Log $"got {x}"
            }
        "struct awaiter",
        fun given ->
            co {
                let! x = StructAwaitable(given.Ending 7)
                given.Log $"got {x}"
            }
        "INotifyCompletion only",
        fun given ->
            co {
                let! x = PlainAwaitable(given.Ending 7)
                given.Log $"got {x}"
            }
        "ConfigureAwait only",
        fun given ->
            co {
                let! x = ConfigureOnly(given.Ending 7)
                given.Log $"got {x}"
            }
        "function to Task<'T>",
        fun given ->
            co {
                let! x = fun () -> given.Task 7
                given.Log $"got {x}"
            }
        "Strand",
        fun given ->
            co {
                let! x = strand { return! given.Task 7 }
                given.Log $"got {x}"
            }
        "bare Strand",
        fun given ->
            co {
                let! x = Plait.Unsafe.Bare.strand { return! given.Task 7 }
                given.Log $"got {x}"
            }
        "pooled ValueTask",
        fun given ->
            co {
                let! x = Plait.Unsafe.pooledValueTask { return! given.Task 7 }
                given.Log $"got {x}"
            }
        "match!",
        fun given ->
            co {
                match! given.ValueTask 7 with
                | 7 -> given.Log "got 7"
                | x -> given.Log $"got {x}, not 7"
            }
    ]

/// Awaitables without a result.
let units: (string * (Given -> Co)) list =
    [
        "Task", fun given -> co { do! given.Unit() }
        "Task, configured", fun given -> co { do! (given.Unit()).ConfigureAwait false }
        "ValueTask", fun given -> co { do! ValueTask(given.Unit()) }
        "ValueTask, configured", fun given -> co { do! ValueTask(given.Unit()).ConfigureAwait false }
        "Task<unit>", fun given -> co { do! task { do! given.Unit() } }
        "Async<unit>",
        fun given ->
            co {
                do!
                    async {
                        let! _ = given.Async 7
                        ()
                    }
            }
        "Strand<unit>", fun given -> co { do! strand { do! given.Unit() } }
        "pooledValueTaskUnit", fun given -> co { do! pooledValueTaskUnit { do! given.Unit() } }
        "function to Task<unit>", fun given -> co { do! (fun () -> task { do! given.Unit() }) }
        "let! ()",
        fun given ->
            co {
                let! () = given.Unit()
                ()
            }
        "return! Task", fun given -> co { return! given.Unit() }
        "return! ValueTask", fun given -> co { return! ValueTask(given.Unit()) }
        "return! ValueTask, configured",
        fun given -> co { return! ValueTask(given.Unit()).ConfigureAwait false }
        "return! Task, configured", fun given -> co { return! (given.Unit()).ConfigureAwait false }
        "return! Task<unit>", fun given -> co { return! task { do! given.Unit() } }
        "return! Strand<unit>", fun given -> co { return! strand { do! given.Unit() } }
        "return! pooledValueTaskUnit", fun given -> co { return! pooledValueTaskUnit { do! given.Unit() } }
        "do! in a branch",
        fun given ->
            co {
                if given.Entries.IsEmpty then
                    do! given.Unit()
            }
    ]

/// Disposables that must be waited for.
let usings: (string * (Given -> Co)) list =
    [
        "use! Task",
        fun given ->
            co {
                use! _it =
                    task {
                        do! given.Unit()
                        return given.Open "it"
                    }

                given.Log "body"
            }
        "use! ValueTask",
        fun given ->
            co {
                use! _it =
                    ValueTask<Disposable>(
                        task {
                            do! given.Unit()
                            return given.Open "it"
                        }
                    )

                given.Log "body"
            }
        "use! configured",
        fun given ->
            co {
                use! _it =
                    (task {
                        do! given.Unit()
                        return given.Open "it"
                    })
                        .ConfigureAwait(false)

                given.Log "body"
            }
        "use! Async",
        fun given ->
            co {
                use! _it =
                    async {
                        let! _ = given.Async 7
                        return given.Open "it"
                    }

                given.Log "body"
            }
        "use! Strand",
        fun given ->
            co {
                use! _it =
                    strand {
                        do! given.Unit()
                        return given.Open "it"
                    }

                given.Log "body"
            }
    ]

/// Task.Yield, which has no manner.
let yields (given: Given) : Co =
    co {
        do! Task.Yield()
        given.Log "once"
        do! Task.Yield()
        return! Task.Yield()
    }

/// Over a range, which has no enumerator: its end is not part of it.
let ranges (given: Given) : Co =
    co {
        for i in Range(Index 1, Index 4) do
            let! x = given.Task(10 * i)
            given.Log $"{x}"

        for _ in Range(Index 2, Index 2) do
            given.Log "never"
    }
