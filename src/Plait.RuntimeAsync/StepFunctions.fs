// Layer: functions. List, Array, Seq, Option and Result with lambdas that return steps: inlined, so that nothing of a lambda is left
// but its code.
namespace Plait.RuntimeAsync

open System.Threading.Tasks
open Plait.Kernel
open Plait.RuntimeAsync.Kernel

// A result goes through `let mutable` before it is added: an await among the arguments of a call on a struct would leave the
// struct's address on the stack while the method is suspended.

/// Functions over lists that take steps: one item after another.
module List =

    /// The results of a step for each item, in order.
    let inline mapAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, 'b>)
        (items: 'a list)
        : Step<'Affinity, 'b list> =
        Step<'Affinity, 'b list>(fun () ->
            let results = ResizeArray<'b>()

            for item in items do
                let mutable result = Unchecked.defaultof<'b>
                result <- (f item).Invoke()
                results.Add result

            List.ofSeq results)

    /// The items for which a step is true, in order.
    let inline filterAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, bool>)
        (items: 'a list)
        : Step<'Affinity, 'a list> =
        Step<'Affinity, 'a list>(fun () ->
            let results = ResizeArray<'a>()

            for item in items do
                if (f item).Invoke() then
                    results.Add item

            List.ofSeq results)

    /// A state carried through a step for each item.
    let inline foldAsync
        ([<InlineIfLambda>] f: 's -> 'a -> Step<'Affinity, 's>)
        (state: 's)
        (items: 'a list)
        : Step<'Affinity, 's> =
        Step<'Affinity, 's>(fun () ->
            let mutable state = state

            for item in items do
                state <- (f state item).Invoke()

            state)

    /// A step for each item.
    let inline iterAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, unit>)
        (items: 'a list)
        : Step<'Affinity, unit> =
        Step<'Affinity, unit>(fun () ->
            for item in items do
                (f item).Invoke())

/// Functions over arrays that take steps: one item after another.
module Array =

    /// The results of a step for each item, in order.
    let inline mapAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, 'b>)
        (items: 'a[])
        : Step<'Affinity, 'b[]> =
        Step<'Affinity, 'b[]>(fun () ->
            let results = Array.zeroCreate<'b> items.Length

            for index in 0 .. items.Length - 1 do
                let mutable result = Unchecked.defaultof<'b>
                result <- (f items[index]).Invoke()
                results[index] <- result

            results)

    /// A state carried through a step for each item.
    let inline foldAsync
        ([<InlineIfLambda>] f: 's -> 'a -> Step<'Affinity, 's>)
        (state: 's)
        (items: 'a[])
        : Step<'Affinity, 's> =
        Step<'Affinity, 's>(fun () ->
            let mutable state = state

            for index in 0 .. items.Length - 1 do
                state <- (f state items[index]).Invoke()

            state)

    /// The items for which a step is true, in order.
    let inline filterAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, bool>)
        (items: 'a[])
        : Step<'Affinity, 'a[]> =
        Step<'Affinity, 'a[]>(fun () ->
            let results = ResizeArray<'a>()

            for index in 0 .. items.Length - 1 do
                let item = items[index]

                if (f item).Invoke() then
                    results.Add item

            results.ToArray())

    /// A step for each item.
    let inline iterAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, unit>)
        (items: 'a[])
        : Step<'Affinity, unit> =
        Step<'Affinity, unit>(fun () ->
            for index in 0 .. items.Length - 1 do
                (f items[index]).Invoke())

/// Functions over sequences that take steps: one item after another.
module Seq =

    /// A step for each item.
    let inline iterAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, unit>)
        (items: seq<'a>)
        : Step<'Affinity, unit> =
        Step<'Affinity, unit>(fun () ->
            System.ArgumentNullException.ThrowIfNull(items, nameof items)
            let cursor = SequenceCursor<'a>.Over items

            try
                while cursor.MoveNext() do
                    (f cursor.Current).Invoke()
            finally
                (cursor :> System.IDisposable).Dispose())

    /// The results of a step for each item, in order.
    let inline mapAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, 'b>)
        (items: seq<'a>)
        : Step<'Affinity, 'b list> =
        Step<'Affinity, 'b list>(fun () ->
            let results = ResizeArray<'b>()
            System.ArgumentNullException.ThrowIfNull(items, nameof items)
            let cursor = SequenceCursor<'a>.Over items

            try
                while cursor.MoveNext() do
                    let mutable result = Unchecked.defaultof<'b>
                    result <- (f cursor.Current).Invoke()
                    results.Add result
            finally
                (cursor :> System.IDisposable).Dispose()

            List.ofSeq results)

    /// The items for which a step is true, in order.
    let inline filterAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, bool>)
        (items: seq<'a>)
        : Step<'Affinity, 'a list> =
        Step<'Affinity, 'a list>(fun () ->
            let results = ResizeArray<'a>()
            System.ArgumentNullException.ThrowIfNull(items, nameof items)
            let cursor = SequenceCursor<'a>.Over items

            try
                while cursor.MoveNext() do
                    let item = cursor.Current

                    if (f item).Invoke() then
                        results.Add item
            finally
                (cursor :> System.IDisposable).Dispose()

            List.ofSeq results)

    /// A state carried through a step for each item.
    let inline foldAsync
        ([<InlineIfLambda>] f: 's -> 'a -> Step<'Affinity, 's>)
        (state: 's)
        (items: seq<'a>)
        : Step<'Affinity, 's> =
        Step<'Affinity, 's>(fun () ->
            let mutable state = state
            System.ArgumentNullException.ThrowIfNull(items, nameof items)
            let cursor = SequenceCursor<'a>.Over items

            try
                while cursor.MoveNext() do
                    state <- (f state cursor.Current).Invoke()
            finally
                (cursor :> System.IDisposable).Dispose()

            state)

    /// The results of a step for each item, in order, with at most `limit` of them under way. Each is an operation of its own, with a
    /// Task. After an error nothing more is started; the operations under way are awaited, then the first error in order is the
    /// result.
    let inline mapThrottled
        (limit: int)
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, 'b>)
        (items: seq<'a>)
        : Task<'b[]> =
        items
        |> Plait.Task.mapThrottled limit (fun item -> AsyncMethod.task (fun () -> (f item).Invoke()))

/// Functions over options that take steps.
module Option =

    /// The result of a step for the value, if there is one.
    let inline mapAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, 'b>)
        (option: 'a option)
        : Step<'Affinity, 'b option> =
        Step<'Affinity, 'b option>(fun () ->
            match option with
            | Some value ->
                let mutable result = Unchecked.defaultof<'b>
                result <- (f value).Invoke()
                Some result
            | None -> None)

    /// The option that a step makes of the value, if there is one.
    let inline bindAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, 'b option>)
        (option: 'a option)
        : Step<'Affinity, 'b option> =
        Step<'Affinity, 'b option>(fun () ->
            match option with
            | Some value -> (f value).Invoke()
            | None -> None)

/// Functions over results that take steps.
module Result =

    /// The result of a step for the value of Ok.
    let inline mapAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, 'b>)
        (result: Result<'a, 'error>)
        : Step<'Affinity, Result<'b, 'error>> =
        Step<'Affinity, Result<'b, 'error>>(fun () ->
            match result with
            | Ok value ->
                let mutable mapped = Unchecked.defaultof<'b>
                mapped <- (f value).Invoke()
                Ok mapped
            | Error error -> Error error)

    /// The result of a step for the value of Ok.
    let inline bindAsync
        ([<InlineIfLambda>] f: 'a -> Step<'Affinity, Result<'b, 'error>>)
        (result: Result<'a, 'error>)
        : Step<'Affinity, Result<'b, 'error>> =
        Step<'Affinity, Result<'b, 'error>>(fun () ->
            match result with
            | Ok value -> (f value).Invoke()
            | Error error -> Error error)
