// Layer: C# door. A source whose Task is made only if somebody reads it.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>The producer's side of a <see cref="T:System.Threading.Tasks.Task`1" /> that is made when it is first read: for
/// operations that are mostly over, or mostly not watched. Disposing gives the pooled object back.</summary>
/// <remarks>Any thread may set it, any number at the same time: exactly one wins. A Task that was read stays valid behind
/// `Dispose`; one that is pending then is cancelled. Where the operation ended with a usual result (-1 to 10, a boolean, "",
/// null, the zero of a primitive type) before Task was read, the Task is a shared one. `default` is no source.</remarks>
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

    /// A source that has ended with this result; disposing it does nothing.
    static member CreateConstant(value: 'T) =
        new LazyTaskCompletionSource<'T>(CachedTask<'T>.Of value)

    /// A source that has ended with the default value; disposing it does nothing.
    static member CompletedTask =
        LazyTaskCompletionSource<'T>.CreateConstant Unchecked.defaultof<'T>

    /// A source that was cancelled; disposing it does nothing.
    static member CanceledTask = new LazyTaskCompletionSource<'T>(CancelledTask<'T>.Shared)

    /// Whether this is `default`: no source.
    member source.IsNull = isNull source.state && isNull source.constant

    /// Whether a `Try...` method could still succeed: neither ended nor disposed.
    member source.IsValid = not (isNull source.state) && source.state.IsOpen source.version

    /// Whether the Task exists: it was read, and the source has not been disposed.
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

    /// Gives the pooled object back; a Task that was read and is pending is cancelled. A second call does nothing.
    member source.Dispose() =
        if not (isNull source.state) then
            source.state.End source.version

    /// Ends with a result. False where it has ended already, and nothing has changed.
    member source.TrySetResult(result: 'T) : bool =
        not (isNull source.state) && source.state.TrySettle(source.version, result, null)

    /// Ends with an exception, not null; cancelled, for an OperationCanceledException. False where it has ended already.
    member source.TrySetException(error: exn) : bool =
        ArgumentNullException.ThrowIfNull(error, nameof error)

        not (isNull source.state)
        && source.state.TrySettle(source.version, Unchecked.defaultof<'T>, error)

    /// Ends cancelled: whoever waits gets a TaskCanceledException with the token. False where it has ended already.
    member source.TrySetCanceled([<Optional>] cancellationToken: CancellationToken) : bool =
        source.TrySetException(CompletionSourceErrors.Cancellation cancellationToken)

    /// `TrySetResult`, with an InvalidOperationException in place of false.
    member source.SetResult(result: 'T) : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetResult(result))

    /// `TrySetException`, with an InvalidOperationException in place of false.
    member source.SetException(error: exn) : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetException error)

    /// `TrySetCanceled`, with an InvalidOperationException in place of false.
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

    /// A source that has ended; disposing it does nothing.
    static member CompletedTask =
        new LazyTaskCompletionSource(LazyTaskCompletionSource<unit>.CompletedTask)

    /// A source that was cancelled; disposing it does nothing.
    static member CanceledTask =
        new LazyTaskCompletionSource(LazyTaskCompletionSource<unit>.CanceledTask)

    /// Whether this is `default`: no source.
    member source.IsNull = source.source.IsNull

    /// Whether a `Try...` method could still succeed: neither ended nor disposed.
    member source.IsValid = source.source.IsValid

    /// Whether the Task exists: it was read, and the source has not been disposed.
    member source.HasTask = source.source.HasTask

    /// <summary>The consumer's side; the first read makes it. May be awaited many times.</summary>
    /// <exception cref="T:System.InvalidOperationException">The source was disposed, or is `default`.</exception>
    member source.Task: Task = source.source.Task

    /// Gives the pooled object back; a Task that was read and is pending is cancelled. A second call does nothing.
    member source.Dispose() = source.source.Dispose()

    /// Ends with success. False where it has ended already, and nothing has changed.
    member source.TrySetResult() : bool = source.source.TrySetResult()

    /// Ends with an exception, not null; cancelled, for an OperationCanceledException. False where it has ended already.
    member source.TrySetException(error: exn) : bool = source.source.TrySetException error

    /// Ends cancelled: whoever waits gets a TaskCanceledException with the token. False where it has ended already.
    member source.TrySetCanceled([<Optional>] cancellationToken: CancellationToken) : bool =
        source.TrySetException(CompletionSourceErrors.Cancellation cancellationToken)

    /// `TrySetResult`, with an InvalidOperationException in place of false.
    member source.SetResult() : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetResult())

    /// `TrySetException`, with an InvalidOperationException in place of false.
    member source.SetException(error: exn) : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetException error)

    /// `TrySetCanceled`, with an InvalidOperationException in place of false.
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
