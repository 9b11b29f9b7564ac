// The awaitables of the snippets, as F# source: what users write by hand, one of each shape, generic in the result.
module Plait.Repository.Tests.Awaitables

/// Opens what a user's file opens, and declares the awaitables.
let head =
    """module Snippet

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading.Tasks

[<Struct>]
type StructAwaiter<'T>(value: 'T) =
    member _.IsCompleted = true
    member _.GetResult() = value

    interface ICriticalNotifyCompletion with
        member _.OnCompleted _ = ()
        member _.UnsafeOnCompleted _ = ()

type ClassAwaiter<'T>(value: 'T) =
    member _.IsCompleted = true
    member _.GetResult() = value

    interface ICriticalNotifyCompletion with
        member _.OnCompleted _ = ()
        member _.UnsafeOnCompleted _ = ()

[<Struct>]
type PlainAwaiter<'T>(value: 'T) =
    member _.IsCompleted = true
    member _.GetResult() = value

    interface INotifyCompletion with
        member _.OnCompleted _ = ()

[<Struct>]
type StructAwaitable<'T>(value: 'T) =
    member _.GetAwaiter() = StructAwaiter<'T> value

type ClassAwaitable<'T>(value: 'T) =
    member _.GetAwaiter() = ClassAwaiter<'T> value

type PlainAwaitable<'T>(value: 'T) =
    member _.GetAwaiter() = PlainAwaiter<'T> value

type ConfigureOnly<'T>(value: 'T) =
    member _.ConfigureAwait(_: bool) = StructAwaitable<'T> value

type Resource() =
    member _.Size = 1

    interface IDisposable with
        member _.Dispose() = ()

type AsyncResource() =
    member _.Size = 1

    interface IAsyncDisposable with
        member _.DisposeAsync() = ValueTask()

type BothResource() =
    interface IDisposable with
        member _.Dispose() = ()

    interface IAsyncDisposable with
        member _.DisposeAsync() = ValueTask()

"""

/// Sources with a result, where RESULT stands for its type.
let valued =
    [
        "Task<RESULT>"
        "ValueTask<RESULT>"
        "ConfiguredTaskAwaitable<RESULT>"
        "ConfiguredValueTaskAwaitable<RESULT>"
        "Plait.Strand<RESULT>"
        "Async<RESULT>"
        "unit -> Task<RESULT>"
        "StructAwaitable<RESULT>"
        "ClassAwaitable<RESULT>"
        "PlainAwaitable<RESULT>"
        "ConfigureOnly<RESULT>"
    ]

/// Sources without a result.
let unvalued =
    [ "Task"; "ValueTask"; "ConfiguredTaskAwaitable"; "ConfiguredValueTaskAwaitable"; "YieldAwaitable" ]
