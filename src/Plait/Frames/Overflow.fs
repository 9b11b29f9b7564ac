// Layer: frames. The shared part of a pool, behind the slot that a type may keep per thread: a slot per core, then a
// stack. Owns the bound, and that an item given once is handed out once.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.Threading

/// What a pool has to know of its items' type.
type internal IPooledKind =

    /// How many items are kept.
    static abstract Capacity: int

    /// Estimate of the heap bytes of one item, without what it refers to.
    static abstract ItemBytes: int

/// Small objects of the kernel's own: as many as machines.
[<AbstractClass; Sealed>]
type internal SmallKind =
    interface IPooledKind with
        static member Capacity = 4096
        static member ItemBytes = 96

[<Sealed; AllowNullLiteral>]
type internal Overflow<'Item when 'Item: not struct and 'Item: null>(capacity: int, itemBytes: int) =
    inherit PoolBase()

    // what is kept is trimmed when it has lain unused for this long, at the next gen-2 collection
    static let idle = 10_000L

    let cores = min Environment.ProcessorCount capacity

    // 16 references = 128 bytes apart, as are the counts: two cores never write to one cache line
    let slots: 'Item[] = Array.zeroCreate (cores * 16)
    let counts: int64[] = Array.zeroCreate (max 1 cores * 16)
    let stack: 'Item[] = Array.zeroCreate (capacity - cores)
    let gate = obj ()
    let mutable count = 0

    // since the last trim: how deep the stack was drained, what each core had counted, and when that was
    let mutable lowest = 0
    let seen: int64[] = Array.zeroCreate cores
    let mutable trimmedAt = Environment.TickCount64

    let slot () =
        (int (uint32 (Thread.GetCurrentProcessorId()) % uint32 cores)) * 16

    let add (at: int) (which: int) =
        counts[at + which] <- counts[at + which] + 1L

    let pop () : 'Item =
        if Atomic.Read &count = 0 then
            null
        else
            lock gate (fun () ->
                if count = 0 then
                    null
                else
                    count <- count - 1
                    lowest <- min lowest count
                    let item = stack[count]
                    stack[count] <- null
                    item)

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
        lock gate (fun () ->
            if count < stack.Length then
                stack[count] <- item
                count <- count + 1
                true
            else
                false)

    member _.Capacity = capacity

    /// How many are kept now; a snapshot where other threads rent and return.
    member _.Count =
        let mutable kept = Volatile.Read &count

        for core in 0 .. cores - 1 do
            if not (isNull (Volatile.Read &slots[core * 16])) then
                kept <- kept + 1

        kept

    /// An item, or null where none is kept.
    member _.Rent() : 'Item =
        if cores = 0 then
            add 0 0
            null
        else
            let at = slot ()
            add at 0
            let mutable item = Atomic.Exchange(&slots[at], null)

            if isNull item then
                item <- pop ()

            if isNull item then
                item <- steal ()

            if not (isNull item) then
                add at 1

            item

    /// Keeps the item, or lets go of one where as many are kept as may be. The caller has the item to itself and forgets it.
    member _.Return(item: 'Item) =
        if cores = 0 then
            add 0 2
            add 0 3
        else
            let at = slot ()
            add at 2
            let previous = Atomic.Exchange(&slots[at], item)

            if not (isNull previous) && not (push previous) then
                add at 3

    override _.Name = typeof<'Item>.Name

    override pool.Figures =
        let total which =
            let mutable sum = 0L

            for core in 0 .. max 1 cores - 1 do
                sum <- sum + counts[core * 16 + which]

            sum

        PoolFigures(total 0, total 1, total 2, total 3, int64 pool.Count * int64 itemBytes)

    override _.Trim(now: int64) =
        // a finalizer must not wait for whoever is in there; the next collection comes
        if now - trimmedAt >= idle && Monitor.TryEnter gate then
            try
                trimmedAt <- now

                // the lowest ones have not been touched: the rest moves down
                if lowest > 0 then
                    let unused = lowest
                    Array.Copy(stack, unused, stack, 0, count - unused)
                    Array.Clear(stack, count - unused, unused)
                    count <- count - unused
                    counts[3] <- counts[3] + int64 unused

                lowest <- count

                for core in 0 .. cores - 1 do
                    let at = core * 16
                    let uses = counts[at] + counts[at + 2]

                    if uses = seen[core] && not (isNull (Atomic.Exchange(&slots[at], null))) then
                        add at 3

                    seen[core] <- uses
            finally
                Monitor.Exit gate

/// The one pool of a type of item.
[<AbstractClass; Sealed>]
type internal Overflow<'Item, 'Kind when 'Item: not struct and 'Item: null and 'Kind :> IPooledKind> =
    static let shared =
        let pool = Overflow<'Item>('Kind.Capacity, 'Kind.ItemBytes)
        Pools.Add pool
        PlaitEventSource.Shared |> ignore
        PlaitMeter.Started |> ignore
        Trimmer.Watch pool
        pool

    static member Shared = shared
