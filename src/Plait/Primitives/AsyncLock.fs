// Layer: primitives. The lock of asynchronous code.
namespace Plait

open System
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>A lock that is held across awaits, by one operation at a time: <c>use! _ = gate.Enter token</c>, in C#
/// <c>using (await gate.EnterAsync(token))</c>.</summary>
/// <remarks>
/// <para>Operations enter in the order in which they began to wait. A token that is cancelled takes its wait out of the queue
/// and loses no turn; once entered, the token has no effect. A wait costs the memory of its await alone: waits are pooled.</para>
/// <para>Releasing never runs the code of a waiter: it continues on the thread pool, or in the context that it captured.</para>
/// <para>It belongs to no thread and to no operation, so it has no holder: an operation that enters again before it has
/// released waits for ever. It is not reentrant.</para>
/// <para>It need not be disposed. A disposed one refuses every entry.</para>
/// </remarks>
[<Sealed>]
type AsyncLock() =
    let turns = LockTurns()
    let ticket = LockTicket turns

    /// Whether an operation holds it now.
    member _.IsHeld = turns.IsHeld

    /// <summary>Waits until the lock is free for this operation. The result is awaited once; its disposal releases.</summary>
    /// <param name="cancellationToken">Ends the wait, and nothing else.</param>
    /// <exception cref="T:System.OperationCanceledException">In the result: the token was cancelled first.</exception>
    /// <exception cref="T:System.ObjectDisposedException">In the result: the lock was disposed.</exception>
    member _.EnterAsync([<Optional>] cancellationToken: CancellationToken) : ValueTask<AsyncReleaser> =
        let turn =
            if cancellationToken.IsCancellationRequested then LockState.None else turns.TryEnter()

        if turn <> LockState.None then
            ValueTask<AsyncReleaser>(new AsyncReleaser(ticket, turn))
        else
            turns.Enter(ticket, cancellationToken)

    /// <summary>Enters if the lock is free, without waiting. False: it is held, and there is nothing to dispose.</summary>
    /// <exception cref="T:System.ObjectDisposedException">The lock was disposed.</exception>
    member _.TryEnter([<Out>] releaser: byref<AsyncReleaser>) : bool =
        let turn = turns.TryEnterOrThrow()

        if turn <> LockState.None then
            releaser <- new AsyncReleaser(ticket, turn)

        turn <> LockState.None

    /// <summary>Refuses every entry from now on.</summary>
    /// <exception cref="T:System.InvalidOperationException">It is held: nothing has changed.</exception>
    member _.Dispose() : unit = turns.Dispose()

    interface IDisposable with
        member gate.Dispose() = gate.Dispose()
