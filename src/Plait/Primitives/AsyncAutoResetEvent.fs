// Layer: primitives. An event that ends one wait each time it is set.
namespace Plait

open System
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>An event for one operation at a time: <c>Set</c> ends the wait that began first, or the next one if none
/// has begun.</summary>
/// <remarks>
/// <para><c>Set</c> on a set event changes nothing: two calls of <c>Set</c> before a wait end one wait. If each call must count,
/// use an <see cref="T:Plait.AsyncSemaphore" />. A token that is cancelled takes its wait out of the queue and uses up no
/// signal. A wait costs the memory of its await alone: waits are pooled.</para>
/// <para><c>Set</c> never runs the code of a waiter: it continues on the thread pool, or in the context that it captured.</para>
/// </remarks>
[<Sealed>]
type AsyncAutoResetEvent private (permits: Permits) =
    /// An event that is set, or not.
    new(isSet: bool) = new AsyncAutoResetEvent(Permits("AsyncAutoResetEvent", (if isSet then 1 else 0)))

    /// An event that is not set.
    new() = new AsyncAutoResetEvent(false)

    /// Whether it is set: then the next wait ends at once.
    member _.IsSet = permits.Free > 0

    /// <summary>Waits until the event is set for this operation. Awaited once.</summary>
    /// <param name="cancellationToken">Ends the wait, and nothing else.</param>
    /// <exception cref="T:System.OperationCanceledException">In the result: the token was cancelled first.</exception>
    /// <exception cref="T:System.ObjectDisposedException">In the result: the event was disposed.</exception>
    member _.WaitAsync([<Optional>] cancellationToken: CancellationToken) : ValueTask =
        if not cancellationToken.IsCancellationRequested && permits.TryTake() then
            ValueTask()
        else
            permits.Wait cancellationToken

    /// <summary>Ends the wait that began first, or the next one if none has begun.</summary>
    /// <exception cref="T:System.ObjectDisposedException">The event was disposed.</exception>
    member _.Set() : unit = permits.Give(1, 1) |> ignore

    /// <summary>Takes the signal back, if it is set. False: it was not.</summary>
    /// <exception cref="T:System.ObjectDisposedException">The event was disposed.</exception>
    member _.Reset() : bool = permits.TryTakeOrThrow()

    /// <summary>Refuses every wait from now on.</summary>
    /// <exception cref="T:System.InvalidOperationException">An operation waits: nothing has changed.</exception>
    member _.Dispose() : unit = permits.Dispose 0

    interface IDisposable with
        member event.Dispose() = event.Dispose()
