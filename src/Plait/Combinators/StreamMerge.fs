// Layer: combinators. Several asynchronous sequences as one, each item when it comes. Owns the rule that every step that was begun
// is awaited, and every enumerator disposed behind it.
namespace Plait.Kernel

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Channels
open System.Threading.Tasks
open Plait

/// One of the sequences, and its step.
[<Sealed; AllowNullLiteral; StackTraceHidden>]
type internal MergedItems<'T>(items: IAsyncEnumerator<'T>, ready: ChannelWriter<MergedItems<'T>>) as this =
    let mutable step = ValueTask<bool>()
    let wakes = Action(fun () -> ready.TryWrite this |> ignore)

    member _.Items = items

    /// The result of the step was not taken.
    member val IsPending = false with get, set

    /// Begins a step. The reader finds it when it has ended.
    member one.Begin() =
        step <- items.MoveNextAsync()
        one.IsPending <- true
        let awaiter = step.ConfigureAwait(false).GetAwaiter()

        if awaiter.IsCompleted then wakes.Invoke() else awaiter.UnsafeOnCompleted wakes

    /// The step, which has ended.
    member one.Take() : ValueTask<bool> =
        one.IsPending <- false
        step

/// The sequences that have not ended.
[<Sealed; StackTraceHidden>]
type internal Merging<'T>(all: seq<IAsyncEnumerable<'T>>, token: CancellationToken) =
    let ready = Channel.CreateUnbounded<MergedItems<'T>>()
    let stop = CancellationTokenSource.CreateLinkedTokenSource token
    let running = List<MergedItems<'T>>()
    let mutable current: MergedItems<'T> = null
    let mutable isBegun = false

    member _.Current = current.Items.Current

    member private _.Begin() =
        isBegun <- true

        for items in all do
            running.Add(MergedItems<'T>(items.GetAsyncEnumerator stop.Token, ready.Writer))

        for one in running do
            one.Begin()

    /// Waits for the next item of any.
    member merging.Next() : ValueTask<bool> =
        pooledValueTask {
            if not isBegun then
                merging.Begin()
            elif not (isNull current) then
                current.Begin()

            current <- null

            while isNull current && running.Count > 0 do
                let! one = ready.Reader.ReadAsync()

                let mutable hasItem = false

                try
                    let! moved = one.Take()
                    hasItem <- moved
                with error ->
                    Rethrow.Throw(CallersToken.Explain(error, token))

                if hasItem then
                    current <- one
                else
                    running.Remove one |> ignore
                    do! one.Items.DisposeAsync()

            return not (isNull current)
        }

    interface IAsyncDisposable with
        member _.DisposeAsync() =
            ValueTask(
                pooledTask {
                    use _ = stop
                    let mutable error: exn = null

                    if running.Count > 0 then
                        stop.Cancel()

                    let mutable pending = 0

                    for one in running do
                        if one.IsPending then
                            pending <- pending + 1

                    while pending > 0 do
                        let! one = ready.Reader.ReadAsync()
                        pending <- pending - 1

                        try
                            let! _ = one.Take()
                            ()
                        with _ ->
                            () // the step was cancelled, or its item is not wanted

                    for one in running do
                        try
                            do! one.Items.DisposeAsync()
                        with caught ->
                            error <- caught

                    if not (isNull error) then
                        raise error
                }
                :> Task
            )
