// Layer: C# door. A ValueTask without a result that is settled by hand, over a pooled object.
namespace Plait

#nowarn "3261" // null is a state here: default has no operation

open System
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

    /// Whether a `Try...` method could still succeed: the operation is pending.
    member source.IsValid = not (isNull source.source) && source.source.IsOpen source.token

    /// Whether there is a task to be awaited: its end has not been taken yet.
    member source.HasTask =
        not (isNull source.source) && source.source.IsCurrent source.token

    /// The consumer's side. Awaited once.
    member source.Task: ValueTask =
        match source.source with
        | null -> ValueTask()
        | pooled -> ValueTask(pooled :> IValueTaskSource, source.token)

    /// The consumer's side, as the type that async methods of this library return. Awaited once.
    member source.PooledTask: PooledValueTask = PooledValueTask source.Task

    /// Ends with success. False where it has ended already, and nothing has changed.
    member source.TrySetResult() : bool =
        not (isNull source.source) && source.source.TryComplete(source.token, ())

    /// Ends with an exception, not null; cancelled, for an OperationCanceledException. False where it has ended already.
    member source.TrySetException(error: exn) : bool =
        ArgumentNullException.ThrowIfNull(error, nameof error)
        not (isNull source.source) && source.source.TryFail(source.token, error)

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
        | :? PooledValueTaskSource as other ->
            obj.ReferenceEquals(source.source, other.source) && source.token = other.token
        | _ -> false

    override source.GetHashCode() =
        HashCode.Combine(RuntimeHelpers.GetHashCode source.source, source.token)

    override _.ToString() = "PooledValueTaskSource"
