// Layer: frames. The few items that each thread keeps in front of the shared part of a pool, their count beside them. Owns
// the rule that only its thread puts items on a shelf and takes them; a trimmer may clear it, which loses an item at most
// and never hands one out twice.
namespace Plait.Kernel

#nowarn "3261" // null is a state here: an empty place

open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open FSharp.Core // its DefaultValue, not the one above

/// Room for one item: an array of these is written without a look at the item's type.
[<Struct; NoEquality; NoComparison>]
type internal Room<'Item when 'Item: not struct and 'Item: null> =
    [<DefaultValue(false)>]
    val mutable Item: 'Item

/// A thread's places: one in front, which is all that most threads ever use, and a few behind it, so that the shared part
/// is asked for many items at once. The counts are plain: one thread writes each, whoever sums them reads.
[<Sealed; AllowNullLiteral>]
type internal Shelf<'Item when 'Item: not struct and 'Item: null>(room: int) =
    [<DefaultValue(false)>]
    val mutable private item: 'Item

    [<DefaultValue(false)>]
    val mutable private taken: int64

    // null until two items are here; the first `filled` may hold one
    [<DefaultValue(false)>]
    val mutable private rooms: Room<'Item>[]

    [<DefaultValue(false)>]
    val mutable private filled: int

    // what has gone to the shared part, less what has come from there
    [<DefaultValue(false)>]
    val mutable private moved: int64

    // the trimmer's: what it has cleared; the count it saw the last time, and whether an item was there
    [<DefaultValue(false)>]
    val mutable private cleared: int64

    [<DefaultValue(false)>]
    val mutable private seen: int64

    [<DefaultValue(false)>]
    val mutable private wasKept: bool

    /// How many items were taken from here.
    member shelf.Taken = shelf.taken

    /// How many items were cleared away unused.
    member shelf.Cleared = shelf.cleared

    /// How many more items have gone from here to the shared part than have come from there.
    member shelf.Moved = shelf.moved

    /// How many items are here now.
    member shelf.Count =
        let mutable kept = if isNull (Atomic.ReadItem &shelf.item) then 0 else 1
        let rooms = shelf.rooms

        if not (isNull rooms) then
            for at in 0 .. rooms.Length - 1 do
                if not (isNull (Atomic.ReadItem &rooms[at].Item)) then
                    kept <- kept + 1

        kept

    /// An item, or null where there is none.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    member shelf.Take() : 'Item =
        let item = Atomic.ReadItem &shelf.item

        if isNull item then
            shelf.TakeBehind()
        else
            Atomic.WriteItem(&shelf.item, null)
            shelf.taken <- shelf.taken + 1L
            item

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member private shelf.TakeBehind() : 'Item =
        let mutable item: 'Item = null

        // a place that the trimmer has cleared is empty
        while isNull item && shelf.filled > 0 do
            item <- shelf.Unfill()

        if not (isNull item) then
            shelf.taken <- shelf.taken + 1L

        item

    member private shelf.Unfill() : 'Item =
        let at = shelf.filled - 1
        shelf.filled <- at
        let item = Atomic.ReadItem &shelf.rooms[at].Item
        Atomic.WriteItem(&shelf.rooms[at].Item, null)
        item

    /// False: there is no room.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    member shelf.TryPut(item: 'Item) : bool =
        if isNull (Atomic.ReadItem &shelf.item) then
            Atomic.WriteItem(&shelf.item, item)
            true
        else
            shelf.TryPutBehind item

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    member private shelf.TryPutBehind(item: 'Item) : bool =
        if isNull shelf.rooms && room > 0 then
            shelf.rooms <- Array.zeroCreate room

        let fits = shelf.filled < room

        if fits then
            Atomic.WriteItem(&shelf.rooms[shelf.filled].Item, item)
            shelf.filled <- shelf.filled + 1

        fits

    /// Takes half of what is behind, to make room. The number of items that were there.
    member shelf.Spill(into: 'Item[]) : int =
        let mutable number = 0

        while number < into.Length && shelf.filled > 0 do
            let item = shelf.Unfill()

            if not (isNull item) then
                into[number] <- item
                number <- number + 1

        shelf.moved <- shelf.moved + int64 number
        number

    /// Keeps the first items of an array, which has no more than there is room for behind.
    member shelf.Refill(items: 'Item[], number: int) =
        for at in 0 .. number - 1 do
            shelf.TryPutBehind items[at] |> ignore

        shelf.moved <- shelf.moved - int64 number

    /// Lets go of the items if none was taken since the last call. Not by two threads at the same time.
    member shelf.Trim() =
        let kept = shelf.Count

        if kept > 0 && shelf.wasKept && shelf.taken = shelf.seen then
            Atomic.WriteItem(&shelf.item, null)
            let rooms = shelf.rooms

            if not (isNull rooms) then
                for at in 0 .. rooms.Length - 1 do
                    Atomic.WriteItem(&rooms[at].Item, null)

            shelf.cleared <- shelf.cleared + int64 kept

        shelf.wasKept <- kept > 0
        shelf.seen <- shelf.taken

/// The shelves of all threads, for whoever counts or trims. Of a thread that has ended the counts stay.
[<Sealed>]
type internal Shelves<'Item when 'Item: not struct and 'Item: null>(room: int) =
    let all = List<struct (Thread * Shelf<'Item>)>()
    let mutable sweepAt = 64

    // of threads that have ended
    let mutable takenBefore = 0L
    let mutable clearedBefore = 0L
    let mutable movedBefore = 0L

    // their items are let go of
    let sweep () =
        all.RemoveAll(fun (struct (thread, shelf)) ->
            let ended = not thread.IsAlive

            if ended then
                takenBefore <- takenBefore + shelf.Taken
                clearedBefore <- clearedBefore + shelf.Cleared + int64 shelf.Count
                movedBefore <- movedBefore + shelf.Moved

            ended)
        |> ignore

    /// A shelf for the calling thread, which keeps it for good.
    member _.Make() : Shelf<'Item> =
        let shelf = Shelf<'Item>(room)

        lock all (fun () ->
            if all.Count >= sweepAt then
                sweep ()
                sweepAt <- max 64 (2 * all.Count)

            all.Add(struct (Thread.CurrentThread, shelf)))

        shelf

    /// Items taken from shelves, items cleared away, items that have moved to the shared part (less those that came from
    /// there), and items that are there now.
    member _.Sum() : struct (int64 * int64 * int64 * int64) =
        lock all (fun () ->
            let mutable taken = takenBefore
            let mutable cleared = clearedBefore
            let mutable moved = movedBefore
            let mutable kept = 0L

            for struct (_, shelf) in all do
                taken <- taken + shelf.Taken
                cleared <- cleared + shelf.Cleared

                moved <- moved + shelf.Moved
                kept <- kept + int64 shelf.Count

            struct (taken, cleared, moved, kept))

    /// Lets go of the items of ended threads; where `idle`, also of those that have not been used since the last such call.
    /// Never waits: whoever is in there now keeps this from happening.
    member _.Trim(idle: bool) =
        if Monitor.TryEnter all then
            try
                sweep ()

                if idle then
                    for struct (_, shelf) in all do
                        shelf.Trim()
            finally
                Monitor.Exit all
