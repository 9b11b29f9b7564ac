// Layer: primitives. The holder of a lock, and the waits for it. Owns the rule that each entry has a turn, and that only the release
// of that turn begins the next one: so a second release of an entry is refused, and no two operations hold the lock.
//
// One word has the turn and the state of it. While no operation waits, an entry is one compare-and-swap from `Free` to `Held`, and
// a release one from `Held` to the next turn, `Free`. The first wait puts the state `Contended` there, in the lock; it stays until
// a release finds an empty queue, and a release that reads it takes the lock. So no operation overtakes the waiting ones.
namespace Plait.Kernel

module internal LockState =
    [<Literal>]
    let Held = 0

    [<Literal>]
    let Free = 1

    /// Held, and there may be waits in the queue.
    [<Literal>]
    let Contended = 2

    [<Literal>]
    let Disposed = 3

    [<Literal>]
    let Mask = 3

    /// From one turn to the next.
    [<Literal>]
    let Turn = 4

    /// In place of a turn: the lock was not free.
    [<Literal>]
    let None = -1

[<Sealed>]
type internal LockTurns() =
    inherit WaitQueue("AsyncLock")

    let mutable word = LockState.Free

    member private _.State = Atomic.Read &word &&& LockState.Mask

    member turns.IsHeld =
        match turns.State with
        | LockState.Held
        | LockState.Contended -> true
        | _ -> false

    /// The turn of the current holder: the word's value while nobody else waits.
    member _.Turn = Atomic.Read &word &&& ~~~LockState.Mask

    /// Enters, if the lock is free. The turn of the entry, or `LockState.None`.
    member _.TryEnter() : int =
        let mutable seen = Atomic.Read &word
        let mutable turn = LockState.None

        while turn = LockState.None && seen &&& LockState.Mask = LockState.Free do
            let found = Atomic.CompareExchange(&word, seen - LockState.Free, seen)

            if found = seen then
                turn <- seen - LockState.Free

            seen <- found

        turn

    /// The same, where a disposed one throws.
    member turns.TryEnterOrThrow() : int =
        let turn = turns.TryEnter()

        if turn = LockState.None && turns.State = LockState.Disposed then
            PrimitiveErrors.ThrowDisposed turns.Name

        turn

    override turns.TryTakeOrWait() =
        let mutable answer = Turn.Taken
        let mutable decided = false

        while not decided do
            let seen = Atomic.Read &word

            match seen &&& LockState.Mask with
            | LockState.Free -> decided <- turns.TryEnter() <> LockState.None
            | LockState.Held ->
                // only a release that came just now makes this fail
                decided <- (Atomic.CompareExchange(&word, seen + LockState.Contended, seen) = seen)
                answer <- if decided then Turn.Waits else Turn.Taken
            | state ->
                answer <- if state = LockState.Contended then Turn.Waits else Turn.Disposed
                decided <- true

        answer

    /// Gives the next turn to the oldest wait, or frees the lock. False: the turn has ended before.
    member private turns.TryPass(turn: int) : bool =
        let mutable chain: QueuedWait = null
        let mutable isPassed = false
        Atomic.Enter turns

        try
            isPassed <- (Atomic.Read &word = turn + LockState.Contended)

            if isPassed then
                let mutable count = 0
                chain <- turns.TakeOut(1, &count)
                let next = turn + LockState.Turn
                Atomic.Write(&word, (if count = 0 then next + LockState.Free else next + LockState.Contended))
        finally
            Atomic.Exit turns

        WaitQueue.Grant chain
        isPassed

    /// Ends the turn. False: it has ended before.
    member turns.TryRelease(turn: int) : bool =
        Atomic.CompareExchange(&word, turn + LockState.Turn + LockState.Free, turn) = turn
        || turns.TryPass turn

    /// Refuses every wait from now on. Throws, and changes nothing, if the lock is held.
    member turns.Dispose() : unit =
        let mutable isInUse = false
        Atomic.Enter turns

        try
            let mutable seen = Atomic.Read &word

            while seen &&& LockState.Mask <> LockState.Disposed && not isInUse do
                isInUse <- seen &&& LockState.Mask <> LockState.Free

                if not isInUse then
                    let disposed = seen - LockState.Free + LockState.Disposed
                    let found = Atomic.CompareExchange(&word, disposed, seen)
                    seen <- if found = seen then disposed else found
        finally
            Atomic.Exit turns

        if isInUse then
            PrimitiveErrors.DisposedInUse turns.Name

/// The one ticket of a lock.
[<Sealed>]
type internal LockTicket(turns: LockTurns) =
    inherit Ticket()
    override _.Turn = turns.Turn
    override _.TryRelease turn = turns.TryRelease turn
