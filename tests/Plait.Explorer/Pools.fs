// Worlds of a pool. Owns what must hold of it: no object is handed out while somebody has it, no more are kept than may be,
// and each one that was made is held, kept or counted as let go of.
module Plait.Explorer.Pools

open System
open System.Collections.Generic

open Plait.Kernel
open Plait.Explorer.Worlds

[<Sealed; AllowNullLiteral>]
type internal Item() = class end

/// What a thread does: keep what it rents; return what it rented, or something new; trim, in an idle time or not.
type Move =
    | Rent
    | Return
    | Trim
    | TrimEarly

/// What kind of pool.
type Kind =
    {
        Bound: int
        /// How many it keeps at the beginning, for each thread that has filled it.
        Kept: int
        /// How many threads have filled it: with their caches full, where there are any.
        Filled: int
        /// Whether the last one of these was taken out of its slot.
        Emptied: bool
        /// Whether threads have caches.
        ThreadCaches: bool
        /// Whether threads have a core each, or share one.
        Cores: bool
    }

let pool (kind: Kind) (threads: Move list list) () : World =
    let later = Environment.TickCount64 + 100_000L
    let pool = SharedPool<Item>(kind.Bound, 0)

    // of the threads; the world itself puts its own things on that of the first one
    let caches =
        if kind.ThreadCaches then [| for _ in threads -> pool.ThreadCaches.Make() |] else [||]

    let mutable made = 0

    let make () =
        made <- made + 1
        Item()

    // as the library's `ThreadCachedPool`: the cache first
    let rent (me: int) : Item =
        let item = if kind.ThreadCaches then caches[me].Take() else null

        if not (isNull item) then item
        elif kind.ThreadCaches then pool.RentFor caches[me]
        else pool.Rent()

    let give (me: int) (item: Item) =
        if not kind.ThreadCaches then
            pool.Return item
        elif not (caches[me].TryPut item) then
            pool.ReturnFrom(caches[me], item)

    let drain () =
        [
            for me in 0 .. threads.Length - 1 do
                let mutable item = rent me

                while not (isNull item) do
                    item
                    item <- rent me
        ]

    for me in 0 .. kind.Filled - 1 do
        for _ in 1 .. kind.Kept do
            give me (make ())

    let held = List<Item>()

    if kind.Emptied then
        held.Add(rent 0)

    // so that the next trim finds all of it unused
    pool.Trim later

    let body (me: int) (moves: Move list) () =
        let mine = Stack<Item>()

        for move in moves do
            match move with
            | Rent ->
                match rent me with
                | null -> ()
                | item -> mine.Push item
            | Return -> give me (if mine.Count > 0 then mine.Pop() else make ())
            | Trim -> pool.Trim(later + 100_000L)
            | TrimEarly -> pool.Trim(later + 1L)

        held.AddRange mine

    let check () =
        must (pool.Count <= kind.Bound) "More is kept than may be."
        let figures = pool.Statistics
        let inPool = drain ()
        held.AddRange inPool

        must
            (HashSet<obj>(Seq.cast<obj> held, HashIdentity.Reference).Count = held.Count)
            "An object was handed out twice."

        // an item that is taken from a cache while that is trimmed is counted as let go of too
        let trimsCaches = kind.ThreadCaches && List.exists (List.contains Trim) threads
        let accounted = held.Count + int figures.Dropped

        must
            (accounted = made || (trimsCaches && accounted = made + 1))
            $"{made} were made, {held.Count} are there, {figures.Dropped} were let go of."

        must
            (trimsCaches || figures.Returns - figures.Hits - figures.Dropped = int64 inPool.Length)
            "The figures contradict each other."

    {
        Threads = [| for me, moves in List.indexed threads -> atHome (body me moves) |]
        Core = (if kind.Cores then id else (fun _ -> 0))
        HasPool = false
        Check = check
    }
