// Layer: C# door. The completion sources whose Task is created only if somebody reads it.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>The producer's side of a <see cref="T:System.Threading.Tasks.Task`1" /> that is created when it is first
/// read: for operations that have usually completed by then, or that usually nobody awaits. Disposing returns the
/// pooled object.</summary>
/// <remarks>Any thread may set it, any number at the same time: exactly one wins. A Task that was read stays valid
/// after `Dispose`; if it is still pending, it is cancelled. If the operation completed with a common result (-1 to
/// 10, a boolean, "", null, the zero of a primitive type) before Task was read, that Task is shared. `default` is no
/// source.</remarks>
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
type LazyTaskCompletionSource<'T> =
    val private state: LazyTaskState<'T>
    val private version: int
    val private constant: Task<'T>

    private new(state: LazyTaskState<'T>) = { state = state; version = state.Version; constant = null }

    private new(constant: Task<'T>) = { state = null; version = 0; constant = constant }

    /// A pending source.
    static member Create() =
        new LazyTaskCompletionSource<'T>(LazyTaskState<'T>.Rent())

    /// A source that has completed with this result; disposing it does nothing.
    static member CreateConstant(value: 'T) =
        new LazyTaskCompletionSource<'T>(CachedTask<'T>.Of value)

    /// A source that has completed with the default value; disposing it does nothing.
    static member CompletedTask =
        LazyTaskCompletionSource<'T>.CreateConstant Unchecked.defaultof<'T>

    /// A source that was cancelled; disposing it does nothing.
    static member CanceledTask = new LazyTaskCompletionSource<'T>(CancelledTask<'T>.Shared)

    /// Whether this is `default`: no source.
    member source.IsNull = isNull source.state && isNull source.constant

    /// Whether `Task` may be read: the source has not been disposed. A constant always may.
    member source.IsValid =
        not (isNull source.constant)
        || (not (isNull source.state) && source.state.IsCurrent source.version)

    /// Whether the Task exists: it was read, or the operation was cancelled, or the source is a constant. False once
    /// it has been disposed.
    member source.HasTask =
        not (isNull source.constant)
        || (not (isNull source.state) && source.state.HasTask source.version)

    /// <summary>The consumer's side; the first read makes it. May be awaited many times.</summary>
    /// <exception cref="T:System.InvalidOperationException">The source was disposed, or is `default`.</exception>
    member source.Task: Task<'T> =
        let task =
            if isNull source.state then source.constant else source.state.Task source.version

        if isNull task then
            Misuse.NoSource()

        task

    /// Returns the pooled object. A Task that was read and is pending is cancelled. A second call does nothing.
    member source.Dispose() =
        if not (isNull source.state) then
            source.state.End source.version

    /// Completes with a result. False if it has completed already; then nothing changes.
    member source.TrySetResult(result: 'T) : bool =
        not (isNull source.state) && source.state.TrySettle(source.version, result, null)

    /// Completes with an exception, which must not be null; an OperationCanceledException makes it cancelled. False
    /// if it has completed already.
    member source.TrySetException(error: exn) : bool =
        ArgumentNullException.ThrowIfNull(error, nameof error)

        not (isNull source.state)
        && source.state.TrySettle(source.version, Unchecked.defaultof<'T>, error)

    /// Completes as cancelled: the waiter gets a TaskCanceledException with the token. False if it has completed
    /// already.
    member source.TrySetCanceled([<Optional>] cancellationToken: CancellationToken) : bool =
        source.TrySetException(CompletionSourceErrors.Cancellation cancellationToken)

    /// As `TrySetResult`, but throws an InvalidOperationException instead of returning false.
    member source.SetResult(result: 'T) : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetResult(result))

    /// As `TrySetException`, but throws an InvalidOperationException instead of returning false.
    member source.SetException(error: exn) : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetException error)

    /// As `TrySetCanceled`, but throws an InvalidOperationException instead of returning false.
    member source.SetCanceled([<Optional>] cancellationToken: CancellationToken) : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetCanceled cancellationToken)

    override source.Equals other =
        match other with
        | :? LazyTaskCompletionSource<'T> as other ->
            obj.ReferenceEquals(source.state, other.state)
            && source.version = other.version
            && obj.ReferenceEquals(source.constant, other.constant)
        | _ -> false

    override source.GetHashCode() =
        HashCode.Combine(RuntimeHelpers.GetHashCode source.state, source.version)

    override _.ToString() = "LazyTaskCompletionSource"

    interface IDisposable with
        member source.Dispose() = source.Dispose()

/// <summary>The producer's side of a <see cref="T:System.Threading.Tasks.Task" /> that is made when it is first read; see
/// <see cref="T:Plait.LazyTaskCompletionSource`1" />.</summary>
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
type LazyTaskCompletionSource =
    val private source: LazyTaskCompletionSource<unit>

    private new(source) = { source = source }

    /// A pending source.
    static member Create() =
        new LazyTaskCompletionSource(LazyTaskCompletionSource<unit>.Create())

    /// A source that has completed: its Task is `Task.CompletedTask`. Disposing it does nothing.
    static member CompletedTask =
        new LazyTaskCompletionSource(LazyTaskCompletionSource<unit>.CompletedTask)

    /// A source that was cancelled; disposing it does nothing.
    static member CanceledTask =
        new LazyTaskCompletionSource(LazyTaskCompletionSource<unit>.CanceledTask)

    /// Whether this is `default`: no source.
    member source.IsNull = source.source.IsNull

    /// Whether `Task` may be read: the source has not been disposed. A constant always may.
    member source.IsValid = source.source.IsValid

    /// Whether the Task exists: it was read, or the operation was cancelled, or the source is a constant. False once
    /// it has been disposed.
    member source.HasTask = source.source.HasTask

    /// <summary>The consumer's side; the first read makes it. It is `Task.CompletedTask` if the operation completed
    /// before. May be awaited many times.</summary>
    /// <exception cref="T:System.InvalidOperationException">The source was disposed, or is `default`.</exception>
    member source.Task: Task =
        let task = source.source.Task

        if obj.ReferenceEquals(task, CachedTask<unit>.Of()) then Task.CompletedTask else task

    /// Returns the pooled object. A Task that was read and is pending is cancelled. A second call does nothing.
    member source.Dispose() = source.source.Dispose()

    /// Completes successfully. False if it has completed already; then nothing changes.
    member source.TrySetResult() : bool = source.source.TrySetResult()

    /// Completes with an exception, which must not be null; an OperationCanceledException makes it cancelled. False
    /// if it has completed already.
    member source.TrySetException(error: exn) : bool = source.source.TrySetException error

    /// Completes as cancelled: the waiter gets a TaskCanceledException with the token. False if it has completed
    /// already.
    member source.TrySetCanceled([<Optional>] cancellationToken: CancellationToken) : bool =
        source.TrySetException(CompletionSourceErrors.Cancellation cancellationToken)

    /// As `TrySetResult`, but throws an InvalidOperationException instead of returning false.
    member source.SetResult() : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetResult())

    /// As `TrySetException`, but throws an InvalidOperationException instead of returning false.
    member source.SetException(error: exn) : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetException error)

    /// As `TrySetCanceled`, but throws an InvalidOperationException instead of returning false.
    member source.SetCanceled([<Optional>] cancellationToken: CancellationToken) : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetCanceled cancellationToken)

    override source.Equals other =
        match other with
        | :? LazyTaskCompletionSource as other -> source.source.Equals other.source
        | _ -> false

    override source.GetHashCode() = source.source.GetHashCode()

    override _.ToString() = "LazyTaskCompletionSource"

    interface IDisposable with
        member source.Dispose() = source.Dispose()
