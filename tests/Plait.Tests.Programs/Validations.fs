// Programs over validations: `and!` collects the Errors of its operations. Compiled for each builder of validations: see the
// project file.
module Plait.Tests.Programs.PooledValueTaskValidations.Validations

open System.Threading.Tasks

open Plait
open Plait.Tests.Programs
open Plait.Tests.Programs.Builders.PooledValueTaskValidations

/// Every kind of operation that gives one Error.
let private ones: (string * (Task<Result<int, string>> -> Co<int>)) list =
    [
        "Task", (fun t -> co { let! x = t in return x })
        "Task configured", (fun t -> co { let! x = t.ConfigureAwait false in return x })
        "ValueTask", (fun t -> co { let! x = ValueTask<_>(task = t) in return x })
        "Strand", (fun t -> co { let! x = strand { return! t } in return x })
        "Async", (fun t -> co { let! x = ResultAsync.ofTask t in return x })
        "a function", (fun t -> co { let! x = (fun () -> t) in return x })
        "GetAwaiter", (fun t -> co { let! x = ResultAwaitable t in return x })
        "OnCompleted only", (fun t -> co { let! x = PlainResultAwaitable t in return x })
        "ConfigureAwait only", (fun t -> co { let! x = ConfigureOnlyResult t in return x })
        "return!", (fun t -> co { return! t })
    ]

/// Every kind of operation that gives a validation.
let private lists: (string * (Task<Result<int, string list>> -> Co<int>)) list =
    [
        "Task", (fun t -> co { let! x = t in return x })
        "Task configured", (fun t -> co { let! x = t.ConfigureAwait false in return x })
        "ValueTask", (fun t -> co { let! x = ValueTask<_>(task = t) in return x })
        "Strand", (fun t -> co { let! x = strand { return! t } in return x })
        "Async", (fun t -> co { let! x = ResultAsync.ofTask t in return x })
        "a function", (fun t -> co { let! x = (fun () -> t) in return x })
        "GetAwaiter", (fun t -> co { let! x = ResultAwaitable t in return x })
        "itself", (fun t -> co { let! x = co { return! t } in return x })
        "return!", (fun t -> co { return! t })
    ]

let private all (given: ResultGiven) : Co<int> =
    co {
        let! a = given.Ok 1
        and! b = Ok 2
        and! c = given.Plain 3
        and! d = co { return 4 }
        return a + b + c + d
    }

let private collected (given: ResultGiven) : Co<int> =
    co {
        let! a = given.Error "first"
        and! b = given.Plain 2
        and! c = Error "second"
        and! d = (Error [ "third"; "fourth" ]: Result<int, string list>)
        and! e = given.Ok 5
        and! f = co { return! given.Error "fifth" }
        given.Log "not here"
        return a + b + c + d + e + f
    }

let private first (given: ResultGiven) : Co<int> =
    co {
        let! a = given.Error "first"
        let! b = given.Error "second"
        given.Log "not here"
        return a + b
    }

let private loop (given: ResultGiven) : Co<int> =
    co {
        for i in [ 1; 2; 3 ] do
            let! a = given.Ok i
            and! _ = if i = 2 then Error "two" else Ok()
            and! _ = if i = 2 then Error "again" else Ok()
            given.Log $"{a}"

        return 1
    }

let private task (co: Co<'T>) : Task<Result<'T, string list>> = asTask co

let subject =
    {
        ValidationBuilder = name
        Validations =
            [
                "all are Ok", all >> task, Ok 10, []
                "Errors are collected",
                collected >> task,
                Error [ "first"; "second"; "third"; "fourth"; "fifth" ],
                []
                "let! after let!", first >> task, Error [ "first" ], []
                "and! in a loop", loop >> task, Error [ "two"; "again" ], [ "1" ]
            ]
        Ones = [ for name, program in ones -> name, program >> task ]
        Lists = [ for name, program in lists -> name, program >> task ]
    }
