// Layer: primitives. A value that is made once, when it is first awaited. Owns the rule that attempts do not overlap: the next
// one begins behind the failure of the one before.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// The treatment of a failure by an `AsyncLazy`.
type LazyFailure =
    /// It stays the result, as in a Lazy.
    | Keep = 0
    /// Who awaits the attempt gets it, and the next one that comes starts another attempt.
    | Retry = 1

/// <summary>A value that an asynchronous function makes once, when it is first awaited; awaited by anybody, any number of
/// times.</summary>
/// <remarks>
/// <para>The function begins on the thread, and in the context, of the first one that awaits; all that come meanwhile await the
/// same attempt. Once it has succeeded, an await allocates nothing, and the function is let go of.</para>
/// <para>A cancellation of the function is a failure too. To end only one's own wait, use <c>WaitAsync</c> with a token.</para>
/// <para>A function that awaits its own lazy value waits for ever.</para>
/// </remarks>
[<Sealed>]
type AsyncLazy<'T> private (factory: Func<Task<'T>>, retries: bool) =
    do ArgumentNullException.ThrowIfNull(factory, nameof factory)

    let mutable factory = factory
    // null; the Task of the attempt that runs or was the last one
    let mutable attempt: obj | null = null

    let fail (promise: TaskCompletionSource<'T>) (error: exn) =
        // code that gets the failure may try again at once
        if retries then Atomic.WriteItem(&attempt, null) else factory <- null

        match error with
        | :? OperationCanceledException as cancelled -> promise.SetCanceled cancelled.CancellationToken
        | error -> promise.SetException error

    let settle (promise: TaskCompletionSource<'T>) (made: Task<'T>) =
        if made.IsCompletedSuccessfully then
            factory <- null
            promise.SetResult made.Result
        else
            try
                made.GetAwaiter().GetResult() |> ignore
            with error ->
                fail promise error

    let run (promise: TaskCompletionSource<'T>) =
        let mutable made: Task<'T> = null

        try
            made <- factory.Invoke()

            if isNull made then
                raise (PrimitiveErrors.NoTask())
        with error ->
            made <- null
            fail promise error

        if not (isNull made) then
            if made.IsCompleted then
                settle promise made
            else
                made.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(fun () -> settle promise made)

    let start () : Task<'T> =
        let promise = TaskCompletionSource<'T>()

        match Atomic.CompareExchangeObject(&attempt, promise.Task, null) with
        | null ->
            run promise
            promise.Task
        | running -> Unsafe.As<Task<'T>> running

    /// A value that the function makes; `failure`: whether a failure is kept or the next call tries again.
    new(factory: Func<Task<'T>>, failure: LazyFailure) = AsyncLazy<'T>(factory, (failure = LazyFailure.Retry))

    /// A value that the function makes. Its failure is kept.
    new(factory: Func<Task<'T>>) = AsyncLazy<'T>(factory, false)

    /// Whether an attempt runs, or has given the result.
    member _.IsStarted = not (isNull (Atomic.ReadItem &attempt))

    /// The value as a Task; the first read starts the function.
    member _.Task: Task<'T> =
        match Atomic.ReadItem &attempt with
        | null -> start ()
        | running -> Unsafe.As<Task<'T>> running

    /// <summary>The value, for one who may give up: the token ends this wait and does not reach the function.</summary>
    /// <exception cref="T:System.OperationCanceledException">In the result: the token was cancelled first.</exception>
    member value.WaitAsync(cancellationToken: CancellationToken) : Task<'T> =
        value.Task.WaitAsync cancellationToken

    /// The awaiter, for builders and C#.
    member value.GetAwaiter() : TaskAwaiter<'T> = value.Task.GetAwaiter()

    /// The value, to be awaited on the captured context (true) or off it (false).
    member value.ConfigureAwait(continueOnCapturedContext: bool) : ConfiguredTaskAwaitable<'T> =
        value.Task.ConfigureAwait continueOnCapturedContext
