// Worlds of one settable source and its pool. Owns what must hold of them: one set wins, each waiter is called once, one
// consumer has the value, a handle of an earlier use does nothing, and the object is in the pool once.
module Plait.Explorer.Sources

open System
open System.Collections.Generic
open System.Threading.Tasks.Sources

open Plait.Kernel
open Plait.Explorer.Worlds

/// What a thread does to the source. `Stale...`: through a handle of the use before. `Next`: a whole operation on what the
/// pool has.
type Act =
    | Set
    | Subscribe
    | Await
    | Consume
    | StaleSet
    | StaleSubscribe
    | StaleConsume
    | Next

let private flags = ValueTaskSourceOnCompletedFlags.UseSchedulingContext

/// The value; None for an InvalidOperationException.
let private take (source: PooledSource<int>) (token: int16) =
    try
        Some((source :> IValueTaskSource<int>).GetResult token)
    with :? InvalidOperationException ->
        None

let source (threads: Act list list) () : World =
    let stock = ThreadCachedPool<SettableSource<int>, ResultPoolSettings<int>>.Stock
    let operation = SettableSource<int>.Rent()
    let stale = operation.Token
    must (operation.TryComplete(stale, 0) && take operation stale = Some 0) "The first use failed."
    must (obj.ReferenceEquals(SettableSource<int>.Rent(), operation)) "The first use did not end."
    let token = operation.Token
    let calls = List<int[]>()
    let mutable tries = 0
    let won = List<int>()
    let taken = List<int>()

    let consume () =
        take operation token |> Option.iter taken.Add

    let subscribe (token: int16) (waiter: unit -> unit) =
        let called = [| 0 |]
        calls.Add called

        operation.Subscribe(
            Action<obj>(fun _ ->
                called[0] <- called[0] + 1
                waiter ()),
            obj (),
            token,
            flags
        )

    let set () =
        tries <- tries + 1
        let mine = tries

        if operation.TryComplete(token, mine) then
            won.Add mine

    let act (what: Act) =
        match what with
        | Set -> set ()
        | Subscribe -> subscribe token ignore
        | Await -> subscribe token consume
        | Consume -> consume ()
        | StaleSet -> must (not (operation.TryComplete(stale, 99))) "A stale set won."
        | StaleSubscribe -> subscribe stale ignore
        | StaleConsume -> must (take operation stale = None) "A stale handle took a value."
        | Next ->
            let next = SettableSource<int>.Rent()
            let own = next.Token

            must
                (not (obj.ReferenceEquals(next, operation)) || own <> token)
                "An object was rented while its operation was not over."

            must (next.TryComplete(own, 50)) "A rented source was set by another."
            must (take next own = Some 50) "A rented source had the value of another."

    let check () =
        if tries = 0 then
            set ()

        if taken.Count = 0 then
            consume ()

        must (won.Count = 1) $"{won.Count} sets have won."
        must (taken.Count = 1) $"{taken.Count} consumers had a value."
        must (taken[0] = won[0]) $"{won[0]} was set and {taken[0]} taken."

        for called in calls do
            must (called[0] = 1) $"A waiter was called {called[0]} times."

        let kept = stock.All

        must
            ((kept |> List.filter (fun item -> obj.ReferenceEquals(item, operation)) |> List.length) = 1)
            "The object is not in the pool once."

        must
            (HashSet<obj>(Seq.cast<obj> kept, HashIdentity.Reference).Count = kept.Length)
            "Something is kept twice."

    {
        Threads = [| for acts in threads -> atHome (fun () -> List.iter act acts) |]
        Core = id
        HasPool = false
        Check = check
    }
