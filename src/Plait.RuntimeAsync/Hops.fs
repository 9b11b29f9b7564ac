// Layer: awaiters. Where an async method continues when it must leave its stack or its context.
namespace Plait.RuntimeAsync.Kernel

open System
open System.ComponentModel
open System.Diagnostics
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

/// Continues on the thread pool, off the caller's SynchronizationContext and TaskScheduler.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type ThreadPoolHop =

    /// Whether the calling thread has a context to leave.
    static member IsNeeded =
        not (isNull SynchronizationContext.Current)
        || not (obj.ReferenceEquals(TaskScheduler.Current, TaskScheduler.Default))

    interface ICriticalNotifyCompletion with
        member _.OnCompleted continuation =
            ThreadPool.QueueUserWorkItem(fun _ -> continuation.Invoke()) |> ignore

        member _.UnsafeOnCompleted continuation =
            ThreadPool.UnsafeQueueUserWorkItem((fun _ -> continuation.Invoke()), null) |> ignore

/// `Task.Yield()` of a builder that is bound to no context.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type ThreadPoolYield =
    /// The awaiter, which is the same.
    member yielding.GetAwaiter() = yielding

    /// False: it yields.
    member _.IsCompleted = false

    /// Nothing.
    member _.GetResult() = ()

    interface ICriticalNotifyCompletion with
        member _.OnCompleted continuation =
            (ThreadPoolHop() :> ICriticalNotifyCompletion).OnCompleted continuation

        member _.UnsafeOnCompleted continuation =
            (ThreadPoolHop() :> ICriticalNotifyCompletion).UnsafeOnCompleted continuation

/// Continues on another stack, on the caller's SynchronizationContext or TaskScheduler.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never); StackTraceHidden>]
type NewStack =

    static member private Continue(continuation: Action) =
        let scheduler = TaskScheduler.Current

        match SynchronizationContext.Current with
        | null when obj.ReferenceEquals(scheduler, TaskScheduler.Default) ->
            ThreadPool.UnsafeQueueUserWorkItem((fun _ -> continuation.Invoke()), null) |> ignore
        | null ->
            Task.Factory.StartNew(
                continuation,
                CancellationToken.None,
                TaskCreationOptions.PreferFairness,
                scheduler
            )
            |> ignore
        | context ->
            // from a thread of the pool: a context may post by calling, which would stay on this stack
            ThreadPool.UnsafeQueueUserWorkItem(
                (fun _ -> context.Post((fun _ -> continuation.Invoke()), null)),
                null
            )
            |> ignore

    interface ICriticalNotifyCompletion with
        member _.OnCompleted continuation = NewStack.Continue continuation
        member _.UnsafeOnCompleted continuation = NewStack.Continue continuation
