// Layer: pools. The part of a pool that all threads share: a slot per core, then a locked stack. A type may have a cache
// per thread in front of it. Owns the bound, and the rule that an item that was returned once is handed out once.
namespace Plait.Kernel

open System

/// Carries a batch of items between a cache and the shared part: an array per thread and type, empty between two uses.
[<AbstractClass; Sealed>]
type internal TransferBuffer<'Item when 'Item: not struct and 'Item: null> =
    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private items: 'Item[]

    static member Array(size: int) : 'Item[] =
        let items = TransferBuffer<'Item>.items

        if isNull items || items.Length <> size then
            let items = Array.zeroCreate size
            TransferBuffer<'Item>.items <- items
            items
        else
            items

[<Sealed; AllowNullLiteral>]
type internal SharedPool<'Item when 'Item: not struct and 'Item: null>(capacity: int, itemBytes: int) =
    inherit PoolBase()

    // items that lay unused for this long are trimmed at the next gen-2 collection
    static let idle = 10_000L

    let cores = min Atomic.Cores capacity

    // 16 references = 128 bytes apart: two cores never write to one cache line
    let slots: 'Item[] = Array.zeroCreate (cores * 16)
    let counts = CoreCounts(max 1 cores)
    let stack = LockedStack<'Item>(capacity - cores)
    // a cache has places for two batches after its first one, and moves one at a time; in a small pool, for none
    let batch = min 16 (capacity / 32)
    let caches = ThreadCaches<'Item>(2 * batch)
    let name = PoolName.Of typeof<'Item>

    // at the last trim: the count of each core, and the time
    let seen: int64[] = Array.zeroCreate cores
    let mutable trimmedAt = Environment.TickCount64

    // an item of another core, before one is allocated
    let steal () : 'Item =
        let mutable item: 'Item = null
        let mutable at = 0

        while isNull item && at < slots.Length do
            if not (isNull (Atomic.ReadItem &slots[at])) then
                item <- Atomic.Exchange(&slots[at], null)

            at <- at + 16

        item

    let trimSlots () =
        for core in 0 .. cores - 1 do
            let uses = counts.Of(core, Count.Rents) + counts.Of(core, Count.Returns)

            if uses = seen[core] && not (isNull (Atomic.Exchange(&slots[core * 16], null))) then
                counts.Add(core, Count.Dropped, 1L)

            seen[core] <- uses

    member _.Capacity = capacity

    /// The caches of the threads; none where the type has none.
    member _.ThreadCaches = caches

    /// How many are kept now, without the caches; a snapshot where other threads rent and return.
    member _.Count =
        let mutable kept = stack.Count

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
                item <- stack.Pop()

            if isNull item then
                item <- steal ()

            if not (isNull item) then
                counts.Add(core, Count.Hits, 1L)

            item

    /// Keeps the item, or drops one if the pool is full. Nobody but the caller has the item, and the caller must not use it any more.
    member _.Return(item: 'Item) =
        if cores = 0 then
            counts.Add(0, Count.Returns, 1L)
            counts.Add(0, Count.Dropped, 1L)
        else
            let core = Atomic.Core() % cores
            counts.Add(core, Count.Returns, 1L)
            let previous = Atomic.Exchange(&slots[core * 16], item)

            if not (isNull previous) && not (stack.TryPush previous) then
                counts.Add(core, Count.Dropped, 1L)

    /// As `Rent`, for a cache that has nothing: where the shared part has more, the cache gets some of it.
    member pool.RentFor(cache: ThreadCache<'Item>) : 'Item =
        if batch = 0 || stack.Count = 0 then
            pool.Rent()
        else
            let items = TransferBuffer<'Item>.Array batch
            let number = stack.PopMany items

            if number = 0 then
                pool.Rent()
            else
                let core = Atomic.Core() % cores
                counts.Add(core, Count.Rents, 1L)
                counts.Add(core, Count.Hits, 1L)
                cache.Refill(items, number - 1)
                let item = items[number - 1]
                Array.Clear items
                item

    /// As `Return`, for a cache that is full: half of it makes room.
    member pool.ReturnFrom(cache: ThreadCache<'Item>, item: 'Item) =
        if batch = 0 then
            pool.Return item
        else
            let items = TransferBuffer<'Item>.Array batch
            let number = cache.Spill items
            let kept = stack.PushMany(items, number)
            Array.Clear items

            if kept < number then
                counts.Add(Atomic.Core() % cores, Count.Dropped, int64 (number - kept))

            cache.TryPut item |> ignore

    override _.Name = name

    override pool.Statistics =
        let struct (taken, cleared, moved, kept) = caches.Sum()
        let shelved = taken + cleared + moved + kept

        PoolStatistics(
            counts.Total Count.Rents + taken,
            counts.Total Count.Hits + taken,
            counts.Total Count.Returns + shelved,
            counts.Total Count.Dropped + cleared,
            (int64 pool.Count + kept) * int64 itemBytes
        )

    override _.Trim(now: int64) =
        let due = now - trimmedAt >= idle
        let dropped = if due then stack.TryTrim() else -1

        // another thread was in there: the next collection comes
        if dropped >= 0 then
            trimmedAt <- now
            counts.Add(0, Count.Dropped, int64 dropped)
            trimSlots ()

        caches.Trim(dropped >= 0)
