// The names of the package Plait.RuntimeAsync, which only F# 11 compiles: names and types are its own. Waiting is not: each await here
// blocks.
namespace Plait.RuntimeAsync.Kernel

open System
open System.Threading.Tasks

type RuntimeMembers() =
    member _.Delay(part: unit -> 'T) : unit -> 'T = part
    member _.Zero() : unit = ()
    member _.Return(value: 'T) : 'T = value
    member _.Combine(_first: unit, second: unit -> 'T) : 'T = second ()

    member _.While(test: unit -> bool, body: unit -> unit) : unit =
        while test () do
            body ()

    member _.For(items: seq<'a>, body: 'a -> unit) : unit = Seq.iter body items

    member _.TryWith(body: unit -> 'T, handler: exn -> 'T) : 'T =
        try
            body ()
        with error ->
            handler error

    member _.TryFinally(body: unit -> 'T, last: unit -> unit) : 'T =
        try
            body ()
        finally
            last ()

    member _.Using(resource: 'r :> IDisposable, body: 'r -> 'T) : 'T =
        use resource = resource
        body resource

    member _.Bind(task: Task<'a>, rest: 'a -> 'T) : 'T = rest (task.GetAwaiter().GetResult())
    member _.Bind(task: ValueTask<'a>, rest: 'a -> 'T) : 'T = rest (task.GetAwaiter().GetResult())
    member _.Bind(task: ValueTask, rest: unit -> 'T) : 'T = rest (task.GetAwaiter().GetResult())
    member _.ReturnFrom(task: Task<'T>) : 'T = task.GetAwaiter().GetResult()
    member _.ReturnFrom(task: ValueTask<'T>) : 'T = task.GetAwaiter().GetResult()

    member _.MergeSources(first: Task<'a>, second: Task<'b>) : Task<'a * 'b> =
        Task.FromResult((first.GetAwaiter().GetResult(), second.GetAwaiter().GetResult()))

type RuntimeTaskBuilder() =
    inherit RuntimeMembers()
    member _.Run(body: unit -> 'T) : Task<'T> = Task.FromResult(body ())

type RuntimeTaskUnitBuilder() =
    inherit RuntimeMembers()

    member _.Run(body: unit -> unit) : Task =
        body ()
        Task.CompletedTask

type RuntimeValueTaskBuilder() =
    inherit RuntimeMembers()
    member _.Run(body: unit -> 'T) : ValueTask<'T> = ValueTask<'T>(body ())

type RuntimeValueTaskUnitBuilder() =
    inherit RuntimeMembers()

    member _.Run(body: unit -> unit) : ValueTask =
        body ()
        ValueTask()

namespace Plait.RuntimeAsync

open System
open System.Threading.Tasks
open Plait.RuntimeAsync.Kernel

type Step<'T> = delegate of unit -> 'T

namespace Plait.RuntimeAsync.Kernel

open System
open System.Threading.Tasks
open Plait.RuntimeAsync

type RuntimeResultMembers() =
    member _.Delay(part: unit -> 'T) : unit -> 'T = part
    member _.Zero() : Result<unit, 'E> = Ok()
    member _.Return(value: 'T) : Result<'T, 'E> = Ok value
    member _.Combine(first: Result<unit, 'E>, second: unit -> Result<'T, 'E>) = Result.bind second first

    member _.While(test: unit -> bool, body: unit -> Result<unit, 'E>) : Result<unit, 'E> =
        let mutable turn = Ok()

        while turn.IsOk && test () do
            turn <- body ()

        turn

    member this.For(items: seq<'a>, body: 'a -> Result<unit, 'E>) : Result<unit, 'E> =
        use position = items.GetEnumerator()
        this.While((fun () -> position.MoveNext()), (fun () -> body position.Current))

    member _.TryFinally(body: unit -> 'T, last: unit -> unit) : 'T =
        try
            body ()
        finally
            last ()

    member _.Using(resource: 'r :> IDisposable, body: 'r -> 'T) : 'T =
        use resource = resource
        body resource

    member _.Bind(step: Step<Result<'a, 'E>>, rest: 'a -> Result<'T, 'E>) : Result<'T, 'E> =
        Result.bind rest (step.Invoke())

    member _.ReturnFrom(step: Step<Result<'T, 'E>>) : Result<'T, 'E> = step.Invoke()

    member _.MergeSources
        (first: Step<Result<'a, 'E>>, second: Step<Result<'b, 'E>>)
        : Step<Result<struct ('a * 'b), 'E>> =
        Step<Result<struct ('a * 'b), 'E>>(fun () ->
            match first.Invoke(), second.Invoke() with
            | Ok first, Ok second -> Ok(struct (first, second))
            | Error error, _
            | Ok _, Error error -> Error error)

type RuntimeTaskResultBuilder() =
    inherit RuntimeResultMembers()
    member _.Run(body: unit -> Result<'T, 'E>) : Task<Result<'T, 'E>> = Task.FromResult(body ())

type RuntimeValueTaskResultBuilder() =
    inherit RuntimeResultMembers()
    member _.Run(body: unit -> Result<'T, 'E>) : ValueTask<Result<'T, 'E>> = ValueTask<Result<'T, 'E>>(body ())

namespace Plait.RuntimeAsync

open System.Threading.Tasks
open Plait.RuntimeAsync.Kernel

[<AbstractClass>]
type AsyncFunc<'A, 'T>() =
    abstract Invoke: 'A -> ValueTask<'T>

[<AutoOpen>]
module ResultValues =
    type RuntimeResultMembers with
        member _.Source(task: ValueTask<'a>) : Step<Result<'a, 'E>> =
            Step<Result<'a, 'E>>(fun () -> Ok(task.GetAwaiter().GetResult()))

        member _.Source(task: Task<'a>) : Step<Result<'a, 'E>> =
            Step<Result<'a, 'E>>(fun () -> Ok(task.GetAwaiter().GetResult()))

        member _.Source(items: seq<'a>) : seq<'a> = items

[<AutoOpen>]
module ResultResults =
    type RuntimeResultMembers with
        member _.Source(result: Result<'a, 'E>) : Step<Result<'a, 'E>> = Step<Result<'a, 'E>>(fun () -> result)

        member _.Source(task: ValueTask<Result<'a, 'E>>) : Step<Result<'a, 'E>> =
            Step<Result<'a, 'E>>(fun () -> task.GetAwaiter().GetResult())

        member _.Source(task: Task<Result<'a, 'E>>) : Step<Result<'a, 'E>> =
            Step<Result<'a, 'E>>(fun () -> task.GetAwaiter().GetResult())

[<AutoOpen>]
module Builders =
    let task = RuntimeTaskBuilder()
    let taskUnit = RuntimeTaskUnitBuilder()
    let valueTask = RuntimeValueTaskBuilder()
    let valueTaskUnit = RuntimeValueTaskUnitBuilder()
    let backgroundTask = RuntimeTaskBuilder()
    let taskResult = RuntimeTaskResultBuilder()
    let valueTaskResult = RuntimeValueTaskResultBuilder()

type StepBuilder() =
    inherit RuntimeMembers()
    member _.Run(body: unit -> 'T) : Step<'T> = Step<'T>(fun () -> body ())

module NonAffine =
    let step = StepBuilder()
    let task = RuntimeTaskBuilder()
    let valueTask = RuntimeValueTaskBuilder()

module Guarded =
    let task = RuntimeTaskBuilder()
    let taskResult = RuntimeTaskResultBuilder()
    let valueTask = RuntimeValueTaskBuilder()

[<AutoOpen>]
module Steps =
    let step = StepBuilder()

    type RuntimeMembers with
        member _.Bind(task: Task, rest: unit -> 'T) : 'T = rest (task.GetAwaiter().GetResult())
        member _.Bind(step: Step<'a>, rest: 'a -> 'T) : 'T = rest (step.Invoke())

module List =
    let mapAsync (f: 'a -> Step<'b>) (items: 'a list) : Step<'b list> =
        Step<'b list>(fun () -> items |> List.map (fun item -> (f item).Invoke()))

module Seq =
    let mapThrottled (_limit: int) (f: 'a -> Step<'b>) (items: seq<'a>) : Task<'b[]> =
        Task.FromResult [| for item in items -> (f item).Invoke() |]

module Option =
    let mapAsync (f: 'a -> Step<'b>) (option: 'a option) : Step<'b option> =
        Step<'b option>(fun () -> option |> Option.map (fun item -> (f item).Invoke()))
