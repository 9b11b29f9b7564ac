// Layer: pools. A bounded stack behind a lock: where a pool keeps the items that the slots of its cores have no room
// for. Owns the rule that no code of a user runs in the lock, and counts the items that were not used for a while.
// Its array grows with the number of its items.
namespace Plait.Kernel

open System

[<Sealed; AllowNullLiteral>]
type internal LockedStack<'Item when 'Item: not struct and 'Item: null>(capacity: int) =
    let least = min capacity 64
    let mutable items: 'Item[] = Array.zeroCreate least
    let gate = obj ()
    let mutable count = 0

    // the lowest depth since the last trim: no thread has taken an item below it
    let mutable lowest = 0

    // in the lock
    let makeRoom (wanted: int) =
        if wanted > items.Length && items.Length < capacity then
            Array.Resize(&items, min capacity (max wanted (2 * items.Length)))

    member _.Count = Atomic.Read &count

    /// An item, or null where none is kept.
    member _.Pop() : 'Item =
        if Atomic.Read &count = 0 then
            null
        else
            Atomic.Enter gate

            try
                let left = Atomic.Read &count - 1

                if left < 0 then
                    null
                else
                    Atomic.Write(&count, left)
                    lowest <- min lowest left
                    let item = items[left]
                    items[left] <- null
                    item
            finally
                Atomic.Exit gate

    /// False: it is full.
    member _.TryPush(item: 'Item) : bool =
        Atomic.Enter gate

        try
            let kept = Atomic.Read &count
            makeRoom (kept + 1)
            let fits = kept < items.Length

            if fits then
                items[kept] <- item
                Atomic.Write(&count, kept + 1)

            fits
        finally
            Atomic.Exit gate

    /// Moves the topmost items into the array, as many as fit. Returns their number.
    member _.PopMany(into: 'Item[]) : int =
        Atomic.Enter gate

        try
            let kept = Atomic.Read &count
            let left = max 0 (kept - into.Length)
            Atomic.Write(&count, left)
            lowest <- min lowest left
            Array.Copy(items, left, into, 0, kept - left)
            Array.Clear(items, left, kept - left)
            kept - left
        finally
            Atomic.Exit gate

    /// Keeps the first items of an array. How many there was room for.
    member _.PushMany(from: 'Item[], number: int) : int =
        Atomic.Enter gate

        try
            let kept = Atomic.Read &count
            makeRoom (kept + number)
            let fitting = min number (items.Length - kept)
            Array.Copy(from, 0, items, kept, fitting)
            Atomic.Write(&count, kept + fitting)
            fitting
        finally
            Atomic.Exit gate

    /// Lets go of the items that lay unused since the last call, and returns their number; -1: another thread has the
    /// lock, and this call did nothing. A finalizer calls this: it must not wait.
    member _.TryTrim() : int =
        if not (Atomic.TryEnter gate) then
            -1
        else
            try
                let unused = lowest

                if unused > 0 then
                    let left = count - unused
                    Array.Copy(items, unused, items, 0, left)
                    Array.Clear(items, left, unused)
                    Atomic.Write(&count, left)

                    if left < items.Length / 4 then
                        Array.Resize(&items, max least (2 * left))

                lowest <- count
                unused
            finally
                Atomic.Exit gate
