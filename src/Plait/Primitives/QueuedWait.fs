// Layer: primitives. A pooled wait, and the queue of the waits for one primitive, oldest first. Owns two rules. A
// wait ends once: by a grant or by its token, whichever has the lock first. An object that the callback of a token
// may still use serves no other wait.
//
// Nothing of a user runs in the lock, and no continuation runs inside of a release or a cancellation.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources
open Plait

module internal WaitState =
    /// Not in the queue yet.
    [<Literal>]
    let New = 0

    [<Literal>]
    let Queued = 1

    /// Its token was cancelled before it was in the queue.
    [<Literal>]
    let Cancelled = 2

    [<Literal>]
    let Ended = 3

/// The answer of a primitive to a wait that asks for its turn.
type internal Turn =
    | Taken = 0
    | Waits = 1
    | Disposed = 2

/// As many waits as are in flight at the same time are kept: they go when they have lain unused for a while.
[<AbstractClass; Sealed>]
type internal WaitPoolSettings =
    interface IPoolSettings with
        static member Capacity = 1 <<< 20
        static member ItemBytes = 152

[<Sealed; AllowNullLiteral>]
type internal QueuedWait() =
    inherit PooledSource<AsyncReleaser>()

    // the next fields are written in the lock of the queue, except before the wait joins it and after the wait leaves
    // it

    [<DefaultValue(false)>]
    val mutable internal next: QueuedWait

    [<DefaultValue(false)>]
    val mutable internal previous: QueuedWait

    [<DefaultValue(false)>]
    val mutable internal wait: int

    [<DefaultValue(false)>]
    val mutable private queue: WaitQueue

    /// null: the waiter gets no releaser.
    [<DefaultValue(false)>]
    val mutable private ticket: Ticket

    [<DefaultValue(false)>]
    val mutable private hasToken: bool

    [<DefaultValue(false)>]
    val mutable private registration: CancellationTokenRegistration

    /// A callback of its token may still access it.
    [<DefaultValue(false)>]
    val mutable private retired: bool

    static let cancel =
        Action<obj, CancellationToken>(fun state token -> (Unsafe.As<QueuedWait> state).Cancel token)

    /// A wait that its token can cancel from now on.
    static member internal Rent(queue: WaitQueue, ticket: Ticket, token: CancellationToken) : QueuedWait =
        let wait =
            match ThreadCachedPool<QueuedWait, WaitPoolSettings>.Rent() with
            | null -> QueuedWait()
            | wait -> wait

        wait.wait <- WaitState.New
        wait.queue <- queue
        wait.ticket <- ticket
        wait.hasToken <- token.CanBeCanceled

        if wait.hasToken then
            wait.registration <- token.UnsafeRegister(cancel, wait)

        wait

    /// On the thread that cancels the token, at any time.
    member private wait.Cancel(token: CancellationToken) =
        let queue = Atomic.ReadItem &wait.queue
        Atomic.Enter queue
        let mutable isOut = false

        try
            match Atomic.Read &wait.wait with
            | WaitState.New -> Atomic.Write(&wait.wait, WaitState.Cancelled)
            | WaitState.Queued ->
                Atomic.Write(&wait.wait, WaitState.Ended)
                queue.Remove wait
                isOut <- true
            | _ -> ()
        finally
            Atomic.Exit queue

        if isOut then
            wait.Refuse(OperationCanceledException token)

    /// Ends it with an error. Outside of the lock, by the thread that has ended it inside.
    member internal wait.Refuse(error: exn) =
        if not (isNull wait.ticket) then
            wait.ticket.Drop()

        wait.FailElsewhere error

    /// Its token cancels it no more. A callback that has begun finds out that the wait has ended; until then the object is its own.
    member internal wait.LeaveToken() =
        if wait.hasToken && not (wait.registration.Unregister()) then
            wait.retired <- true

    /// Completes the wait with its permit. Outside of the lock, by the thread that ended the wait in the lock.
    member internal wait.Grant() =
        wait.LeaveToken()

        wait.CompleteElsewhere(
            match wait.ticket with
            | null -> Unchecked.defaultof<AsyncReleaser>
            | ticket -> new AsyncReleaser(ticket, ticket.Turn)
        )

    /// Ends it unused: the permit was free.
    member internal wait.Discard() =
        wait.LeaveToken()
        wait.Recycle()

    override _.Action = Action ignore

    override _.Resume() = ()

    override _.ClearMachine() = ()

    override wait.Recycle() =
        // a retired one stays as it is for the callback; and each one is retired one use before its token begins again
        if not wait.retired && wait.Token <> -1s then
            wait.queue <- null
            wait.ticket <- null
            wait.registration <- Unchecked.defaultof<_>
            ThreadCachedPool<QueuedWait, WaitPoolSettings>.Return wait

/// The waits for one primitive. It is its own lock.
and [<AbstractClass; AllowNullLiteral>] internal WaitQueue(name: string) =
    let mutable first: QueuedWait = null
    let mutable last: QueuedWait = null

    /// The name of the primitive, for messages.
    member _.Name = name

    /// In the lock.
    member _.IsEmpty = isNull first

    /// Takes the permit if one is free; else sets the mark for the thread that gives one back to look at the queue.
    /// In the lock.
    abstract TryTakeOrWait: unit -> Turn

    member private _.Add(wait: QueuedWait) =
        wait.previous <- last

        if isNull last then first <- wait else last.next <- wait

        last <- wait

    /// In the lock.
    member internal _.Remove(wait: QueuedWait) =
        if isNull wait.previous then first <- wait.next else wait.previous.next <- wait.next

        if isNull wait.next then last <- wait.previous else wait.next.previous <- wait.previous

        wait.next <- null
        wait.previous <- null

    /// Takes the oldest ones out, at most so many, as a chain for `Grant`. In the lock.
    member internal queue.TakeOut(most: int, count: byref<int>) : QueuedWait =
        let chain = first
        let mutable end' = null
        count <- 0

        while count < most && not (isNull first) do
            Atomic.Write(&first.wait, WaitState.Ended)
            end' <- first
            first <- first.next
            count <- count + 1

        if isNull first then last <- null else first.previous <- null

        if isNull end' then
            null
        else
            end'.next <- null
            chain

    /// Completes each wait of a chain with its permit. Outside of the lock.
    static member internal Grant(chain: QueuedWait) =
        let mutable wait = chain

        while not (isNull wait) do
            // once granted, it may serve another
            let next = wait.next
            wait.next <- null
            wait.previous <- null
            wait.Grant()
            wait <- next

    /// A wait, in the queue or refused; null: a permit was free, and the caller has it.
    member private queue.Join(ticket: Ticket, token: CancellationToken) : QueuedWait =
        let wait = QueuedWait.Rent(queue, ticket, token)
        let mutable isCancelled = false
        let mutable turn = Turn.Waits
        Atomic.Enter queue

        try
            isCancelled <- (Atomic.Read &wait.wait = WaitState.Cancelled)

            if not isCancelled then
                turn <- queue.TryTakeOrWait()

                if turn = Turn.Waits then
                    Atomic.Write(&wait.wait, WaitState.Queued)
                    queue.Add wait
                else
                    Atomic.Write(&wait.wait, WaitState.Ended)
        finally
            Atomic.Exit queue

        if isCancelled then
            wait.Refuse(OperationCanceledException token)
            wait
        else
            match turn with
            | Turn.Taken ->
                wait.Discard()
                null
            | Turn.Disposed ->
                wait.LeaveToken()
                wait.Refuse(PrimitiveErrors.Disposed name)
                wait
            | _ -> wait

    /// Takes a permit, or waits for it. Not inlined, as `Enter`: a caller that finds a permit free does not come here.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member internal queue.Wait(token: CancellationToken) : ValueTask =
        match queue.Join(null, token) with
        | null -> ValueTask()
        | wait -> ValueTask(wait :> IValueTaskSource, wait.Token)

    /// The same with a releaser.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member internal queue.Enter(ticket: Ticket, token: CancellationToken) : ValueTask<AsyncReleaser> =
        match queue.Join(ticket, token) with
        | null -> ValueTask<AsyncReleaser>(new AsyncReleaser(ticket, ticket.Turn))
        | wait -> ValueTask<AsyncReleaser>(wait :> IValueTaskSource<AsyncReleaser>, wait.Token)
