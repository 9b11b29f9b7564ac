// The effect: a reference union of a value and a task of one, with the plain builder it was published with.
namespace Plait.Candidate

open System.Threading.Tasks

/// The type that evaluation returns.
type Effect<'a> =
    /// It is there.
    | Value of 'a
    /// It has yet to arrive.
    | Task of Task<'a>

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> = Task running

    /// The effect as a task.
    let toTask (work: Effect<'a>) : Task<'a> =
        match work with
        | Value value -> System.Threading.Tasks.Task.FromResult value
        | Task running -> running

    /// It has started already.
    let start (work: Effect<'a>) : ValueTask<'a> =
        match work with
        | Value value -> ValueTask<'a> value
        | Task running -> ValueTask<'a> running

    /// Goes on with the value, in a task if it has yet to arrive.
    let bind (work: Effect<'a>) (rest: 'a -> Effect<'b>) : Effect<'b> =
        match work with
        | Value value -> rest value
        | Task running ->
            Task(
                task {
                    let! value = running
                    return! toTask (rest value)
                }
            )

/// The members that the evaluator needs.
type EffectBuilder() =
    /// A value that is there.
    member _.Return value = Value value
    /// Hands the effect over.
    member _.ReturnFrom(work: Effect<'a>) = work
    /// Goes on with the value.
    member _.Bind(work, rest) : Effect<'b> = Effect.bind work rest
    /// Runs at once.
    member _.Delay(work: unit -> Effect<'a>) = work ()

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects.
    let effect = EffectBuilder()
