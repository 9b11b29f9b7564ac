// Layer: functions. Code that becomes part of the async method around it: lambdas for the inlined functions of List, Array, Seq,
// Option and Result, without a method, a closure or a Task of their own.
namespace Plait.RuntimeAsync

open System.ComponentModel
open Plait.Kernel
open Plait.RuntimeAsync.Kernel

/// <summary>A part of an async method, made by <c>step { }</c>. It has no code of its own: bound by <c>let!</c> in a builder of this
/// namespace, it is compiled into the method there. Elsewhere, kept in a value for example, its awaits are error FS3918.</summary>
type Step<'T> = delegate of unit -> 'T

/// A part of an async method, from the same code as the builders.
type StepBuilder() =
    inherit RuntimeMembers<OnCaptured>()

    /// The code, not started.
    member inline _.Run([<InlineIfLambda>] body: unit -> 'T) : Step<'T> = Step<'T>(fun () -> body ())

/// Binds steps.
[<AutoOpen; EditorBrowsable(EditorBrowsableState.Never)>]
module StepSources =
    type RuntimeMembers<'Affinity when 'Affinity :> IAffinity> with

        /// Runs the step here.
        member inline _.Bind([<InlineIfLambda>] step: Step<'a>, [<InlineIfLambda>] rest: 'a -> 'T) : 'T =
            Awaiters.next (fun () -> step.Invoke()) rest

        /// Runs the step here, for its result.
        member inline _.ReturnFrom([<InlineIfLambda>] step: Step<'T>) : 'T = step.Invoke()

/// `step` itself.
[<AutoOpen>]
module Steps =

    /// A part of an async method: what the functions on List, Array, Seq, Option and Result below take.
    let step = StepBuilder()

// A result goes through `let mutable` before it is added: an await among the arguments of a call on a struct would leave the
// struct's address on the stack while the method is suspended.

/// Functions over lists that take steps: one item after another.
module List =

    /// The results of a step for each item, in order.
    let inline mapAsync ([<InlineIfLambda>] f: 'a -> Step<'b>) (items: 'a list) : Step<'b list> =
        Step<'b list>(fun () ->
            let results = ResizeArray<'b>()

            for item in items do
                let mutable result = Unchecked.defaultof<'b>
                result <- (f item).Invoke()
                results.Add result

            List.ofSeq results)

    /// The items for which a step is true, in order.
    let inline filterAsync ([<InlineIfLambda>] f: 'a -> Step<bool>) (items: 'a list) : Step<'a list> =
        Step<'a list>(fun () ->
            let results = ResizeArray<'a>()

            for item in items do
                if (f item).Invoke() then
                    results.Add item

            List.ofSeq results)

    /// A state carried through a step for each item.
    let inline foldAsync
        ([<InlineIfLambda>] f: 's -> 'a -> Step<'s>)
        (state: 's)
        (items: 'a list)
        : Step<'s> =
        Step<'s>(fun () ->
            let mutable state = state

            for item in items do
                state <- (f state item).Invoke()

            state)

/// Functions over arrays that take steps: one item after another.
module Array =

    /// The results of a step for each item, in order.
    let inline mapAsync ([<InlineIfLambda>] f: 'a -> Step<'b>) (items: 'a[]) : Step<'b[]> =
        Step<'b[]>(fun () ->
            let results = Array.zeroCreate<'b> items.Length

            for index in 0 .. items.Length - 1 do
                let mutable result = Unchecked.defaultof<'b>
                result <- (f items[index]).Invoke()
                results[index] <- result

            results)

    /// A state carried through a step for each item.
    let inline foldAsync ([<InlineIfLambda>] f: 's -> 'a -> Step<'s>) (state: 's) (items: 'a[]) : Step<'s> =
        Step<'s>(fun () ->
            let mutable state = state

            for index in 0 .. items.Length - 1 do
                state <- (f state items[index]).Invoke()

            state)

/// Functions over sequences that take steps: one item after another.
module Seq =

    /// A step for each item.
    let inline iterAsync ([<InlineIfLambda>] f: 'a -> Step<unit>) (items: seq<'a>) : Step<unit> =
        Step<unit>(fun () ->
            let cursor = SequenceCursor<'a>.Over items

            try
                while cursor.MoveNext() do
                    (f cursor.Current).Invoke()
            finally
                (cursor :> System.IDisposable).Dispose())

/// Functions over options that take steps.
module Option =

    /// The result of a step for the value, if there is one.
    let inline mapAsync ([<InlineIfLambda>] f: 'a -> Step<'b>) (option: 'a option) : Step<'b option> =
        Step<'b option>(fun () ->
            match option with
            | Some value ->
                let mutable result = Unchecked.defaultof<'b>
                result <- (f value).Invoke()
                Some result
            | None -> None)

    /// The option that a step makes of the value, if there is one.
    let inline bindAsync ([<InlineIfLambda>] f: 'a -> Step<'b option>) (option: 'a option) : Step<'b option> =
        Step<'b option>(fun () ->
            match option with
            | Some value -> (f value).Invoke()
            | None -> None)

/// Functions over results that take steps.
module Result =

    /// The result of a step for the value of Ok.
    let inline mapAsync
        ([<InlineIfLambda>] f: 'a -> Step<'b>)
        (result: Result<'a, 'error>)
        : Step<Result<'b, 'error>> =
        Step<Result<'b, 'error>>(fun () ->
            match result with
            | Ok value ->
                let mutable mapped = Unchecked.defaultof<'b>
                mapped <- (f value).Invoke()
                Ok mapped
            | Error error -> Error error)

    /// What a step makes of the value of Ok.
    let inline bindAsync
        ([<InlineIfLambda>] f: 'a -> Step<Result<'b, 'error>>)
        (result: Result<'a, 'error>)
        : Step<Result<'b, 'error>> =
        Step<Result<'b, 'error>>(fun () ->
            match result with
            | Ok value -> (f value).Invoke()
            | Error error -> Error error)
