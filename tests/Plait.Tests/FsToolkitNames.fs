// Under test: `Plait.Migration.FsToolkit`. Code as it is written for FsToolkit.ErrorHandling compiles and runs with nothing changed
// but its `open`, and each function does what its name says.
namespace Plait.Tests.FsToolkitNames

open System
open System.Threading.Tasks
open Xunit

open Plait.Tests

/// What a library of a user would hold.
module WrittenForFsToolkit =
    open Plait.Migration.FsToolkit

    type AuthError =
        | UserNotFound
        | BadPassword
        | Banned of string

    let tryGetUser (name: string) : Task<string option> =
        Task.FromResult(if name = "ann" then Some "Ann" else None)

    let isAllowed (user: string) : Async<Result<unit, string>> =
        async { return if user = "Ann" then Ok() else Error "not Ann" }

    let login (name: string) (password: string) : Task<Result<string, AuthError>> =
        taskResult {
            let! user = name |> tryGetUser |> TaskResult.requireSome UserNotFound
            do! password = "secret" |> Result.requireTrue BadPassword
            do! user |> isAllowed |> Async.StartAsTask |> TaskResult.mapError Banned
            return $"token of {user}"
        }

    let lengths (names: string list) : Task<Result<int list, string>> =
        names
        |> List.traverseTaskResultM (fun name ->
            taskResult {
                do! name <> "" |> Result.requireTrue "empty"
                return name.Length
            })

module FsToolkitNames =
    open Plait.Migration.FsToolkit

    let private gives (expected: 'T) (operation: Task<'T>) =
        Assert.Equal<'T>(expected, Within.result "It" operation)

    let private ok (value: int) : Task<Result<int, string>> = TaskResult.ok value
    let private no: Task<Result<int, string>> = TaskResult.error "no"

    [<Fact>]
    let ``code in the style of its documentation`` () =
        gives (Ok "token of Ann") (WrittenForFsToolkit.login "ann" "secret")
        gives (Error WrittenForFsToolkit.UserNotFound) (WrittenForFsToolkit.login "bob" "secret")
        gives (Error WrittenForFsToolkit.BadPassword) (WrittenForFsToolkit.login "ann" "x")
        gives (Ok [ 1; 2 ]) (WrittenForFsToolkit.lengths [ "a"; "bb" ])
        gives (Error "empty") (WrittenForFsToolkit.lengths [ "a"; ""; "bb" ])

    [<Fact>]
    let ``functions over the value and the error`` () =
        gives (Ok 2) (TaskResult.map ((+) 1) (ok 1))
        gives (Error "no") (TaskResult.map ((+) 1) no)
        gives (Error 2) (TaskResult.mapError String.length no)
        gives (Ok 2) (TaskResult.bind (fun x -> ok (x + 1)) (ok 1))
        gives (Error "no") (TaskResult.bind (fun _ -> no) (ok 1))
        gives "1" (TaskResult.foldResult string id (ok 1))
        gives "no" (TaskResult.foldResult string id no)
        gives (Ok(1, 2)) (TaskResult.zip (ok 1) (ok 2))
        gives (Ok 3) (TaskResult.map2 (+) (ok 1) (ok 2))
        gives (Ok 6) (TaskResult.map3 (fun a b c -> a + b + c) (ok 1) (ok 2) (ok 3))
        gives (Ok 3) (TaskResult.apply (TaskResult.retn ((+) 1)) (ok 2))
        gives (Ok()) (TaskResult.ignore (ok 1))
        gives (Ok 1) (TaskResult.ofResult (Ok 1: Result<int, string>))
        gives (Ok 1) (TaskResult.singleton 1: Task<Result<int, string>>)
        gives (Error "no") (TaskResult.returnError "no": Task<Result<int, string>>)
        gives (Ok 2) (TaskResult.orElse (ok 2) no)
        gives (Ok 2) (TaskResult.orElseWith (fun (error: string) -> ok error.Length) no)
        gives (Error 1) (TaskResult.setError 1 no)
        gives (Error 1) (TaskResult.withError 1 (TaskResult.error (): Task<Result<int, unit>>))
        gives 5 (TaskResult.defaultValue 5 no)
        gives 2 (TaskResult.defaultWith String.length no)
        gives "none" (TaskResult.defaultError "none" (ok 1))
        gives () (TaskResult.ignoreError (TaskResult.ignore no))
        gives (Ok 1) (TaskResult.check (fun _ -> TaskResult.ok ()) (ok 1))
        gives (Error "no") (TaskResult.check (fun _ -> TaskResult.ignore no) (ok 1))

    [<Fact>]
    let ``an exception as an Error`` () =
        let error = InvalidOperationException "thrown by the test"
        let failed = Task.FromException<int> error
        gives (Error(error :> exn)) (TaskResult.ofTask failed)
        gives (Ok 1) (TaskResult.ofTask (Task.FromResult 1))
        gives (Ok 1) (TaskResult.ofAsync (async { return 1 }))

        gives
            (Error error.Message)
            (TaskResult.catch _.Message (Task.FromException<Result<int, string>> error))

        gives (Error "no") (TaskResult.catch _.Message no)

    [<Fact>]
    let ``tee runs its action where it must`` () =
        let seen = ResizeArray<string>()

        gives (Ok 1) (TaskResult.tee (fun x -> seen.Add $"{x}") (ok 1))
        gives (Error "no") (TaskResult.tee (fun x -> seen.Add $"{x}") no)
        gives (Error "no") (TaskResult.teeError seen.Add no)
        gives (Ok 2) (TaskResult.teeIf (fun x -> x > 2) (fun x -> seen.Add $"{x}") (ok 2))
        gives (Error "no") (TaskResult.teeErrorIf (fun error -> error = "no") seen.Add no)
        Assert.Equal<string>([ "1"; "no"; "no" ], seen)

    [<Fact>]
    let ``require makes a Result by an error`` () =
        let some (value: 'T) = Task.FromResult value
        gives (Ok()) (TaskResult.requireTrue "no" (some true))
        gives (Error "no") (TaskResult.requireFalse "no" (some true))
        gives (Ok 1) (TaskResult.requireSome "no" (some (Some 1)))
        gives (Error "no") (TaskResult.requireNone "no" (some (Some 1)))
        gives (Ok 1) (TaskResult.requireValueSome "no" (some (ValueSome 1)))
        gives (Ok()) (TaskResult.requireValueNone "no" (some (ValueNone: int voption)))
        gives (Ok "x") (TaskResult.requireNotNull "no" (some "x"))
        gives (Ok()) (TaskResult.requireEqual 1 (some 1) "no")
        gives (Error "no") (TaskResult.requireEqualTo 2 "no" (some 1))
        gives (Error "no") (TaskResult.requireEmpty "no" (some [ 1 ]))
        gives (Ok()) (TaskResult.requireNotEmpty "no" (some [ 1 ]))
        gives (Ok 1) (TaskResult.requireHead "no" (some [ 1; 2 ]))
        Assert.True((Result.requireNotNull "no" Unchecked.defaultof<string>).IsError)
        let no: Result<int, string> = Error "no"
        let three: Result<int, string> = Ok 3
        Assert.Equal(three, Result.orElse three no)
        Assert.Equal(Ok 2, Result.orElseWith (fun error -> Ok(String.length error)) no)
        Assert.Equal(Ok 4, Result.map ((+) 1) three)

    [<Fact>]
    let ``lists in their order`` () =
        gives (Ok [ 1; 2 ]) (List.sequenceTaskResultM [ ok 1; ok 2 ])
        gives (Error "no") (List.sequenceTaskResultM [ ok 1; no; ok 2 ])
        gives (Error [ "no"; "no" ]) (List.sequenceTaskResultA [ no; ok 1; no ])
        gives (Ok [ 2; 3 ]) (List.traverseTaskResultA (fun x -> ok (x + 1)) [ 1; 2 ])
