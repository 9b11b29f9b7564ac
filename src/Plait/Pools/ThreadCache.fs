// Layer: pools. The few items that each thread keeps in front of the shared part of a pool, and the counts of them. Owns
// the rule that only its thread puts items into a cache and takes them; a trimmer may clear it, which loses an item at most
// and never hands one out twice.
namespace Plait.Kernel

open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading

/// A place for one item: an array of these is written without a look at the item's type.
[<Struct; NoEquality; NoComparison>]
type internal CacheSlot<'Item when 'Item: not struct and 'Item: null> =
    [<DefaultValue(false)>]
    val mutable Item: 'Item

/// A thread's places: a first one, which is all that most threads ever use, and a few more, so that items move from and to the
/// shared part in batches. The counts are plain fields: one thread writes each, and others only read them.
[<Sealed; AllowNullLiteral>]
type internal ThreadCache<'Item when 'Item: not struct and 'Item: null>(capacity: int) =
    [<DefaultValue(false)>]
    val mutable private item: 'Item

    [<DefaultValue(false)>]
    val mutable private taken: int64

    // null until two items are here; the first `filled` may hold one
    [<DefaultValue(false)>]
    val mutable private slots: CacheSlot<'Item>[]

    [<DefaultValue(false)>]
    val mutable private filled: int

    // the items that went to the shared part, less the items that came from there
    [<DefaultValue(false)>]
    val mutable private moved: int64

    // the trimmer's: the number of items that it cleared; the count that it saw the last time, and whether an item
    // was there
    [<DefaultValue(false)>]
    val mutable private cleared: int64

    [<DefaultValue(false)>]
    val mutable private seen: int64

    [<DefaultValue(false)>]
    val mutable private wasKept: bool

    /// How many items were taken from here.
    member cache.Taken = cache.taken

    /// How many items were cleared away unused.
    member cache.Cleared = cache.cleared

    /// How many more items have gone from here to the shared part than have come from there.
    member cache.Moved = cache.moved

    /// How many items are here now.
    member cache.Count =
        let mutable kept = if isNull (Atomic.ReadItem &cache.item) then 0 else 1
        let slots = cache.slots

        if not (isNull slots) then
            for at in 0 .. slots.Length - 1 do
                if not (isNull (Atomic.ReadItem &slots[at].Item)) then
                    kept <- kept + 1

        kept

    /// An item, or null where there is none.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    member cache.Take() : 'Item =
        let item = Atomic.ReadItem &cache.item

        if isNull item then
            cache.TakeBehind()
        else
            Atomic.WriteItem(&cache.item, null)
            cache.taken <- cache.taken + 1L
            item

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member private cache.TakeBehind() : 'Item =
        let mutable item: 'Item = null

        // a place that the trimmer has cleared is empty
        while isNull item && cache.filled > 0 do
            item <- cache.Unfill()

        if not (isNull item) then
            cache.taken <- cache.taken + 1L

        item

    member private cache.Unfill() : 'Item =
        let at = cache.filled - 1
        cache.filled <- at
        let item = Atomic.ReadItem &cache.slots[at].Item
        Atomic.WriteItem(&cache.slots[at].Item, null)
        item

    /// False: it is full.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    member cache.TryPut(item: 'Item) : bool =
        if isNull (Atomic.ReadItem &cache.item) then
            Atomic.WriteItem(&cache.item, item)
            true
        else
            cache.TryPutBehind item

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member private cache.TryPutBehind(item: 'Item) : bool =
        if isNull cache.slots && capacity > 0 then
            cache.slots <- Array.zeroCreate capacity

        let fits = cache.filled < capacity

        if fits then
            Atomic.WriteItem(&cache.slots[cache.filled].Item, item)
            cache.filled <- cache.filled + 1

        fits

    /// Moves items from the places after the first into an array, to make room. Returns how many.
    member cache.Spill(into: 'Item[]) : int =
        let mutable number = 0

        while number < into.Length && cache.filled > 0 do
            let item = cache.Unfill()

            if not (isNull item) then
                into[number] <- item
                number <- number + 1

        cache.moved <- cache.moved + int64 number
        number

    /// Keeps the first items of an array, which are no more than there are free places after the first.
    member cache.Refill(items: 'Item[], number: int) =
        for at in 0 .. number - 1 do
            cache.TryPutBehind items[at] |> ignore

        cache.moved <- cache.moved - int64 number

    /// Lets go of the items if none was taken since the last call. Not by two threads at the same time.
    member cache.Trim() =
        let kept = cache.Count

        if kept > 0 && cache.wasKept && cache.taken = cache.seen then
            Atomic.WriteItem(&cache.item, null)
            let slots = cache.slots

            if not (isNull slots) then
                for at in 0 .. slots.Length - 1 do
                    Atomic.WriteItem(&slots[at].Item, null)

            cache.cleared <- cache.cleared + int64 kept

        cache.wasKept <- kept > 0
        cache.seen <- cache.taken

/// The caches of all threads, to be counted and trimmed. The counts of a thread that has ended are kept.
[<Sealed>]
type internal ThreadCaches<'Item when 'Item: not struct and 'Item: null>(capacity: int) =
    let all = List<struct (Thread * ThreadCache<'Item>)>()
    let mutable sweepAt = 64

    // of threads that have ended
    let mutable takenBefore = 0L
    let mutable clearedBefore = 0L
    let mutable movedBefore = 0L

    // their items are let go of
    let sweep () =
        all.RemoveAll(fun (struct (thread, cache)) ->
            let ended = not thread.IsAlive

            if ended then
                takenBefore <- takenBefore + cache.Taken
                clearedBefore <- clearedBefore + cache.Cleared + int64 cache.Count
                movedBefore <- movedBefore + cache.Moved

            ended)
        |> ignore

    /// A cache for the calling thread, which keeps it for good.
    member _.Make() : ThreadCache<'Item> =
        let cache = ThreadCache<'Item>(capacity)

        lock all (fun () ->
            if all.Count >= sweepAt then
                sweep ()
                sweepAt <- max 64 (2 * all.Count)

            all.Add(struct (Thread.CurrentThread, cache)))

        cache

    /// Items taken from caches, items cleared away, items that have moved to the shared part (less those that came from
    /// there), and items that are there now.
    member _.Sum() : struct (int64 * int64 * int64 * int64) =
        lock all (fun () ->
            let mutable taken = takenBefore
            let mutable cleared = clearedBefore
            let mutable moved = movedBefore
            let mutable kept = 0L

            for struct (_, cache) in all do
                taken <- taken + cache.Taken
                cleared <- cleared + cache.Cleared

                moved <- moved + cache.Moved
                kept <- kept + int64 cache.Count

            struct (taken, cleared, moved, kept))

    /// Lets go of the items of ended threads; where `idle`, also of the items that no thread has used since the last
    /// such call. Never waits: does nothing if another thread holds the lock.
    member _.Trim(idle: bool) =
        if Monitor.TryEnter all then
            try
                sweep ()

                if idle then
                    for struct (_, cache) in all do
                        cache.Trim()
            finally
                Monitor.Exit all
