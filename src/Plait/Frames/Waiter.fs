// Layer: frames. A continuation that waits for an operation. Owns the rule where it is called: here, on the
// scheduling context that it asked for, or on the thread pool; an exception that it throws never reaches the
// operation.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading

/// A waiter that is to be called: delegate, its state, and where it wants to run.
[<Struct; IsReadOnly; NoEquality; NoComparison>]
type internal Waiter =
    val Continuation: Action<obj>
    val State: obj | null
    val Scheduler: obj | null
    val Context: ExecutionContext

    new(continuation, state, scheduler, context) =
        { Continuation = continuation; State = state; Scheduler = scheduler; Context = context }

    member private waiter.Call() =
        if isNull waiter.Context then
            waiter.Continuation.Invoke waiter.State
        else
            let continuation = waiter.Continuation

            ExecutionContext.Run(
                waiter.Context,
                ContextCallback(fun state -> continuation.Invoke state),
                waiter.State
            )

    /// The frame whose Action the BCL was given, if it is one of ours: it can be queued as it is.
    member private waiter.Frame: Frame =
        match waiter.State with
        | :? Action as action when obj.ReferenceEquals(waiter.Continuation.Method.Module, typeof<obj>.Module) ->
            match action.Target with
            | :? Frame as frame -> frame
            | _ -> null
        | _ -> null

    /// On the thread pool, from wherever this is. Allocates nothing for the awaiters of C# methods and of our own frames.
    member waiter.Queue() =
        if isNull waiter.Context then
            match waiter.Frame with
            | null -> ThreadPool.UnsafeQueueUserWorkItem(waiter.Continuation, waiter.State, true) |> ignore
            | frame -> Atomic.Queue frame
        else
            ThreadPool.UnsafeQueueUserWorkItem((fun (waiter: Waiter) -> waiter.Call()), waiter, true)
            |> ignore

    /// Here, or on the scheduler it asked for.
    member waiter.Run() =
        match waiter.Scheduler with
        | null ->
            if RuntimeHelpers.TryEnsureSufficientExecutionStack() then
                try
                    waiter.Call()
                with error ->
                    UnhandledErrors.ThrowOnPool error
            else
                waiter.Queue()
        | scheduler ->
            SchedulingContext.Post(scheduler, (fun state -> (unbox<Waiter> state).Call()), box waiter)
