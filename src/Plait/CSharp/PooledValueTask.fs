// Layer: C# door. `async PooledValueTask` and `async PooledValueTask<T>`: the types and, because each names the
// other, their builders.
namespace Plait

open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait.Kernel

/// The return type of a C# `async PooledValueTask` method. The call allocates nothing once its pool is warm, whether
/// it suspends or not. Await it once: see docs/errors/consumed-twice.md in the package. `default` is a completed
/// operation.
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
[<AsyncMethodBuilder(typeof<PooledValueTaskTypeBuilder>)>]
type PooledValueTask =
    val private task: ValueTask

    /// The operation of a ValueTask.
    new(task: ValueTask) = { task = task }

    /// The ValueTask. It is the same operation, not a copy: await one of the two, once.
    member task.AsValueTask() : ValueTask = task.task

    /// A Task with the same result, which may be awaited many times. Call it once, instead of the await.
    member task.AsTask() : Task = task.task.AsTask()

    /// The awaiter, for the compiler.
    member task.GetAwaiter() : ValueTaskAwaiter = task.task.GetAwaiter()

    /// The operation, to be awaited on the captured context (true) or off it (false).
    member task.ConfigureAwait(continueOnCapturedContext: bool) : ConfiguredValueTaskAwaitable =
        task.task.ConfigureAwait continueOnCapturedContext

    /// Whether this is `default`, or equal to it: completed, and without a pooled operation.
    member task.IsNull = task.task.Equals(ValueTask())

    /// Whether it has completed, successfully or not.
    member task.IsCompleted = task.task.IsCompleted

    /// Whether it has completed successfully.
    member task.IsCompletedSuccessfully = task.task.IsCompletedSuccessfully

    /// Whether it has failed with an exception that is not an OperationCanceledException.
    member task.IsFaulted = task.task.IsFaulted

    /// Whether it was cancelled: it has failed with an OperationCanceledException.
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
and [<Struct; CustomEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>] PooledValueTaskTypeBuilder
    =
    [<DefaultValue(false)>]
    val mutable private core: MethodBuilderCore<unit>

    /// A builder for one call of a method.
    static member Create() =
        Unchecked.defaultof<PooledValueTaskTypeBuilder>

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
    member builder.Task: PooledValueTask =
        PooledValueTask(builder.core.End<ValueTask, AsPooledValueTaskUnit>())

    override _.Equals(other: obj) : bool = Misuse.BuilderCompared()

    override _.GetHashCode() : int = Misuse.BuilderCompared()

    override _.ToString() = "PooledValueTaskTypeBuilder"

/// The return type of a C# `async PooledValueTask<T>` method. The call allocates nothing once its pool is warm,
/// whether it suspends or not. Await it once: see docs/errors/consumed-twice.md in the package. `default` is
/// a completed operation.
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
[<AsyncMethodBuilder(typedefof<PooledValueTaskTypeBuilder<_>>)>]
type PooledValueTask<'T> =
    val private task: ValueTask<'T>

    /// The operation of a ValueTask.
    new(task: ValueTask<'T>) = { task = task }

    /// An operation that has completed with this result.
    new(result: 'T) = { task = ValueTask<'T>(result) }

    /// The ValueTask. It is the same operation, not a copy: await one of the two, once.
    member task.AsValueTask() : ValueTask<'T> = task.task

    /// A Task with the same result, which may be awaited many times. Call it once, instead of the await.
    member task.AsTask() : Task<'T> = task.task.AsTask()

    /// The awaiter, for the compiler.
    member task.GetAwaiter() : ValueTaskAwaiter<'T> = task.task.GetAwaiter()

    /// The operation, to be awaited on the captured context (true) or off it (false).
    member task.ConfigureAwait(continueOnCapturedContext: bool) : ConfiguredValueTaskAwaitable<'T> =
        task.task.ConfigureAwait continueOnCapturedContext

    /// Whether this is `default`, or equal to it: completed with the default value, and without a pooled operation.
    member task.IsNull = task.task.Equals(ValueTask<'T>())

    /// Whether it has completed, successfully or not.
    member task.IsCompleted = task.task.IsCompleted

    /// Whether it has completed successfully.
    member task.IsCompletedSuccessfully = task.task.IsCompletedSuccessfully

    /// Whether it has failed with an exception that is not an OperationCanceledException.
    member task.IsFaulted = task.task.IsFaulted

    /// Whether it was cancelled: it has failed with an OperationCanceledException.
    member task.IsCanceled = task.task.IsCanceled

    /// <summary>The result. Call it once, instead of the await. Never blocks.</summary>
    /// <exception cref="T:System.InvalidOperationException">The operation is pending, or its result was
    /// taken.</exception>
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
and [<Struct; CustomEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>] PooledValueTaskTypeBuilder<'T>
    =
    [<DefaultValue(false)>]
    val mutable private core: MethodBuilderCore<'T>

    /// A builder for one call of a method.
    static member Create() =
        Unchecked.defaultof<PooledValueTaskTypeBuilder<'T>>

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
    member builder.Task: PooledValueTask<'T> =
        PooledValueTask<'T>(builder.core.End<ValueTask<'T>, AsPooledValueTask<'T>>())

    override _.Equals(other: obj) : bool = Misuse.BuilderCompared()

    override _.GetHashCode() : int = Misuse.BuilderCompared()

    override _.ToString() = "PooledValueTaskTypeBuilder"
