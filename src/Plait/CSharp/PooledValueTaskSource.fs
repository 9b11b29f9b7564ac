// Layer: C# door. The completion sources of a pooled ValueTask, with and without a result.
namespace Plait

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources
open Plait.Kernel

/// <summary>The producer's side of a pooled <see cref="T:System.Threading.Tasks.ValueTask" />; see
/// <see cref="T:Plait.PooledValueTaskSource`1" />.</summary>
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
type PooledValueTaskSource =
    val private source: SettableSource<unit>
    val private token: int16

    private new(source: SettableSource<unit>) = { source = source; token = source.Token }

    /// A pending source.
    static member Create() =
        PooledValueTaskSource(SettableSource<unit>.Rent())

    /// Whether this is `default`: no source.
    member source.IsNull = isNull source.source

    /// Whether its result has not been taken yet, be the operation pending or completed.
    member source.IsValid =
        not (isNull source.source) && source.source.IsCurrent source.token

    /// Whether its task is a pooled operation, taken or not: it came from `Create`.
    member source.HasTask = not (isNull source.source)

    /// The consumer's side. Awaited once.
    member source.Task: ValueTask =
        match source.source with
        | null -> ValueTask()
        | pooled -> ValueTask(pooled :> IValueTaskSource, source.token)

    /// The consumer's side, as the type that async methods of this library return. Awaited once.
    member source.PooledTask: PooledValueTask = PooledValueTask source.Task

    /// Completes successfully. False if it has completed already; then nothing changes.
    member source.TrySetResult() : bool =
        not (isNull source.source) && source.source.TryComplete(source.token, ())

    /// Completes with an exception, which must not be null; an OperationCanceledException makes it cancelled. False
    /// if it has completed already.
    member source.TrySetException(error: exn) : bool =
        ArgumentNullException.ThrowIfNull(error, nameof error)
        not (isNull source.source) && source.source.TryFail(source.token, error)

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
        | :? PooledValueTaskSource as other ->
            obj.ReferenceEquals(source.source, other.source) && source.token = other.token
        | _ -> false

    override source.GetHashCode() =
        HashCode.Combine(RuntimeHelpers.GetHashCode source.source, source.token)

    override _.ToString() = "PooledValueTaskSource"

/// <summary>The producer's side of a pooled <see cref="T:System.Threading.Tasks.ValueTask`1" />: it corresponds to
/// the TaskCompletionSource of a Task. The object behind it returns to its pool when the result is taken.</summary>
/// <remarks>Any thread may set it, any number at the same time: exactly one wins. The continuation of the waiter runs
/// inside the call that wins, unless it asked for a context. A handle that is used after the result was taken is
/// refused and affects no other operation. `default` is no source: its task is completed with the default
/// value.</remarks>
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
type PooledValueTaskSource<'T> =
    val private source: SettableSource<'T>
    val private token: int16
    val private constant: bool
    val private value: 'T

    private new(source: SettableSource<'T>) =
        {
            source = source
            token = source.Token
            constant = false
            value = Unchecked.defaultof<'T>
        }

    /// A source that has already completed with this result.
    new(value: 'T) = { source = null; token = 0s; constant = true; value = value }

    /// A pending source.
    static member Create() =
        PooledValueTaskSource<'T>(SettableSource<'T>.Rent())

    /// Whether this is `default`: neither a pending source nor a result.
    member source.IsNull = isNull source.source && not source.constant

    /// Whether its result has not been taken yet, be the operation pending or completed.
    member source.IsValid =
        not (isNull source.source) && source.source.IsCurrent source.token

    /// Whether its task is a pooled operation, taken or not: it came from `Create`.
    member source.HasTask = not (isNull source.source)

    /// The consumer's side. Awaited once.
    member source.Task: ValueTask<'T> =
        match source.source with
        | null -> ValueTask<'T> source.value
        | pooled -> ValueTask<'T>(pooled :> IValueTaskSource<'T>, source.token)

    /// The consumer's side, as the type that async methods of this library return. Awaited once.
    member source.PooledTask: PooledValueTask<'T> = PooledValueTask<'T> source.Task

    /// Completes with a result. False if it has completed already; then nothing changes.
    member source.TrySetResult(result: 'T) : bool =
        not (isNull source.source) && source.source.TryComplete(source.token, result)

    /// Completes with an exception, which must not be null; an OperationCanceledException makes it cancelled. False
    /// if it has completed already.
    member source.TrySetException(error: exn) : bool =
        ArgumentNullException.ThrowIfNull(error, nameof error)
        not (isNull source.source) && source.source.TryFail(source.token, error)

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
        | :? PooledValueTaskSource<'T> as other ->
            obj.ReferenceEquals(source.source, other.source)
            && source.token = other.token
            && source.constant = other.constant
            && EqualityComparer<'T>.Default.Equals(source.value, other.value)
        | _ -> false

    override source.GetHashCode() =
        HashCode.Combine(RuntimeHelpers.GetHashCode source.source, source.token, source.value)

    override _.ToString() = "PooledValueTaskSource"
