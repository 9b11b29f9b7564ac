// Layer: primitives. A number of permits and the waits for one: the common part of semaphores and auto-reset
// events. Owns the rule that no permit is lost and none is made: one that comes back goes to the oldest wait, or else
// is free.
//
// One word has the free permits. While one is free no operation waits, and taking and giving is one compare-and-swap. The
// first wait puts the mark `Contended` there, in the lock; it stays until a permit comes back to an empty queue, and a
// thread that reads it takes the lock. So no operation overtakes the waiting ones.
namespace Plait.Kernel

module internal Free =
    /// No permit is free, and there may be waits in the queue.
    [<Literal>]
    let Contended = -1

    [<Literal>]
    let Disposed = -2

[<Sealed; AllowNullLiteral>]
type internal Permits(name: string, initial: int) =
    inherit WaitQueue(name)

    let mutable free = initial

    /// The permits that are free, a snapshot.
    member _.Free = max 0 (Atomic.Read &free)

    member _.IsDisposed = (Atomic.Read &free = Free.Disposed)

    /// Takes a permit, if one is free.
    member _.TryTake() : bool =
        let mutable seen = Atomic.Read &free
        let mutable taken = false

        while not taken && seen > 0 do
            let found = Atomic.CompareExchange(&free, seen - 1, seen)
            taken <- (found = seen)
            seen <- found

        taken

    /// The same, where a disposed one throws.
    member permits.TryTakeOrThrow() : bool =
        let taken = permits.TryTake()

        if not taken && permits.IsDisposed then
            PrimitiveErrors.ThrowDisposed name

        taken

    override permits.TryTakeOrWait() =
        let mutable turn = Turn.Taken
        let mutable decided = false

        while not decided do
            if permits.TryTake() then
                decided <- true
            else
                // only a permit that came back just now makes this fail
                match Atomic.CompareExchange(&free, Free.Contended, 0) with
                | 0
                | Free.Contended ->
                    turn <- Turn.Waits
                    decided <- true
                | Free.Disposed ->
                    turn <- Turn.Disposed
                    decided <- true
                | _ -> ()

        turn

    /// Gives permits to the waits, and frees the rest. False: another thread has done so meanwhile.
    member private permits.TryGiveToWaits(count: int) : bool =
        let mutable chain: QueuedWait = null
        let mutable isGiven = false
        Atomic.Enter permits

        try
            isGiven <- (Atomic.Read &free = Free.Contended)

            if isGiven then
                let mutable taken = 0
                chain <- permits.TakeOut(count, &taken)

                if taken < count then
                    Atomic.Write(&free, count - taken)
        finally
            Atomic.Exit permits

        WaitQueue.Grant chain
        isGiven

    /// Gives permits to the waits, or back. False: more than `most` would be free, and none was given.
    member permits.Give(count: int, most: int) : bool =
        let mutable isGiven = false
        let mutable isFull = count > most

        while not isGiven && not isFull do
            match Atomic.Read &free with
            | Free.Contended -> isGiven <- permits.TryGiveToWaits count
            | Free.Disposed -> PrimitiveErrors.ThrowDisposed name
            | seen when seen > most - count -> isFull <- true
            | seen -> isGiven <- (Atomic.CompareExchange(&free, seen + count, seen) = seen)

        isGiven

    /// Refuses every wait from now on. Throws, and changes nothing, if fewer than `least` permits are free or one is waited for.
    member permits.Dispose(least: int) : unit =
        let mutable isInUse = false
        Atomic.Enter permits

        try
            let mutable seen = Atomic.Read &free

            while seen <> Free.Disposed && not isInUse do
                isInUse <- not permits.IsEmpty || max 0 seen < least

                if not isInUse then
                    let found = Atomic.CompareExchange(&free, Free.Disposed, seen)
                    seen <- if found = seen then Free.Disposed else found
        finally
            Atomic.Exit permits

        if isInUse then
            PrimitiveErrors.DisposedInUse name
