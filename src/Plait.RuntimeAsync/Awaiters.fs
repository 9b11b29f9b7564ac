// Layer: awaiters. How an async method waits where `AsyncHelpers.Await` has no overload or may not follow the call.
namespace Plait.RuntimeAsync.Kernel

open System.Runtime.CompilerServices
open System.Threading.Tasks

open Plait.Kernel

/// Waits by the awaiters of C#'s pattern.
[<EditorBrowsable(EditorBrowsableState.Never)>]
module Awaiters =

    /// Waits by an awaiter with UnsafeOnCompleted: the async method carries the execution context itself.
    let inline await< ^A, 'a when CriticalAwaiter< ^A, 'a >> (awaiter: ^A) : 'a =
        let mutable awaiter = awaiter

        if not (^A: (member get_IsCompleted: unit -> bool) awaiter) then
            AsyncHelpers.UnsafeAwaitAwaiter awaiter

        (^A: (member GetResult: unit -> 'a) awaiter)

    /// Waits by an awaiter that may only have OnCompleted.
    let inline awaitAny< ^A, 'a when Awaiter< ^A, 'a >> (awaiter: ^A) : 'a =
        let mutable awaiter = awaiter

        if not (^A: (member get_IsCompleted: unit -> bool) awaiter) then
            AsyncHelpers.AwaitAwaiter awaiter

        (^A: (member GetResult: unit -> 'a) awaiter)

    // The JIT of .NET 11.0.0 takes `call f; call Await`, and the same with ConfigureAwait between them, for an await of the async
    // method f without a look at the types: where f returns a Task<'T> and a Task is awaited, as in `do! (f x :> Task)`, the
    // method is invalid. A local before the await keeps the JIT from that, at the price of a real Task for each call of a
    // function that returns a Task. It is set in two steps, because F# does away with a local that is set once.
    /// Waits for a task without a result, which may be one with a result.
    let inline awaitTask (task: Task) : unit =
        let mutable kept = Unchecked.defaultof<Task>
        kept <- task
        AsyncHelpers.Await kept

    /// Waits for a task without a result, with its ConfigureAwait.
    let inline awaitConfigured (task: ConfiguredTaskAwaitable) : unit =
        let mutable kept = Unchecked.defaultof<ConfiguredTaskAwaitable>
        kept <- task
        AsyncHelpers.Await kept

    // F# moves a value that is used once to where it is used, its await with it, and leaves the call of the async method where it
    // was: the JIT then makes a Task. A local with the prefix __stack_ stays.
    /// Continues with the result of an await.
    let inline next ([<InlineIfLambda>] await: unit -> 'a) ([<InlineIfLambda>] rest: 'a -> 'T) : 'T =
        let __stack_awaited = await ()
        rest __stack_awaited
