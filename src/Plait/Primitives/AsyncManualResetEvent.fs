// Layer: primitives. An event that lets everybody through while it is set.
namespace Plait

open System
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

module internal SignalState =
    [<Literal>]
    let NotSet = 0

    [<Literal>]
    let Set = 1

    [<Literal>]
    let Disposed = 2

/// A state, and the waits for it to be set.
[<Sealed>]
type internal Signal(name: string, isSet: bool) =
    inherit WaitQueue(name)

    let mutable state = if isSet then SignalState.Set else SignalState.NotSet

    member _.IsSet = (Atomic.Read &state = SignalState.Set)

    override _.TryTakeOrWait() =
        match Atomic.Read &state with
        | SignalState.Set -> Turn.Taken
        | SignalState.Disposed -> Turn.Disposed
        | _ -> Turn.Waits

    /// Changes the state, unless it is disposed. Returns the chain of the waits that end by it.
    member private signal.Change(next: int) : QueuedWait =
        let mutable chain: QueuedWait = null
        let mutable isDisposed = false
        Atomic.Enter signal

        try
            isDisposed <- (Atomic.Read &state = SignalState.Disposed)

            if not isDisposed then
                Atomic.Write(&state, next)

                if next = SignalState.Set then
                    let mutable count = 0
                    chain <- signal.TakeOut(Int32.MaxValue, &count)
        finally
            Atomic.Exit signal

        if isDisposed then
            PrimitiveErrors.ThrowDisposed name

        chain

    member signal.Set() =
        if not signal.IsSet then
            WaitQueue.Grant(signal.Change SignalState.Set)

    member signal.Reset() =
        signal.Change SignalState.NotSet |> ignore

    member signal.Dispose() =
        let mutable isInUse = false
        Atomic.Enter signal

        try
            isInUse <- not signal.IsEmpty

            if not isInUse then
                Atomic.Write(&state, SignalState.Disposed)
        finally
            Atomic.Exit signal

        if isInUse then
            PrimitiveErrors.DisposedInUse name

/// <summary>An event for all waiters: while it is set, no call waits; <c>Set</c> ends all waits, and after
/// <c>Reset</c> new calls wait.</summary>
/// <remarks>
/// <para>Operations continue in the order in which they began to wait. A token that is cancelled ends one wait. A wait costs the
/// memory of its await alone: waits are pooled.</para>
/// <para><c>Set</c> never runs the code of a waiter: it continues on the thread pool, or in the context that it captured.</para>
/// </remarks>
[<Sealed>]
type AsyncManualResetEvent private (signal: Signal) =
    /// An event that is set, or not.
    new(isSet: bool) = new AsyncManualResetEvent(Signal("AsyncManualResetEvent", isSet))

    /// An event that is not set.
    new() = new AsyncManualResetEvent(false)

    /// Whether it is set.
    member _.IsSet = signal.IsSet

    /// <summary>Waits until the event is set. Awaited once.</summary>
    /// <param name="cancellationToken">Ends the wait, and nothing else.</param>
    /// <exception cref="T:System.OperationCanceledException">In the result: the token was cancelled first.</exception>
    /// <exception cref="T:System.ObjectDisposedException">In the result: the event was disposed.</exception>
    member _.WaitAsync([<Optional>] cancellationToken: CancellationToken) : ValueTask =
        if not cancellationToken.IsCancellationRequested && signal.IsSet then
            ValueTask()
        else
            signal.Wait cancellationToken

    /// <summary>Ends all waits. Until the event is reset, later waits end at once.</summary>
    /// <exception cref="T:System.ObjectDisposedException">The event was disposed.</exception>
    member _.Set() : unit = signal.Set()

    /// <summary>Closes the event. Later calls of <c>Wait</c> wait until the next <c>Set</c>.</summary>
    /// <exception cref="T:System.ObjectDisposedException">The event was disposed.</exception>
    member _.Reset() : unit = signal.Reset()

    /// <summary>Refuses every wait from now on.</summary>
    /// <exception cref="T:System.InvalidOperationException">An operation waits: nothing has changed.</exception>
    member _.Dispose() : unit = signal.Dispose()

    interface IDisposable with
        member event.Dispose() = event.Dispose()
