// Layer: frames. The place for one item that each thread keeps in front of the shared part of a pool, its count beside it.
// Owns the rule that only its thread puts items on a shelf and takes them; a trimmer may clear it, which loses an item at
// most and never hands one out twice.
namespace Plait.Kernel

#nowarn "3261" // null is a state here: an empty place

open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Threading
open FSharp.Core // its DefaultValue, not the one above

/// A thread's place for one item. The counts are plain: one thread writes each, whoever sums them reads.
[<Sealed; AllowNullLiteral>]
type internal Shelf<'Item when 'Item: not struct and 'Item: null>() =
    [<DefaultValue(false)>]
    val mutable private item: 'Item

    [<DefaultValue(false)>]
    val mutable private taken: int64

    // the trimmer's: what it has cleared; the count it saw the last time, and whether an item was there
    [<DefaultValue(false)>]
    val mutable private cleared: int64

    [<DefaultValue(false)>]
    val mutable private seen: int64

    [<DefaultValue(false)>]
    val mutable private wasFull: bool

    /// How many items were taken from here.
    member shelf.Taken = shelf.taken

    /// How many items were cleared away unused.
    member shelf.Cleared = shelf.cleared

    /// Whether an item is here now.
    member shelf.IsFull = not (isNull (Atomic.ReadItem &shelf.item))

    /// The item, or null where there is none.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    member shelf.Take() : 'Item =
        let item = Atomic.ReadItem &shelf.item

        if not (isNull item) then
            Atomic.WriteItem(&shelf.item, null)
            shelf.taken <- shelf.taken + 1L

        item

    /// False: one is here already.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    member shelf.TryPut(item: 'Item) : bool =
        let free = isNull (Atomic.ReadItem &shelf.item)

        if free then
            Atomic.WriteItem(&shelf.item, item)

        free

    /// Lets go of the item if it has lain here since the last call. Not by two threads at the same time.
    member shelf.Trim() =
        let full = shelf.IsFull

        if full && shelf.wasFull && shelf.taken = shelf.seen then
            Atomic.WriteItem(&shelf.item, null)
            shelf.cleared <- shelf.cleared + 1L

        shelf.wasFull <- full
        shelf.seen <- shelf.taken

/// The shelves of all threads, for whoever counts or trims. Of a thread that has ended the counts stay.
[<Sealed>]
type internal Shelves<'Item when 'Item: not struct and 'Item: null>() =
    let all = List<struct (Thread * Shelf<'Item>)>()
    let mutable sweepAt = 64

    // of threads that have ended
    let mutable takenBefore = 0L
    let mutable clearedBefore = 0L

    // their items are let go of
    let sweep () =
        all.RemoveAll(fun (struct (thread, shelf)) ->
            let ended = not thread.IsAlive

            if ended then
                takenBefore <- takenBefore + shelf.Taken
                clearedBefore <- clearedBefore + shelf.Cleared + (if shelf.IsFull then 1L else 0L)

            ended)
        |> ignore

    /// A shelf for the calling thread, which keeps it for good.
    member _.Make() : Shelf<'Item> =
        let shelf = Shelf<'Item>()

        lock all (fun () ->
            if all.Count >= sweepAt then
                sweep ()
                sweepAt <- max 64 (2 * all.Count)

            all.Add(struct (Thread.CurrentThread, shelf)))

        shelf

    /// Items taken from shelves, items cleared away, and items that are there now.
    member _.Sum() : struct (int64 * int64 * int64) =
        lock all (fun () ->
            let mutable taken = takenBefore
            let mutable cleared = clearedBefore
            let mutable kept = 0L

            for struct (_, shelf) in all do
                taken <- taken + shelf.Taken
                cleared <- cleared + shelf.Cleared

                if shelf.IsFull then
                    kept <- kept + 1L

            struct (taken, cleared, kept))

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
