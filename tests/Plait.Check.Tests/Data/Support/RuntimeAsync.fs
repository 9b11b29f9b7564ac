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

    member _.MergeSources(first: Task<'a>, second: Task<'b>) : Task<struct ('a * 'b)> =
        Task.FromResult(struct (first.GetAwaiter().GetResult(), second.GetAwaiter().GetResult()))

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

open System.Threading.Tasks
open Plait.RuntimeAsync.Kernel

[<AbstractClass>]
type AsyncFunc<'A, 'T>() =
    abstract Invoke: 'A -> ValueTask<'T>

[<AutoOpen>]
module Builders =
    let task = RuntimeTaskBuilder()
    let taskUnit = RuntimeTaskUnitBuilder()
    let valueTask = RuntimeValueTaskBuilder()
    let valueTaskUnit = RuntimeValueTaskUnitBuilder()
    let backgroundTask = RuntimeTaskBuilder()

type Step<'T> = delegate of unit -> 'T

type StepBuilder() =
    inherit RuntimeMembers()
    member _.Run(body: unit -> 'T) : Step<'T> = Step<'T>(fun () -> body ())

module NonAffine =
    let step = StepBuilder()
    let task = RuntimeTaskBuilder()
    let valueTask = RuntimeValueTaskBuilder()

module Guarded =
    let task = RuntimeTaskBuilder()
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
