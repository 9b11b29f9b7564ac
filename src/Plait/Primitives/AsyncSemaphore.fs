// Layer: primitives. The semaphore of asynchronous code: permits with a releaser, or counted by hand.
namespace Plait

open System
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// As many tickets as permits were out at the same time are kept.
[<AbstractClass; Sealed>]
type internal TicketPoolSettings =
    interface IPoolSettings with
        static member Capacity = 1 <<< 20
        static member ItemBytes = 32

/// The ticket of one entry, pooled. A releaser recognises its entry by the turn of the ticket, which only grows.
[<Sealed; AllowNullLiteral>]
type internal SemaphoreTicket() =
    inherit Ticket()

    [<DefaultValue(false)>]
    val mutable private permits: Permits

    /// The most permits that may be free.
    [<DefaultValue(false)>]
    val mutable private most: int

    [<DefaultValue(false)>]
    val mutable private turn: int

    static member Rent(permits: Permits, most: int) : SemaphoreTicket =
        let ticket =
            match ThreadCachedPool<SemaphoreTicket, TicketPoolSettings>.Rent() with
            | null -> SemaphoreTicket()
            | ticket -> ticket

        ticket.permits <- permits
        ticket.most <- most
        ticket

    override ticket.Turn = ticket.turn

    override ticket.TryRelease turn =
        let isEnded = Atomic.CompareExchange(&ticket.turn, turn + 1, turn) = turn

        if isEnded then
            let permits = ticket.permits
            let most = ticket.most
            ticket.Drop()

            if not (permits.Give(1, most)) then
                PrimitiveErrors.ReleasedTooOften most

        isEnded

    override ticket.Drop() =
        ticket.permits <- null
        ThreadCachedPool<SemaphoreTicket, TicketPoolSettings>.Return ticket

/// <summary>A number of permits, one for each operation that is inside: <c>use! _ = semaphore.Enter token</c>, in C#
/// <c>using (await semaphore.EnterAsync(token))</c>. Without a releaser <c>Wait</c> takes a permit, and <c>Release</c>, called by
/// any code, gives one back.</summary>
/// <remarks>
/// <para>Operations enter in the order in which they began to wait; <c>Enter</c> and <c>Wait</c> have one queue. A token that
/// is cancelled takes its wait out of the queue and loses no permit. A wait costs the memory of its await alone: waits are
/// pooled.</para>
/// <para>Releasing never runs the code of a waiter: it continues on the thread pool, or in the context that it
/// captured.</para>
/// <para>It need not be disposed. A disposed one refuses every entry.</para>
/// </remarks>
[<Sealed>]
type AsyncSemaphore private (permits: Permits, initialCount: int, maxCount: int) =
    do
        if maxCount < 1 || initialCount < 0 || initialCount > maxCount then
            raise (PrimitiveErrors.Counts(initialCount, maxCount))

    /// <summary>A semaphore with `initialCount` free permits at the beginning, and never more than `maxCount`.</summary>
    /// <exception cref="T:System.ArgumentOutOfRangeException">`maxCount` is below 1, or `initialCount` is not from 0 to
    /// `maxCount`.</exception>
    new(initialCount: int, maxCount: int) =
        new AsyncSemaphore(Permits("AsyncSemaphore", initialCount), initialCount, maxCount)

    /// A semaphore all of whose permits are free; it never has more.
    new(count: int) = new AsyncSemaphore(count, count)

    /// The permits that are free now.
    member _.CurrentCount = permits.Free

    /// The most permits that may be free.
    member _.MaxCount = maxCount

    /// <summary>Waits for a permit. The result is awaited once; its disposal gives the permit back.</summary>
    /// <param name="cancellationToken">Ends the wait, and nothing else.</param>
    /// <exception cref="T:System.OperationCanceledException">In the result: the token was cancelled first.</exception>
    /// <exception cref="T:System.ObjectDisposedException">In the result: the semaphore was disposed.</exception>
    member semaphore.EnterAsync
        ([<Optional>] cancellationToken: CancellationToken)
        : ValueTask<AsyncReleaser> =
        let ticket = SemaphoreTicket.Rent(permits, maxCount)

        if not cancellationToken.IsCancellationRequested && permits.TryTake() then
            ValueTask<AsyncReleaser>(new AsyncReleaser(ticket, ticket.Turn))
        else
            permits.Enter(ticket, cancellationToken)

    /// <summary>Takes a permit if one is free, without waiting. False: there is nothing to dispose.</summary>
    /// <exception cref="T:System.ObjectDisposedException">The semaphore was disposed.</exception>
    member _.TryEnter([<Out>] releaser: byref<AsyncReleaser>) : bool =
        let taken = permits.TryTakeOrThrow()

        if taken then
            let ticket = SemaphoreTicket.Rent(permits, maxCount)
            releaser <- new AsyncReleaser(ticket, ticket.Turn)

        taken

    /// <summary>Waits for a permit without a releaser: a call of `Release`, by any thread, gives it back. Awaited
    /// once.</summary>
    /// <param name="cancellationToken">Ends the wait, and nothing else.</param>
    /// <exception cref="T:System.OperationCanceledException">In the result: the token was cancelled first.</exception>
    /// <exception cref="T:System.ObjectDisposedException">In the result: the semaphore was disposed.</exception>
    member _.WaitAsync([<Optional>] cancellationToken: CancellationToken) : ValueTask =
        if not cancellationToken.IsCancellationRequested && permits.TryTake() then
            ValueTask()
        else
            permits.Wait cancellationToken

    /// <summary>Takes a permit if one is free, without waiting; `Release` gives it back.</summary>
    /// <exception cref="T:System.ObjectDisposedException">The semaphore was disposed.</exception>
    member _.TryWait() : bool = permits.TryTakeOrThrow()

    /// <summary>Gives permits to the operations that have waited longest. The others become free.</summary>
    /// <exception cref="T:System.Threading.SemaphoreFullException">More than `MaxCount` would be free: none was given.</exception>
    /// <exception cref="T:System.ArgumentOutOfRangeException">The count is below 1.</exception>
    /// <exception cref="T:System.ObjectDisposedException">The semaphore was disposed.</exception>
    member _.Release(count: int) : unit =
        if count < 1 then
            PrimitiveErrors.ReleaseCount count

        if not (permits.Give(count, maxCount)) then
            PrimitiveErrors.ReleasedTooOften maxCount

    /// As the other `Release`, with one permit.
    member semaphore.Release() : unit = semaphore.Release 1

    /// <summary>Refuses every entry from now on.</summary>
    /// <exception cref="T:System.InvalidOperationException">An operation waits, or fewer permits are free than at the
    /// beginning: nothing has changed.</exception>
    member _.Dispose() : unit = permits.Dispose initialCount

    interface IDisposable with
        member semaphore.Dispose() = semaphore.Dispose()
