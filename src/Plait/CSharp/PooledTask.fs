// Layer: C# door. `async PooledTask` and `async PooledTask<T>`: the types and, because each names the other, their
// builders.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait.Kernel

/// The return type of a C# `async PooledTask` method: a Task, which is all that the call allocates if it suspends,
/// because its state machine is pooled. May be awaited many times. `default` is a completed operation.
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
[<AsyncMethodBuilder(typeof<PooledTaskTypeBuilder>)>]
type PooledTask =
    val private task: Task | null

    /// The operation of a Task.
    new(task: Task) =
        ArgumentNullException.ThrowIfNull(task, nameof task)
        { task = task }

    /// The Task.
    member task.AsTask() : Task =
        match task.task with
        | null -> Task.CompletedTask
        | task -> task

    /// The Task as a ValueTask; may still be awaited many times.
    member task.AsValueTask() : ValueTask = ValueTask(task.AsTask())

    /// The awaiter, for the compiler.
    member task.GetAwaiter() : TaskAwaiter = task.AsTask().GetAwaiter()

    /// The operation, to be awaited on the captured context (true) or off it (false).
    member task.ConfigureAwait(continueOnCapturedContext: bool) : ConfiguredTaskAwaitable =
        task.AsTask().ConfigureAwait continueOnCapturedContext

    /// Whether this is `default`, which is a completed operation.
    member task.IsNull = isNull task.task

    /// Whether it has completed, successfully or not.
    member task.IsCompleted = task.AsTask().IsCompleted

    /// Whether it has completed successfully.
    member task.IsCompletedSuccessfully = task.AsTask().IsCompletedSuccessfully

    /// Whether it has failed with an exception that is not an OperationCanceledException.
    member task.IsFaulted = task.AsTask().IsFaulted

    /// Whether it was cancelled: it has failed with an OperationCanceledException.
    member task.IsCanceled = task.AsTask().IsCanceled

    /// The Task, implicitly.
    static member op_Implicit(task: PooledTask) : Task = task.AsTask()

    override task.Equals other =
        match other with
        | :? PooledTask as other -> obj.ReferenceEquals(task.AsTask(), other.AsTask())
        | _ -> false

    override task.GetHashCode() =
        RuntimeHelpers.GetHashCode(task.AsTask())

    override _.ToString() = "PooledTask"

/// The compiler's pattern for `async PooledTask`.
and [<Struct; CustomEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>] PooledTaskTypeBuilder
    =
    [<DefaultValue(false)>]
    val mutable private core: MethodBuilderCore<unit>

    /// A builder for one call of a method.
    static member Create() =
        Unchecked.defaultof<PooledTaskTypeBuilder>

    /// Runs the first step on the caller's thread and then restores the caller's contexts.
    member _.Start(stateMachine: byref<#IAsyncStateMachine>) = ContextScope.Run &stateMachine

    /// Part of the compiler's pattern; does nothing.
    member _.SetStateMachine(stateMachine: IAsyncStateMachine) = ignore stateMachine

    /// The method has returned.
    member builder.SetResult() = builder.core.SetResult()

    /// The method has thrown; an OperationCanceledException makes it cancelled.
    member builder.SetException(error: exn) = builder.core.SetException error

    /// The method suspends.
    member builder.AwaitOnCompleted(awaiter: byref<#INotifyCompletion>, machine: byref<#IAsyncStateMachine>) =
        builder.core.OnCompleted(&awaiter, &machine)

    /// The method suspends; the awaiter leaves the execution context to this builder.
    member builder.AwaitUnsafeOnCompleted
        (awaiter: byref<#ICriticalNotifyCompletion>, machine: byref<#IAsyncStateMachine>)
        =
        builder.core.UnsafeOnCompleted(&awaiter, &machine)

    /// The result for the caller of the method. Read once, after `Start`.
    member builder.Task: PooledTask = PooledTask(builder.core.End<Task, AsTaskUnit>())

    override _.Equals(other: obj) : bool = Misuse.BuilderCompared()

    override _.GetHashCode() : int = Misuse.BuilderCompared()

    override _.ToString() = "PooledTaskTypeBuilder"

/// The return type of a C# `async PooledTask<T>` method: a Task, which is all that the call allocates if it suspends,
/// because its state machine is pooled. May be awaited many times. `default` is a completed operation.
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
[<AsyncMethodBuilder(typedefof<PooledTaskTypeBuilder<_>>)>]
type PooledTask<'T> =
    val private task: Task<'T> | null

    /// The operation of a Task.
    new(task: Task<'T>) =
        ArgumentNullException.ThrowIfNull(task, nameof task)
        { task = task }

    /// The Task.
    member task.AsTask() : Task<'T> =
        match task.task with
        | null -> Settled.Of Unchecked.defaultof<'T>
        | task -> task

    /// The Task as a ValueTask; may still be awaited many times.
    member task.AsValueTask() : ValueTask<'T> = ValueTask<'T>(task.AsTask())

    /// The awaiter, for the compiler.
    member task.GetAwaiter() : TaskAwaiter<'T> = task.AsTask().GetAwaiter()

    /// The operation, to be awaited on the captured context (true) or off it (false).
    member task.ConfigureAwait(continueOnCapturedContext: bool) : ConfiguredTaskAwaitable<'T> =
        task.AsTask().ConfigureAwait continueOnCapturedContext

    /// Whether this is `default`, which is a completed operation.
    member task.IsNull = isNull task.task

    /// Whether it has completed, successfully or not.
    member task.IsCompleted = task.AsTask().IsCompleted

    /// Whether it has completed successfully.
    member task.IsCompletedSuccessfully = task.AsTask().IsCompletedSuccessfully

    /// Whether it has failed with an exception that is not an OperationCanceledException.
    member task.IsFaulted = task.AsTask().IsFaulted

    /// Whether it was cancelled: it has failed with an OperationCanceledException.
    member task.IsCanceled = task.AsTask().IsCanceled

    /// <summary>The result. Blocks while the operation is pending, as every Task does.</summary>
    member task.Result: 'T = task.AsTask().Result

    /// The Task, implicitly.
    static member op_Implicit(task: PooledTask<'T>) : Task<'T> = task.AsTask()

    override task.Equals other =
        match other with
        | :? PooledTask<'T> as other -> obj.ReferenceEquals(task.AsTask(), other.AsTask())
        | _ -> false

    override task.GetHashCode() =
        RuntimeHelpers.GetHashCode(task.AsTask())

    override _.ToString() = "PooledTask"

/// The compiler's pattern for `async PooledTask<T>`.
and [<Struct; CustomEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>] PooledTaskTypeBuilder<'T>
    =
    [<DefaultValue(false)>]
    val mutable private core: MethodBuilderCore<'T>

    /// A builder for one call of a method.
    static member Create() =
        Unchecked.defaultof<PooledTaskTypeBuilder<'T>>

    /// Runs the first step on the caller's thread and then restores the caller's contexts.
    member _.Start(stateMachine: byref<#IAsyncStateMachine>) = ContextScope.Run &stateMachine

    /// Part of the compiler's pattern; does nothing.
    member _.SetStateMachine(stateMachine: IAsyncStateMachine) = ignore stateMachine

    /// The method has returned.
    member builder.SetResult(result: 'T) = builder.core.SetResult result

    /// The method has thrown; an OperationCanceledException makes it cancelled.
    member builder.SetException(error: exn) = builder.core.SetException error

    /// The method suspends.
    member builder.AwaitOnCompleted(awaiter: byref<#INotifyCompletion>, machine: byref<#IAsyncStateMachine>) =
        builder.core.OnCompleted(&awaiter, &machine)

    /// The method suspends; the awaiter leaves the execution context to this builder.
    member builder.AwaitUnsafeOnCompleted
        (awaiter: byref<#ICriticalNotifyCompletion>, machine: byref<#IAsyncStateMachine>)
        =
        builder.core.UnsafeOnCompleted(&awaiter, &machine)

    /// The result for the caller of the method. Read once, after `Start`.
    member builder.Task: PooledTask<'T> =
        PooledTask<'T>(builder.core.End<Task<'T>, AsTask<'T>>())

    override _.Equals(other: obj) : bool = Misuse.BuilderCompared()

    override _.GetHashCode() : int = Misuse.BuilderCompared()

    override _.ToString() = "PooledTaskTypeBuilder"
