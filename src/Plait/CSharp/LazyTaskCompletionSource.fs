// Layer: C# door. A source without a result whose Task is made only if somebody reads it.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

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
        source.TrySetException(Settling.Cancellation cancellationToken)

    /// `TrySetResult`, with an InvalidOperationException in place of false.
    member source.SetResult() : unit = Settling.Demand(source.TrySetResult())

    /// `TrySetException`, with an InvalidOperationException in place of false.
    member source.SetException(error: exn) : unit =
        Settling.Demand(source.TrySetException error)

    /// `TrySetCanceled`, with an InvalidOperationException in place of false.
    member source.SetCanceled([<Optional>] cancellationToken: CancellationToken) : unit =
        Settling.Demand(source.TrySetCanceled cancellationToken)

    override source.Equals other =
        match other with
        | :? LazyTaskCompletionSource as other -> source.source.Equals other.source
        | _ -> false

    override source.GetHashCode() = source.source.GetHashCode()

    override _.ToString() = "LazyTaskCompletionSource"

    interface IDisposable with
        member source.Dispose() = source.Dispose()
