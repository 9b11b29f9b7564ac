// Under test: `use` over IDisposable and IAsyncDisposable, compared with C#'s `await using`.
module Plait.Tests.Disposal

open System
open System.Threading.Tasks
open Xunit

open Plait.Tests.Oracle
open Plait.Tests.Programs

/// Disposed at once or later, well or not.
type private Disposing(log: string -> unit, pending: bool, fails: bool) =
    interface IAsyncDisposable with
        member _.DisposeAsync() =
            log "dispose"

            let error: exn | null =
                if fails then TimeoutException "thrown by the disposal" else null

            if pending then
                ValueTask(
                    task {
                        let! _ = Foreign.Return(0, error)
                        log "disposed"
                    }
                )
            else
                match error with
                | null -> ValueTask()
                | error -> raise error

let disposals =
    [|
        for subject in Catalogue.subjects do
            for kind, _ in Manner.kinds do
                for pending in [ false; true ] do
                    for fails in [ false; true ] do
                        Cases.row subject.Promise [ kind; pending; fails ]
    |]

let buildersByKind = Cases.buildersByKind

let private expected =
    Cases.oracle (fun struct (pending, fails) manner ->
        Trace.run Builders.FSharpTasks.promise manner (fun given ->
            Twins.AwaitUsing(
                Disposing(given.Log, pending, fails),
                fun () ->
                    task {
                        let! x = given.Task 1
                        given.Log $"body {x}"
                    }
            )))

[<Theory; MemberData(nameof disposals)>]
let ``use waits for the disposal, once, and the same error wins as in C#``
    (builder: string)
    (kind: string)
    (pending: bool)
    (fails: bool)
    =
    let subject = Cases.subject builder

    Cases.compare
        subject.Promise
        kind
        (fun given -> subject.Using (Disposing(given.Log, pending, fails)) given)
        (expected struct (pending, fails))

[<Theory; MemberData(nameof disposals)>]
let ``use! disposes as use does`` (builder: string) (kind: string) (pending: bool) (fails: bool) =
    let subject = Cases.subject builder

    Cases.compare
        subject.Promise
        kind
        (fun given -> subject.UsingBound (Disposing(given.Log, pending, fails)) given)
        (expected struct (pending, fails))

let private withLast =
    Cases.oracle (fun line manner ->
        Trace.run Builders.FSharpTasks.promise manner (fun given ->
            task {
                try
                    let! x = given.Task 1
                    given.Log $"body {x}"
                finally
                    if line <> "" then
                        given.Log line
            }))

[<Theory; MemberData(nameof buildersByKind)>]
let ``of two dispose methods the asynchronous one is taken`` (builder: string) (kind: string) =
    let subject = Cases.subject builder
    Cases.compare subject.Promise kind subject.UsingBoth (withLast "disposed asynchronously")

[<Theory; MemberData(nameof buildersByKind)>]
let ``null is not disposed`` (builder: string) (kind: string) =
    let subject = Cases.subject builder
    Cases.compare subject.Promise kind subject.UsingNothing (withLast "")
