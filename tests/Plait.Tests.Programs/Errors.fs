// Programs over results: an Error ends them wherever it comes from. Each with what it must give; the log of what ran is
// compared too. Compiled for each builder of results: see the project file.
module Plait.Tests.Programs.PooledValueTaskResults.Errors

open System
open System.Collections.Generic
open System.Threading.Tasks

open Plait
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTaskResults

/// A sequence that notes how far it was read, and its end.
let private noted (given: ResultGiven) =
    seq {
        try
            for i in 1..5 do
                given.Log $"item {i}"
                yield i
        finally
            given.Log "closed"
    }

/// An asynchronous sequence that notes how far it was read, and its end.
let private notedAsync (given: ResultGiven) =
    { new IAsyncEnumerable<int> with
        member _.GetAsyncEnumerator _ =
            let mutable i = 0

            { new IAsyncEnumerator<int> with
                member _.Current = i

                member _.MoveNextAsync() =
                    i <- i + 1
                    given.Log $"item {i}"
                    ValueTask<bool>(i < 5)

                member _.DisposeAsync() =
                    given.Log "closed"
                    ValueTask()
            }
    }

let private odd (n: int) : Result<int, string> =
    if n % 2 = 1 then Ok n else Error $"even {n}"

/// Every kind of operation that gives a Result, under let!, do!, return! and and!.
let sources: (string * (Task<Result<int, string>> -> Co<int>)) list =
    let each
        (bind: Task<Result<int, string>> -> Co<int>)
        (forward: Task<Result<int, string>> -> Co<int>)
        (merge: Task<Result<int, string>> -> Co<int>)
        =
        [ "let!", bind; "return!", forward; "and!", merge ]

    let named name programs =
        [ for keyword, program in programs -> $"{name} under {keyword}", program ]

    List.concat
        [
            named
                "Task"
                (each (fun t -> co { let! x = t in return x }) (fun t -> co { return! t }) (fun t ->
                    co {
                        let! x = t
                        and! _ = Task.Yield()
                        return x
                    }))
            named
                "Task configured"
                (each
                    (fun t -> co { let! x = t.ConfigureAwait false in return x })
                    (fun t -> co { return! t.ConfigureAwait false })
                    (fun t ->
                        co {
                            let! x = t.ConfigureAwait false
                            and! y = Task.FromResult 0
                            return x + y
                        }))
            named
                "ValueTask"
                (each
                    (fun t -> co { let! x = ValueTask<_>(task = t) in return x })
                    (fun t -> co { return! ValueTask<_>(task = t) })
                    (fun t ->
                        co {
                            let! y = Task.FromResult 0
                            and! x = ValueTask<_>(task = t)
                            return x + y
                        }))
            named
                "ValueTask configured"
                (each
                    (fun t -> co { let! x = ValueTask<_>(task = t).ConfigureAwait false in return x })
                    (fun t -> co { return! ValueTask<_>(task = t).ConfigureAwait false })
                    (fun t ->
                        co {
                            let! x = ValueTask<_>(task = t).ConfigureAwait false
                            and! y = Ok 0
                            return x + y
                        }))
            named
                "Strand"
                (each
                    (fun t -> co { let! x = strand { return! t } in return x })
                    (fun t -> co { return! strand { return! t } })
                    (fun t ->
                        co {
                            let! x = strand { return! t }
                            and! y = Ok 0
                            return x + y
                        }))
            named
                "Async"
                (each
                    (fun t -> co { let! x = ResultAsync.ofTask t in return x })
                    (fun t -> co { return! ResultAsync.ofTask t })
                    (fun t ->
                        co {
                            let! x = ResultAsync.ofTask t
                            and! y = ResultAsync.ofTask (Task.FromResult 0)
                            return x + y
                        }))
            named
                "a function"
                (each
                    (fun t -> co { let! x = (fun () -> t) in return x })
                    (fun t -> co { return! (fun () -> t) })
                    (fun t ->
                        co {
                            let! x = fun () -> t
                            and! y = Ok 0
                            and! z = Task.FromResult 0
                            return x + y + z
                        }))
            named
                "GetAwaiter"
                (each
                    (fun t -> co { let! x = ResultAwaitable t in return x })
                    (fun t -> co { return! ResultAwaitable t })
                    (fun t ->
                        co {
                            let! x = ResultAwaitable t
                            and! y = ResultAwaitable(Task.FromResult 0)
                            return x + y
                        }))
            named
                "OnCompleted only"
                (each
                    (fun t -> co { let! x = PlainResultAwaitable t in return x })
                    (fun t -> co { return! PlainResultAwaitable t })
                    (fun t ->
                        co {
                            let! x = PlainResultAwaitable t
                            and! y = PlainResultAwaitable(Task.FromResult 0)
                            return x + y
                        }))
            named
                "ConfigureAwait only"
                (each
                    (fun t -> co { let! x = ConfigureOnlyResult t in return x })
                    (fun t -> co { return! ConfigureOnlyResult t })
                    (fun t ->
                        co {
                            let! x = ConfigureOnlyResult t
                            and! y = ConfigureOnlyResult(Task.FromResult 0)
                            return x + y
                        }))
            named
                "itself"
                (each
                    (fun t -> co { let! x = co { return! t } in return x })
                    (fun t -> co { return! co { return! t } })
                    (fun t ->
                        co {
                            let! x = co { return! t }
                            and! y = co { return 0 }
                            return x + y
                        }))
        ]

/// A program, what it must give and what it must note.
let programs: (string * (ResultGiven -> Co<int>) * Result<int, string> * string list) list =
    [
        "all is well",
        (fun given ->
            co {
                let! a = given.Ok 1
                let! b = odd (a + 2)
                let! c = given.Plain 3
                do! given.Unit()
                do! Ok()
                return a + b + c
            }),
        Ok 7,
        []
        "a Result that is an Error",
        (fun given ->
            co {
                let! a = given.Ok 1
                let! b = odd (a + 1)
                given.Log "not here"
                return b
            }),
        Error "even 2",
        []
        "an awaited Error",
        (fun given ->
            co {
                let! a = given.Ok 1
                let! b = given.Error "no"
                given.Log "not here"
                return a + b
            }),
        Error "no",
        []
        "do! of an Error",
        (fun given ->
            co {
                if given.Ok(1).Id > 0 then
                    do! Error "early"

                given.Log "not here"
                return 1
            }),
        Error "early",
        []
        "do! of an awaited Error in a branch",
        (fun given ->
            co {
                let! a = given.Ok 1

                if a = 1 then
                    let! _ = given.Error "early"
                    given.Log "nor here"

                given.Log "not here"
                return 1
            }),
        Error "early",
        []
        "return! in a branch",
        (fun given ->
            co {
                let! a = given.Ok 2

                match a with
                | 1 -> return 1
                | 2 -> return! Error "two"
                | _ -> return! given.Ok 3
            }),
        Error "two",
        []
        "an option by an error",
        (fun given ->
            co {
                let! a = Some 1 |> Option.orError "none"
                let! b = ValueSome 2 |> ValueOption.orError "none"
                let! c = (None: int option) |> Option.orError "none"
                given.Log "not here"
                return a + b + c
            }),
        Error "none",
        []
        "and! gives the first Error",
        (fun given ->
            co {
                let! a = given.Ok 1
                and! b = given.Error "first"
                and! c = given.Error "second"
                given.Log "not here"
                return a + b + c
            }),
        Error "first",
        []
        "and! of Oks and values",
        (fun given ->
            co {
                let! a = given.Ok 1
                and! b = given.Plain 2
                and! c = odd 3
                and! d = given.Ok 4
                return a + b + c + d
            }),
        Ok 10,
        []
        "while ends",
        (fun given ->
            co {
                let mutable i = 0

                while true do
                    i <- i + 1
                    given.Log $"turn {i}"
                    let! _ = if i = 3 then given.Error "three" else given.Ok i
                    given.Log $"after {i}"

                given.Log "not here"
                return i
            }),
        Error "three",
        [ "turn 1"; "after 1"; "turn 2"; "after 2"; "turn 3" ]
        "while ends by a Result",
        (fun given ->
            co {
                let mutable i = 1

                while true do
                    let! _ = odd i
                    given.Log $"after {i}"
                    i <- i + 1

                return i
            }),
        Error "even 2",
        [ "after 1" ]
        "for over an array ends",
        (fun given ->
            co {
                for i in [| 1; 3; 4; 5 |] do
                    let! _ = given.Ok i
                    let! _ = odd i
                    given.Log $"after {i}"

                return 1
            }),
        Error "even 4",
        [ "after 1"; "after 3" ]
        "for over a list ends",
        (fun given ->
            co {
                for i in [ 1; 3; 4; 5 ] do
                    let! _ = given.Ok i
                    let! _ = odd i
                    given.Log $"after {i}"

                return 1
            }),
        Error "even 4",
        [ "after 1"; "after 3" ]
        "for over a ResizeArray ends",
        (fun given ->
            co {
                for i in ResizeArray [ 1; 3; 4; 5 ] do
                    let! _ = given.Ok i
                    let! _ = odd i
                    given.Log $"after {i}"

                return 1
            }),
        Error "even 4",
        [ "after 1"; "after 3" ]
        "for over a range ends",
        (fun given ->
            co {
                for i in Range(1, 9) do
                    let! _ = given.Ok i
                    let! _ = odd i
                    given.Log $"after {i}"

                return 1
            }),
        Error "even 2",
        [ "after 1" ]
        "for over a sequence ends and closes it",
        (fun given ->
            co {
                for i in noted given do
                    let! _ = given.Ok i
                    let! _ = odd i
                    given.Log $"after {i}"

                return 1
            }),
        Error "even 2",
        [ "item 1"; "after 1"; "item 2"; "closed" ]
        "for over an asynchronous sequence ends and closes it",
        (fun given ->
            co {
                for i in notedAsync given do
                    let! _ = given.Ok i
                    let! _ = odd i
                    given.Log $"after {i}"

                return 1
            }),
        Error "even 2",
        [ "item 1"; "after 1"; "item 2"; "closed" ]
        "for over a configured asynchronous sequence ends and closes it",
        (fun given ->
            co {
                for i in (notedAsync given).ConfigureAwait false do
                    let! _ = given.Ok i
                    let! _ = odd i
                    given.Log $"after {i}"

                return 1
            }),
        Error "even 2",
        [ "item 1"; "after 1"; "item 2"; "closed" ]
        "loops without an Error run to their end",
        (fun given ->
            co {
                let mutable sum = 0

                for i in [| 1; 2 |] do
                    let! x = given.Ok i
                    sum <- sum + x

                for i in [ 1; 2 ] do
                    let! x = given.Ok i
                    sum <- sum + x

                for i in ResizeArray [ 1; 2 ] do
                    let! x = given.Ok i
                    sum <- sum + x

                for i in Range(1, 3) do
                    let! x = given.Ok i
                    sum <- sum + x

                for i in noted given do
                    let! x = given.Ok i
                    sum <- sum + x

                for i in notedAsync given do
                    let! x = given.Ok i
                    sum <- sum + x

                for i in (notedAsync given).ConfigureAwait false do
                    let! x = given.Ok i
                    sum <- sum + x

                while sum < 50 do
                    let! x = given.Ok 1
                    sum <- sum + x

                return sum
            }),
        Ok 50,
        (let read = [ "item 1"; "item 2"; "item 3"; "item 4"; "item 5"; "closed" ]
         read @ read @ read)
        "nested loops end",
        (fun given ->
            co {
                for i in [| 1; 2; 3 |] do
                    for j in [ 1; 2; 3 ] do
                        let! _ = given.Ok j

                        if i = 2 && j = 2 then
                            do! Error $"{i} {j}"

                        given.Log $"{i} {j}"

                return 1
            }),
        Error "2 2",
        [ "1 1"; "1 2"; "1 3"; "2 1" ]
        "use disposes",
        (fun given ->
            co {
                use _first = given.Open "first"
                let! _ = given.Ok 1
                use! _second = Task.FromResult(given.Open "second")
                let! _ = given.Error "no"
                given.Log "not here"
                return 1
            }),
        Error "no",
        [ "dispose second"; "dispose first" ]
        "use of an asynchronous resource waits for the disposal",
        (fun given ->
            co {
                use _first = given.OpenAsync "first"
                let! _ = given.Ok 1
                use _second = given.OpenAsync "second"
                do! Error "no"
                given.Log "not here"
                return 1
            }),
        Error "no",
        [ "dispose second"; "dispose first" ]
        "try/finally runs the end",
        (fun given ->
            co {
                try
                    let! _ = given.Ok 1
                    let! x = given.Error "no"
                    given.Log "not here"
                    return x
                finally
                    given.Log "finally"
            }),
        Error "no",
        [ "finally" ]
        "try/with does not catch an Error",
        (fun given ->
            co {
                try
                    let! _ = given.Ok 1
                    let! x = given.Error "no"
                    given.Log "not here"
                    return x
                with _ ->
                    given.Log "nor here"
                    return 2
            }),
        Error "no",
        []
        "an Error of the handler",
        (fun given ->
            co {
                try
                    let! _ = given.Ok 1
                    failwith "thrown"
                    return 1
                with error ->
                    let! _ = given.Ok 1
                    return! Error error.Message
            }),
        Error "thrown",
        []
        "statements after a handler that ended in an Error",
        (fun given ->
            co {
                try
                    let! _ = given.Ok 1
                    failwith "thrown"
                with error ->
                    do! Error error.Message

                given.Log "not here"
                return 1
            }),
        Error "thrown",
        []
        "an exception while an Error ends the body takes its place",
        (fun given ->
            co {
                try
                    use _it =
                        { new IDisposable with
                            member _.Dispose() = failwith "disposal"
                        }

                    let! _ = given.Ok 1
                    do! Error "no"
                    given.Log "not here"
                with error ->
                    given.Log error.Message

                let! x = given.Ok 5
                return x
            }),
        Ok 5,
        [ "disposal" ]
        "an exception after an Ok",
        (fun given ->
            co {
                try
                    let! x = given.Ok 5

                    try
                        return x
                    finally
                        failwith "finally"
                with error ->
                    given.Log error.Message
                    return 6
            }),
        Ok 6,
        [ "finally" ]
        "nested expressions",
        (fun given ->
            co {
                let! a =
                    co {
                        let! x = given.Ok 1
                        return x + 1
                    }

                let! b =
                    co {
                        do! Error $"inner {a}"
                        return 1
                    }

                given.Log "not here"
                return a + b
            }),
        Error "inner 2",
        []
        "match!",
        (fun given ->
            co {
                match! given.Ok 1 with
                | 1 ->
                    match! given.Error "no" with
                    | _ -> return 2
                | _ -> return 3
            }),
        Error "no",
        []
        "while!",
        (fun given ->
            co {
                let mutable i = 0

                while! (task {
                    let! _ = given.Plain 1
                    return if i = 2 then Error "two" else Ok true
                }) do
                    i <- i + 1
                    given.Log $"turn {i}"

                return 1
            }),
        Error "two",
        [ "turn 1"; "turn 2" ]
    ]

/// A result without a value, and an Error of a type of its own.
let noValue (given: ResultGiven) : Co<unit> =
    co {
        for i in [ 1; 2; 3 ] do
            let! _ = given.Ok i

            if i = 2 then
                return! Error "two"

            given.Log $"{i}"
    }

let private task (co: Co<'T>) : Task<Result<'T, string>> = asTask co

let subject =
    {
        ResultBuilder = promise.Name
        Programs = [ for name, program, result, log in programs -> name, program >> task, result, log ]
        Sources = [ for name, program in sources -> name, program >> task ]
        NoValue = noValue >> task
    }
