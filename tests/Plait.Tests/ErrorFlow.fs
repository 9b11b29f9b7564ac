// Under test: builders of results. An Error ends the code wherever it comes from, without an exception, and all that must run
// still runs; every kind of operation that gives a Result is bound by its value.
module Plait.Tests.ErrorFlow

open System
open System.Collections.Generic
open System.Threading.Tasks
open Xunit

open Plait.Tests.Programs

let private row (subject: ErrorSubject) (about: string) =
    let row = TheoryDataRow([| box subject.ResultBuilder; box about |])
    row.Traits["over"] <- HashSet [ "builders" ]
    row

let programs =
    [|
        for subject in Catalogue.errors do
            for name, _, _, _ in subject.Programs -> row subject name
    |]

let sources =
    [|
        for subject in Catalogue.errors do
            for name, _ in subject.Sources -> row subject name
    |]

let builders = [| for subject in Catalogue.errors -> row subject "" |]

let private subject (name: string) =
    Catalogue.errors |> List.find (fun subject -> subject.ResultBuilder = name)

let private entries (given: Given) =
    given.Entries |> List.filter (fun entry -> not (entry.StartsWith "source"))

[<Theory; MemberData(nameof programs)>]
let ``a program gives its result and logs each step on its path, at every speed``
    (builder: string)
    (program: string)
    =
    let _, run, expected, log =
        (subject builder).Programs |> List.find (fun (name, _, _, _) -> name = program)

    for manner in Manner.succeeding do
        let given = Given manner
        Assert.Equal(expected, Within.result $"It ({manner})" (run (ResultGiven given)))
        Assert.Equal<string list>(log, entries given)

[<Theory; MemberData(nameof sources)>]
let ``an operation that gives a Result gives its value or ends the code`` (builder: string) (source: string) =
    let run = (subject builder).Sources |> List.find (fst >> (=) source) |> snd

    for result in [ Ok 7; Error "no" ] do
        Assert.Equal(result, Within.result "It, done" (run (Task.FromResult result)))
        let pending = TaskCompletionSource<Result<int, string>>()
        let running = run pending.Task
        Assert.False running.IsCompleted
        pending.SetResult result
        Assert.Equal(result, Within.result "It, pending" running)

    let failed = InvalidOperationException "thrown by the test"
    Assert.Same(failed, Within.error "It, failed" (run (Task.FromException<_> failed)))

    let pending = TaskCompletionSource<Result<int, string>>()
    let running = run pending.Task
    pending.SetException failed
    Assert.Same(failed, Within.error "It, failed later" running)

[<Theory; MemberData(nameof builders)>]
let ``return! of an Error in a loop ends a code without a value`` (builder: string) (_about: string) =
    for manner in Manner.succeeding do
        let given = Given manner
        let result = Within.result "It" ((subject builder).NoValue(ResultGiven given))
        Assert.Equal(Error "two", result)
        Assert.Equal<string list>([ "1" ], entries given)

[<Theory; MemberData(nameof builders)>]
let ``an Error ends the code without an exception`` (builder: string) (_about: string) =
    let thrown = ResizeArray<exn>()
    let thread = Threading.Thread.CurrentThread

    let note =
        EventHandler<Runtime.ExceptionServices.FirstChanceExceptionEventArgs>(fun _ args ->
            if obj.ReferenceEquals(Threading.Thread.CurrentThread, thread) then
                thrown.Add args.Exception)

    let _, run, _, _ =
        (subject builder).Programs |> List.find (fun (name, _, _, _) -> name = "an awaited Error")

    AppDomain.CurrentDomain.FirstChanceException.AddHandler note

    try
        let given = Given Manner.succeeding.Head
        Assert.Equal(Error "no", Within.result "It" (run (ResultGiven given)))
    finally
        AppDomain.CurrentDomain.FirstChanceException.RemoveHandler note

    Assert.Empty thrown

let private validationRows (about: ValidationSubject -> string list) =
    [|
        for subject in Catalogue.validations do
            for name in about subject do
                let row = TheoryDataRow([| box subject.ValidationBuilder; box name |])
                row.Traits["over"] <- HashSet [ "builders" ]
                row
    |]

let validations =
    validationRows (fun subject -> [ for name, _, _, _ in subject.Validations -> name ])

let ones = validationRows (fun subject -> List.map fst subject.Ones)
let lists = validationRows (fun subject -> List.map fst subject.Lists)

let private validation (name: string) =
    Catalogue.validations |> List.find (fun subject -> subject.ValidationBuilder = name)

[<Theory; MemberData(nameof validations)>]
let ``a validation gives all Errors of and!, in order, at every speed`` (builder: string) (program: string) =
    let _, run, expected, log =
        (validation builder).Validations |> List.find (fun (name, _, _, _) -> name = program)

    for manner in Manner.succeeding do
        let given = Given manner
        Assert.Equal(expected, Within.result $"It ({manner})" (run (ResultGiven given)))
        Assert.Equal<string list>(log, entries given)

/// Done and pending, with a value, an Error and an exception.
let private law
    (run: Task<Result<int, 'E>> -> Task<Result<int, string list>>)
    (error: 'E)
    (expected: string list)
    =
    for given, expected in [ Ok 7, Ok 7; Error error, Error expected ] do
        Assert.Equal(expected, Within.result "It, done" (run (Task.FromResult given)))
        let pending = TaskCompletionSource<Result<int, 'E>>()
        let running = run pending.Task
        pending.SetResult given
        Assert.Equal(expected, Within.result "It, pending" running)

    let failed = InvalidOperationException "thrown by the test"
    Assert.Same(failed, Within.error "It, failed" (run (Task.FromException<_> failed)))

[<Theory; MemberData(nameof ones)>]
let ``an operation that gives one Error gives a list of it`` (builder: string) (source: string) =
    law ((validation builder).Ones |> List.find (fst >> (=) source) |> snd) "no" [ "no" ]

[<Theory; MemberData(nameof lists)>]
let ``another validation gives its own list`` (builder: string) (source: string) =
    law ((validation builder).Lists |> List.find (fst >> (=) source) |> snd) [ "no"; "nor" ] [ "no"; "nor" ]
