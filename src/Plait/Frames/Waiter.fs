// Layer: frames. Whoever waits for an operation, taken out of it. Owns the rule where a waiter is called: here, on the
// scheduler it asked for, or on the thread pool, and that what it lets out falls into nobody else's operation.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

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

    /// The frame behind the BCL's "call this Action", where it is one of ours: it can be queued as it is.
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
                    Escaped.Throw error
            else
                waiter.Queue()
        | :? SynchronizationContext as context ->
            let waiter = waiter
            context.Post((fun _ -> waiter.Call()), null)
        | scheduler ->
            let waiter = waiter

            Task.Factory.StartNew(
                (fun () -> waiter.Call()),
                CancellationToken.None,
                TaskCreationOptions.DenyChildAttach,
                (scheduler :?> TaskScheduler)
            )
            |> ignore
