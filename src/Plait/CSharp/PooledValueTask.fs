// Layer: C# door. `async PooledValueTask`: the type and, because each names the other, its builder.
namespace Plait

open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait.Kernel

/// What a C# `async PooledValueTask` method returns. Allocates nothing, whether it suspends or not, once its
/// pool is warm. Await it once: see docs/errors/consumed-twice.md. `default` is a completed operation.
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
[<AsyncMethodBuilder(typeof<PooledValueTaskTypeBuilder>)>]
type PooledValueTask =
    val private task: ValueTask

    /// The operation of a ValueTask.
    new(task: ValueTask) = { task = task }

    /// The ValueTask. It is this operation, not a copy: one of both is awaited, once.
    member task.AsValueTask() : ValueTask = task.task

    /// A Task with the same result, which may be awaited many times. Takes the place of the one await.
    member task.AsTask() : Task = task.task.AsTask()

    /// The awaiter, for the compiler.
    member task.GetAwaiter() : ValueTaskAwaiter = task.task.GetAwaiter()

    /// The operation, to be awaited on (true) or off (false) the captured context.
    member task.ConfigureAwait(continueOnCapturedContext: bool) : ConfiguredValueTaskAwaitable =
        task.task.ConfigureAwait continueOnCapturedContext

    /// Whether it has ended, well or not.
    member task.IsCompleted = task.task.IsCompleted

    /// Whether it has ended well.
    member task.IsCompletedSuccessfully = task.task.IsCompletedSuccessfully

    /// Whether it has ended with an exception that is no OperationCanceledException.
    member task.IsFaulted = task.task.IsFaulted

    /// Whether it has ended with an OperationCanceledException.
    member task.IsCanceled = task.task.IsCanceled

    /// The ValueTask, implicitly.
    static member op_Implicit(task: PooledValueTask) : ValueTask = task.task

    override task.Equals other =
        match other with
        | :? PooledValueTask as other -> task.task.Equals other.task
        | _ -> false

    override task.GetHashCode() = task.task.GetHashCode()

    override _.ToString() = "PooledValueTask"

/// The compiler's pattern for `async PooledValueTask`.
and [<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>] PooledValueTaskTypeBuilder
    =
    [<DefaultValue(false)>]
    val mutable private core: MethodBuilderCore<unit>

    /// A builder for one call of a method.
    static member Create() =
        Unchecked.defaultof<PooledValueTaskTypeBuilder>

    /// The first step, on the caller's thread; the caller's contexts are restored behind it.
    member _.Start(stateMachine: byref<#IAsyncStateMachine>) = ContextScope.Run &stateMachine

    /// Part of the compiler's pattern; does nothing.
    member _.SetStateMachine(stateMachine: IAsyncStateMachine) = ignore stateMachine

    /// The method has returned.
    member builder.SetResult() = builder.core.SetResult()

    /// The method has thrown; cancelled, for an OperationCanceledException.
    member builder.SetException(error: exn) = builder.core.SetException error

    /// The method waits.
    member builder.AwaitOnCompleted(awaiter: byref<#INotifyCompletion>, machine: byref<#IAsyncStateMachine>) =
        builder.core.OnCompleted(&awaiter, &machine)

    /// The method waits, for an awaiter that leaves the execution context to this builder.
    member builder.AwaitUnsafeOnCompleted
        (awaiter: byref<#ICriticalNotifyCompletion>, machine: byref<#IAsyncStateMachine>)
        =
        builder.core.UnsafeOnCompleted(&awaiter, &machine)

    /// What the caller gets, read once, behind `Start`.
    member builder.Task: PooledValueTask =
        PooledValueTask(builder.core.End<ValueTask, AsPooledValueTaskUnit>())

/// What a C# `async PooledValueTask<T>` method returns. Allocates nothing, whether it suspends or not, once
/// its pool is warm. Await it once: see docs/errors/consumed-twice.md. `default` is a completed operation.
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
[<AsyncMethodBuilder(typedefof<PooledValueTaskTypeBuilder<_>>)>]
type PooledValueTask<'T> =
    val private task: ValueTask<'T>

    /// The operation of a ValueTask.
    new(task: ValueTask<'T>) = { task = task }

    /// The ValueTask. It is this operation, not a copy: one of both is awaited, once.
    member task.AsValueTask() : ValueTask<'T> = task.task

    /// A Task with the same result, which may be awaited many times. Takes the place of the one await.
    member task.AsTask() : Task<'T> = task.task.AsTask()

    /// The awaiter, for the compiler.
    member task.GetAwaiter() : ValueTaskAwaiter<'T> = task.task.GetAwaiter()

    /// The operation, to be awaited on (true) or off (false) the captured context.
    member task.ConfigureAwait(continueOnCapturedContext: bool) : ConfiguredValueTaskAwaitable<'T> =
        task.task.ConfigureAwait continueOnCapturedContext

    /// Whether it has ended, well or not.
    member task.IsCompleted = task.task.IsCompleted

    /// Whether it has ended well.
    member task.IsCompletedSuccessfully = task.task.IsCompletedSuccessfully

    /// Whether it has ended with an exception that is no OperationCanceledException.
    member task.IsFaulted = task.task.IsFaulted

    /// Whether it has ended with an OperationCanceledException.
    member task.IsCanceled = task.task.IsCanceled

    /// <summary>The result. Takes the place of the one await. Never blocks.</summary>
    /// <exception cref="T:System.InvalidOperationException">The operation is pending, or its result was taken.</exception>
    member task.Result: 'T = task.task.Result

    /// The ValueTask, implicitly.
    static member op_Implicit(task: PooledValueTask<'T>) : ValueTask<'T> = task.task

    override task.Equals other =
        match other with
        | :? PooledValueTask<'T> as other -> task.task.Equals other.task
        | _ -> false

    override task.GetHashCode() = task.task.GetHashCode()

    override _.ToString() = "PooledValueTask"

/// The compiler's pattern for `async PooledValueTask<T>`.
and [<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>] PooledValueTaskTypeBuilder<'T>
    =
    [<DefaultValue(false)>]
    val mutable private core: MethodBuilderCore<'T>

    /// A builder for one call of a method.
    static member Create() =
        Unchecked.defaultof<PooledValueTaskTypeBuilder<'T>>

    /// The first step, on the caller's thread; the caller's contexts are restored behind it.
    member _.Start(stateMachine: byref<#IAsyncStateMachine>) = ContextScope.Run &stateMachine

    /// Part of the compiler's pattern; does nothing.
    member _.SetStateMachine(stateMachine: IAsyncStateMachine) = ignore stateMachine

    /// The method has returned.
    member builder.SetResult(result: 'T) = builder.core.SetResult result

    /// The method has thrown; cancelled, for an OperationCanceledException.
    member builder.SetException(error: exn) = builder.core.SetException error

    /// The method waits.
    member builder.AwaitOnCompleted(awaiter: byref<#INotifyCompletion>, machine: byref<#IAsyncStateMachine>) =
        builder.core.OnCompleted(&awaiter, &machine)

    /// The method waits, for an awaiter that leaves the execution context to this builder.
    member builder.AwaitUnsafeOnCompleted
        (awaiter: byref<#ICriticalNotifyCompletion>, machine: byref<#IAsyncStateMachine>)
        =
        builder.core.UnsafeOnCompleted(&awaiter, &machine)

    /// What the caller gets, read once, behind `Start`.
    member builder.Task: PooledValueTask<'T> =
        PooledValueTask<'T>(builder.core.End<ValueTask<'T>, AsPooledValueTask<'T>>())
