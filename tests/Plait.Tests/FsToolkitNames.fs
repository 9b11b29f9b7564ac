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

/// A context of its own type: the BCL takes SynchronizationContext itself for none.
type private OwnContext() =
    inherit Threading.SynchronizationContext()

module FsToolkitNames =
    open Plait.Migration.FsToolkit

    let private gives (expected: 'T) (operation: Task<'T>) =
        Assert.Equal<'T>(expected, Within.result "It" operation)

    let private ok (value: int) : Task<Result<int, string>> = TaskResult.ok value
    let private no: Task<Result<int, string>> = TaskResult.error "no"

    [<Fact>]
    let ``code in the style of FsToolkit's documentation has the same results`` () =
        gives (Ok "token of Ann") (WrittenForFsToolkit.login "ann" "secret")
        gives (Error WrittenForFsToolkit.UserNotFound) (WrittenForFsToolkit.login "bob" "secret")
        gives (Error WrittenForFsToolkit.BadPassword) (WrittenForFsToolkit.login "ann" "x")
        gives (Ok [ 1; 2 ]) (WrittenForFsToolkit.lengths [ "a"; "bb" ])
        gives (Error "empty") (WrittenForFsToolkit.lengths [ "a"; ""; "bb" ])

    [<Fact>]
    let ``functions over the value and the error have FsToolkit's results`` () =
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
    let ``an exception becomes an Error`` () =
        let error = InvalidOperationException "thrown by the test"
        let failed = Task.FromException<int> error
        gives (Error(error :> exn)) (TaskResult.ofCatchTask failed)
        gives (Ok 1) (TaskResult.ofCatchTask (Task.FromResult 1))
        gives (Ok 1) (TaskResult.ofAsync (async { return 1 }))

        gives
            (Error error.Message)
            (TaskResult.catch _.Message (Task.FromException<Result<int, string>> error))

        gives (Error "no") (TaskResult.catch _.Message no)

    [<Fact>]
    let ``ofTask leaves an exception in the Task`` () =
        let error = InvalidOperationException "thrown by the test"
        gives (Ok 1: Result<int, string>) (TaskResult.ofTask (Task.FromResult 1))

        let failed: Task<Result<int, string>> =
            TaskResult.ofTask (Task.FromException<int> error)

        Assert.Same(error, Within.error "The Task" failed)

    [<Fact>]
    let ``tee runs its action for an Ok, and teeError for an Error`` () =
        let seen = ResizeArray<string>()

        gives (Ok 1) (TaskResult.tee (fun x -> seen.Add $"{x}") (ok 1))
        gives (Error "no") (TaskResult.tee (fun x -> seen.Add $"{x}") no)
        gives (Error "no") (TaskResult.teeError seen.Add no)
        gives (Ok 2) (TaskResult.teeIf (fun x -> x > 2) (fun x -> seen.Add $"{x}") (ok 2))
        gives (Error "no") (TaskResult.teeErrorIf (fun error -> error = "no") seen.Add no)
        Assert.Equal<string>([ "1"; "no"; "no" ], seen)

    [<Fact>]
    let ``the require functions give the Ok, or the given error`` () =
        let some (value: 'T) = Task.FromResult value
        gives (Ok()) (TaskResult.requireTrue "no" (some true))
        gives (Error "no") (TaskResult.requireFalse "no" (some true))
        gives (Ok 1) (TaskResult.requireSome "no" (some (Some 1)))
        gives (Error "no") (TaskResult.requireNone "no" (some (Some 1)))
        gives (Ok 1) (TaskResult.requireValueSome "no" (some (ValueSome 1)))
        gives (Ok()) (TaskResult.requireValueNone "no" (some (ValueNone: int voption)))
        gives (Ok "x") (TaskResult.requireNotNull "no" (some "x"))
        let absent: string | null = null

        let required: Task<Result<string, string>> =
            TaskResult.requireNotNull "no" (some absent)

        gives (Error "no") required
        gives (Ok()) (TaskResult.requireEqual 1 (some 1) "no")
        gives (Error "no") (TaskResult.requireEqualTo 2 "no" (some 1))
        gives (Error "no") (TaskResult.requireEmpty "no" (some [ 1 ]))
        gives (Ok()) (TaskResult.requireNotEmpty "no" (some [ 1 ]))
        gives (Ok 1) (TaskResult.requireHead "no" (some [ 1; 2 ]))
        gives (Ok 1) (TaskResult.requireSomeWith (fun () -> "no") (some (Some 1)))
        gives (Error "no") (TaskResult.requireNoneWith (fun () -> "no") (some (Some 1)))
        gives (Error "odd") (TaskResult.require (fun x -> x % 2 = 0) "odd" (ok 1))
        let required: Result<string, string> = Result.requireNotNull "no" absent
        Assert.Equal(Error "no", required)
        let no: Result<int, string> = Error "no"
        let three: Result<int, string> = Ok 3
        Assert.Equal(three, Result.orElse three no)
        Assert.Equal(Ok 2, Result.orElseWith (fun error -> Ok(String.length error)) no)
        Assert.Equal(Ok 4, Result.map ((+) 1) three)

    [<Fact>]
    let ``lists keep their order`` () =
        gives (Ok [ 1; 2 ]) (List.sequenceTaskResultM [ ok 1; ok 2 ])
        gives (Error "no") (List.sequenceTaskResultM [ ok 1; no; ok 2 ])
        gives (Error [ "no"; "no" ]) (List.sequenceTaskResultA [ no; ok 1; no ])
        gives (Ok [ 2; 3 ]) (List.traverseTaskResultA (fun x -> ok (x + 1)) [ 1; 2 ])

    [<Fact>]
    let ``the bindRequire functions check the value of an Ok`` () =
        let inside (value: 'T) : Task<Result<'T, string>> = TaskResult.ok value
        gives (Ok 1) (TaskResult.bindRequireSome "no" (inside (Some 1)))
        gives (Error "no") (TaskResult.bindRequireNone "no" (inside (Some 1)))
        gives (Ok 1) (TaskResult.bindRequireValueSome "no" (inside (ValueSome 1)))
        gives (Ok()) (TaskResult.bindRequireValueNone "no" (inside (ValueNone: int voption)))
        gives (Ok()) (TaskResult.bindRequireTrue "no" (inside true))
        gives (Error "no") (TaskResult.bindRequireFalse "no" (inside true))
        gives (Ok "x") (TaskResult.bindRequireNotNull "no" (inside "x"))
        let absent: string | null = null

        let required: Task<Result<string, string>> =
            TaskResult.bindRequireNotNull "no" (inside absent)

        gives (Error "no") required
        gives (Error "no") (TaskResult.bindRequireEqual 2 "no" (inside 1))
        gives (Error "no") (TaskResult.bindRequireEmpty "no" (inside [ 1 ]))
        gives (Ok()) (TaskResult.bindRequireNotEmpty "no" (inside [ 1 ]))
        gives (Ok 1) (TaskResult.bindRequireHead "no" (inside [| 1; 2 |]))
        gives (Error "earlier") (TaskResult.bindRequireTrue "no" (TaskResult.error "earlier"))

    [<Fact>]
    let ``two Results become one`` () =
        let gives (expected: Result<'T, 'E>) (result: Result<'T, 'E>) = Assert.Equal(expected, result)
        let two: Result<int, string> = Ok 2
        let bad: Result<int, string> = Error "bad"
        gives (Ok(2, 2)) (Result.zip two two)
        gives (Error "bad") (Result.zip two bad)
        gives (Ok 2) (Result.zipError bad two)
        gives (Error("bad", "bad")) (Result.zipError bad bad)
        gives (Ok 4) (Result.map2 (+) two two)
        gives (Error "bad") (Result.map3 (fun a b c -> a + b + c) two bad two)
        gives (Ok 3) (Result.apply (Ok((+) 1)) two)
        gives (Ok "2") (Result.eitherMap string String.length two)
        gives (Ok 2) (Result.ofChoice (Choice1Of2 2: Choice<int, string>))
        gives (Error "odd") (Result.require (fun x -> x % 2 = 1) "odd" two)
        gives (Error "checked") (Result.check (fun _ -> Error "checked") two)
        Assert.Equal(3, Result.valueOr String.length bad)
        Assert.Equal("none", Result.defaultError "none" two)
        Result.ignoreError (Result.ignore bad)

    [<Fact>]
    let ``functions over Tasks have FsToolkit's results`` () =
        let one = Task.singleton 1
        let failed = Task.FromException<int>(InvalidOperationException "thrown by the test")
        gives 2 (Task.map ((+) 1) one)
        gives 2 (Task.bind (fun x -> Task.singleton (x + 1)) one)
        gives 2 (Task.mapV ((+) 1) (ValueTask<int> 1))
        gives 2 (Task.bindV (fun x -> Task.singleton (x + 1)) (ValueTask<int> 1))
        gives 2 (Task.apply (Task.singleton ((+) 1)) one)
        gives 3 (Task.map3 (fun a b c -> a + b + c) one one one)
        gives (1, "1") (Task.zip one (Task.singleton "1"))
        gives () (Task.ignore one)
        gives () (Task.ofUnit Task.CompletedTask)

        match Within.result "It" (Task.catch failed) with
        | Choice2Of2 error -> Assert.IsType<InvalidOperationException> error |> ignore
        | Choice1Of2 _ -> Assert.Fail "A failed Task gave a result."

    [<Fact>]
    let ``validations collect Errors`` () =
        let two: Task<Validation<int, string>> = TaskValidation.ok 2
        let bad (error: string) : TaskValidation<int, string> = TaskValidation.error error
        gives (Error [ "a"; "b" ]) (TaskValidation.map2 (+) (bad "a") (bad "b"))
        gives (Error [ "a"; "c" ]) (TaskValidation.map3 (fun a b c -> a + b + c) (bad "a") two (bad "c"))
        gives (Ok 4) (TaskValidation.map2 (+) two two)
        gives (Ok(2, 2)) (TaskValidation.zip two two)
        gives (Ok 3) (TaskValidation.apply (TaskValidation.ok ((+) 1)) two)
        gives (Error [ 1 ]) (TaskValidation.mapError String.length (bad "a"))
        gives (Error [ 1; 2 ]) (TaskValidation.mapErrors (fun _ -> [ 1; 2 ]) (bad "a"))
        gives (Error [ "a" ]) (TaskValidation.bind (fun _ -> bad "a") two)
        gives (Ok 2) (TaskValidation.orElse two (bad "a"))
        gives (Ok 1) (TaskValidation.orElseWith (fun errors -> TaskValidation.ok errors.Length) (bad "a"))
        gives (Error [ "a" ]) (TaskValidation.ofResult (Error "a": Result<int, string>))
        gives (Error [ "a" ]) (TaskValidation.ofChoice (Choice2Of2 "a": Choice<int, string>))

    [<Fact>]
    let ``sequences and options have FsToolkit's results`` () =
        gives (Ok [| 1; 2 |]) (Seq.sequenceTaskResultM (seq [ ok 1; ok 2 ]))
        gives (Error "no") (Seq.traverseTaskResultM (fun _ -> no) [ 1; 2 ])
        gives (Error [| "no"; "no" |]) (Seq.sequenceTaskResultA [ no; ok 1; no ])
        gives (Ok(Some 1)) (Option.sequenceTaskResult (Some(ok 1)))
        gives (Error "no") (Option.traverseTaskResult (fun (_: int) -> no) (Some 1))
        gives (Ok None) (Option.sequenceTaskResult (None: Task<Result<int, string>> option))
        gives (Some 2) (Option.traverseTask (fun x -> Task.singleton (x + 1)) (Some 1))

    [<Fact>]
    let ``a Choice is bound as a Result`` () =
        let choice (error: string) : Choice<int, string> =
            if error = "" then Choice1Of2 1 else Choice2Of2 error

        let sum (first: string) (second: string) =
            taskResult {
                let! first = choice first
                and! second = ok 2
                and! third = choice second
                return first + second + third
            }

        let collected (first: string) (second: string) =
            taskValidation {
                let! first = choice first
                and! second = choice second
                return first + second
            }

        gives (Ok 4) (sum "" "")
        gives (Error "bad") (sum "" "bad")
        gives (Ok 1) (taskResult { return! choice "" })
        gives (Error "bad") (backgroundTaskResult { return! choice "bad" })
        gives (Ok 2) (collected "" "")
        gives (Error [ "a"; "b" ]) (collected "a" "b")

    [<Fact>]
    let ``backgroundTaskResult leaves the caller's context`` () =
        let caller = Threading.SynchronizationContext.Current

        let operation =
            try
                Threading.SynchronizationContext.SetSynchronizationContext(OwnContext())

                backgroundTaskResult {
                    let first = Threading.SynchronizationContext.Current
                    do! Task.Yield()
                    let! one = ok 1
                    do! Task.Yield()
                    return one, isNull first && isNull Threading.SynchronizationContext.Current
                }
            finally
                Threading.SynchronizationContext.SetSynchronizationContext caller

        gives (Ok(1, true): Result<int * bool, string>) operation
        gives (Error "no") (backgroundTaskResult { return! no })

module FsToolkitOperators =
    open Plait.Migration.FsToolkit

    let private gives (expected: 'T) (operation: Task<'T>) =
        Assert.Equal<'T>(expected, Within.result "It" operation)

    module private Results =
        open Plait.Migration.FsToolkit.Operator.TaskResult

        let sum (one: Task<Result<int, string>>) = (+) <!> one <*> one
        let next (one: Task<Result<int, string>>) = one >>= fun x -> TaskResult.ok (x + 1)

    module private Validations =
        open Plait.Migration.FsToolkit.Operator.TaskValidation

        let sum (one: Result<int, string>) = (+) <!^> one <*^> one

        let both (one: TaskValidation<int, string>) =
            (+) <!> one <*> one >>= TaskValidation.ok

    [<Fact>]
    let ``operators map, apply and bind`` () =
        gives (Ok 2) (Results.sum (TaskResult.ok 1))
        gives (Error "no") (Results.sum (TaskResult.error "no"))
        gives (Ok 2) (Results.next (TaskResult.ok 1))
        gives (Ok 2) (Validations.sum (Ok 1))
        gives (Error [ "no"; "no" ]) (Validations.sum (Error "no"))
        gives (Error [ "no"; "no" ]) (Validations.both (TaskValidation.error "no"))
