// Layer: primitives. A value that is made once, when it is first awaited. Owns the rule that attempts do not overlap: the next
// one begins after the failure of the one before.
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
    /// The awaits of this attempt get it, and the next await starts another attempt.
    | Retry = 1

/// <summary>A value that an asynchronous function makes once, at its first await. Any code may await it, any number of
/// times.</summary>
/// <remarks>
/// <para>The function begins on the thread, and in the context, of the first await; all awaits meanwhile share the
/// same attempt, and get its result or its very exception. Awaiting code continues as after an await of the function's own Task. An
/// await that began before the function returned that Task continues on the thread pool, or in the context that it captured. Once
/// an attempt has succeeded, an await allocates nothing, and the object holds the function no more.</para>
/// <para>A cancellation of the function is a failure too. To end one wait alone, use <c>WaitAsync</c> with a token.</para>
/// <para>A function that awaits its own lazy value waits for ever.</para>
/// </remarks>
[<Sealed>]
type AsyncLazy<'T> private (factory: Func<Task<'T>>, retries: bool) =
    do ArgumentNullException.ThrowIfNull(factory, nameof factory)

    let gate = obj ()
    let mutable factory = factory
    // the Task that the function has returned; null: none yet, or another attempt runs
    let mutable made: Task<'T> | null = null

    // in the gate, until the function has returned
    let mutable isRunning = false
    // the Task of those that come meanwhile; null: nobody has
    let mutable arrivals: TaskCompletionSource<Task<'T>> | null = null
    let mutable forArrivals: Task<'T> = null

    let isOver (task: Task<'T>) =
        retries && task.IsCompleted && not task.IsCompletedSuccessfully

    let call () : Task<'T> =
        try
            match factory.Invoke() with
            | null -> Settled.Failed<'T>(PrimitiveErrors.NoTask())
            | task -> task
        with error ->
            Settled.Failed<'T> error

    let release () =
        match made with
        | null -> ()
        | task when retries && not task.IsCompletedSuccessfully -> ()
        | _ -> factory <- null

    let finish (task: Task<'T>) =
        Atomic.Enter gate
        Atomic.WriteItem(&made, task)
        Volatile.Write(&isRunning, false)
        let waiting = arrivals
        arrivals <- null
        forArrivals <- null
        Atomic.Exit gate

        match waiting with
        | null -> ()
        | waiting -> waiting.SetResult task

        if retries && not task.IsCompleted then
            task.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(Action release)
        else
            release ()

    /// The Task of the attempt that runs, or null: the caller runs one now.
    let join () : Task<'T> | null =
        Atomic.Enter gate

        try
            match made with
            | task when not (isNull task) && not (isOver task) -> task
            | _ when isRunning ->
                if isNull arrivals then
                    // they continue elsewhere: not inside the read of the one whose attempt it is
                    let promise =
                        TaskCompletionSource<Task<'T>> TaskCreationOptions.RunContinuationsAsynchronously

                    arrivals <- promise
                    forArrivals <- promise.Task.Unwrap()

                forArrivals
            | _ ->
                Volatile.Write(&isRunning, true)
                Atomic.WriteItem(&made, null)
                null
        finally
            Atomic.Exit gate

    let start () : Task<'T> =
        match join () with
        | null ->
            let task = call ()
            finish task
            task
        | task -> task

    /// A value that the function makes; `failure`: whether a failure is kept or the next call tries again.
    new(factory: Func<Task<'T>>, failure: LazyFailure) = AsyncLazy<'T>(factory, (failure = LazyFailure.Retry))

    /// A value that the function makes. Its failure is kept.
    new(factory: Func<Task<'T>>) = AsyncLazy<'T>(factory, false)

    /// Whether an attempt runs, or has given the result.
    member _.IsStarted =
        Volatile.Read &isRunning
        || (match Atomic.ReadItem &made with
            | null -> false
            | task -> not (isOver task))

    /// The value as a Task; the first read starts the function.
    member _.Task: Task<'T> =
        match Atomic.ReadItem &made with
        | task when not (isNull task) && not (isOver task) -> task
        | _ -> start ()

    /// <summary>A wait for the value that the token ends; the token does not reach the function.</summary>
    /// <exception cref="T:System.OperationCanceledException">In the result: the token was cancelled first.</exception>
    member value.WaitAsync(cancellationToken: CancellationToken) : Task<'T> =
        value.Task.WaitAsync cancellationToken

    /// The awaiter, for builders and C#.
    member value.GetAwaiter() : TaskAwaiter<'T> = value.Task.GetAwaiter()

    /// The value, to be awaited on the captured context (true) or off it (false).
    member value.ConfigureAwait(continueOnCapturedContext: bool) : ConfiguredTaskAwaitable<'T> =
        value.Task.ConfigureAwait continueOnCapturedContext
