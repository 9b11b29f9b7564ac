// Layer: frames. The shared part of a pool, behind the shelf that a type may keep per thread: a slot per core, then a
// stack. Owns the bound, and that an item given once is handed out once.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System

[<Sealed; AllowNullLiteral>]
type internal Overflow<'Item when 'Item: not struct and 'Item: null>(capacity: int, itemBytes: int) =
    inherit PoolBase()

    // what is kept is trimmed when it has lain unused for this long, at the next gen-2 collection
    static let idle = 10_000L

    let cores = min Atomic.Cores capacity

    // 16 references = 128 bytes apart: two cores never write to one cache line
    let slots: 'Item[] = Array.zeroCreate (cores * 16)
    let counts = CoreCounts(max 1 cores)
    let stack: 'Item[] = Array.zeroCreate (capacity - cores)
    let gate = obj ()
    let mutable count = 0
    let shelves = Shelves<'Item>()
    let name = PoolName.Of typeof<'Item>

    // since the last trim: how deep the stack was drained, what each core had counted, and when that was
    let mutable lowest = 0
    let seen: int64[] = Array.zeroCreate cores
    let mutable trimmedAt = Environment.TickCount64

    let pop () : 'Item =
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
                    let item = stack[left]
                    stack[left] <- null
                    item
            finally
                Atomic.Exit gate

    // what another core keeps, before anything is allocated
    let steal () : 'Item =
        let mutable item: 'Item = null
        let mutable at = 0

        while isNull item && at < slots.Length do
            if not (isNull (Atomic.ReadItem &slots[at])) then
                item <- Atomic.Exchange(&slots[at], null)

            at <- at + 16

        item

    let push (item: 'Item) : bool =
        Atomic.Enter gate

        try
            let kept = Atomic.Read &count
            let fits = kept < stack.Length

            if fits then
                stack[kept] <- item
                Atomic.Write(&count, kept + 1)

            fits
        finally
            Atomic.Exit gate

    // the lowest ones have not been touched: the rest moves down
    let trimStack () =
        if lowest > 0 then
            let left = count - lowest
            Array.Copy(stack, lowest, stack, 0, left)
            Array.Clear(stack, left, lowest)
            counts.Add(0, Count.Dropped, int64 lowest)
            Atomic.Write(&count, left)

        lowest <- count

    let trimSlots () =
        for core in 0 .. cores - 1 do
            let uses = counts.Of(core, Count.Rents) + counts.Of(core, Count.Returns)

            if uses = seen[core] && not (isNull (Atomic.Exchange(&slots[core * 16], null))) then
                counts.Add(core, Count.Dropped, 1L)

            seen[core] <- uses

    member _.Capacity = capacity

    /// The places that threads keep in front of this pool; empty where the type keeps none.
    member _.Shelves = shelves

    /// How many are kept now, without the shelves; a snapshot where other threads rent and return.
    member _.Count =
        let mutable kept = Atomic.Read &count

        for core in 0 .. cores - 1 do
            if not (isNull (Atomic.ReadItem &slots[core * 16])) then
                kept <- kept + 1

        kept

    /// An item, or null where none is kept.
    member _.Rent() : 'Item =
        if cores = 0 then
            counts.Add(0, Count.Rents, 1L)
            null
        else
            let core = Atomic.Core() % cores
            counts.Add(core, Count.Rents, 1L)
            let mutable item = Atomic.Exchange(&slots[core * 16], null)

            if isNull item then
                item <- pop ()

            if isNull item then
                item <- steal ()

            if not (isNull item) then
                counts.Add(core, Count.Hits, 1L)

            item

    /// Keeps the item, or lets go of one where as many are kept as may be. The caller has the item to itself and forgets it.
    member _.Return(item: 'Item) =
        if cores = 0 then
            counts.Add(0, Count.Returns, 1L)
            counts.Add(0, Count.Dropped, 1L)
        else
            let core = Atomic.Core() % cores
            counts.Add(core, Count.Returns, 1L)
            let previous = Atomic.Exchange(&slots[core * 16], item)

            if not (isNull previous) && not (push previous) then
                counts.Add(core, Count.Dropped, 1L)

    override _.Name = name

    override pool.Figures =
        let struct (taken, cleared, kept) = shelves.Sum()
        let shelved = taken + cleared + kept

        PoolFigures(
            counts.Total Count.Rents + taken,
            counts.Total Count.Hits + taken,
            counts.Total Count.Returns + shelved,
            counts.Total Count.Dropped + cleared,
            (int64 pool.Count + kept) * int64 itemBytes
        )

    override _.Trim(now: int64) =
        // a finalizer must not wait for whoever is in there; the next collection comes
        let due = now - trimmedAt >= idle && Atomic.TryEnter gate

        if due then
            try
                trimmedAt <- now
                trimStack ()
            finally
                Atomic.Exit gate

            trimSlots ()

        shelves.Trim due
