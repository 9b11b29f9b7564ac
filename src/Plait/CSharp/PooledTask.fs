// Layer: C# door. `async PooledTask` and `async PooledTask<T>`: the types. A type names its builder, which names the type: so the
// build adds the builders here. They are those of PooledTaskMethodBuilder.fs, whose results get these types: see Plait.fsproj.
namespace rec Plait

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

// with a result: declarations of their own, so that the builder of each type stands behind it
namespace rec Plait

open System
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait.Kernel

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
