// Layer: combinators. Operations in `async`, by the awaiter: an operation's own exception is raised, without an
// AggregateException around it.
namespace Plait.Kernel

open System
open System.Threading
open System.Threading.Tasks

/// Operations as asyncs.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type AsyncAwait =

    /// Takes the result and calls a continuation. That call is outside of the `try`: the continuation's exceptions are its own.
    static member Settle<'a>(getResult: unit -> 'a, succeeded: 'a -> unit, failed: exn -> unit) : unit =
        let mutable error: exn = null
        let mutable value = Unchecked.defaultof<'a>

        try
            value <- getResult ()
        with caught ->
            error <-
                match caught with
                | :? AggregateException as all when all.InnerExceptions.Count = 1 -> all.InnerExceptions[0]
                | caught -> caught

        if isNull error then succeeded value else failed error

    /// A Task<'a>. Each start of the async awaits it.
    static member Task(task: Task<'a>) : Async<'a> =
        Async.FromContinuations(fun (succeeded, failed, _) ->
            let awaiter = task.GetAwaiter()

            if awaiter.IsCompleted then
                AsyncAwait.Settle(awaiter.GetResult, succeeded, failed)
            else
                awaiter.UnsafeOnCompleted(fun () -> AsyncAwait.Settle(awaiter.GetResult, succeeded, failed)))

    /// A Task. Each start of the async awaits it.
    static member Task(task: Task) : Async<unit> =
        Async.FromContinuations(fun (succeeded, failed, _) ->
            let awaiter = task.GetAwaiter()

            if awaiter.IsCompleted then
                AsyncAwait.Settle(awaiter.GetResult, succeeded, failed)
            else
                awaiter.UnsafeOnCompleted(fun () -> AsyncAwait.Settle(awaiter.GetResult, succeeded, failed)))

    /// A ValueTask<'a>, which is consumed by the call.
    static member internal ValueTask(operation: ValueTask<'a>) : Async<'a> =
        AsyncAwait.Task(operation.AsTask())

    /// The operation that a function gives for the token of the async, at each start.
    static member Started(start: CancellationToken -> 'X, await: 'X -> Async<'a>) : Async<'a> =
        async.Bind(Async.CancellationToken, (fun token -> await (start token)))
