// Worlds of values boxed by the pool. Owns what must hold of them: the value is taken out once, and the object is pooled
// once.
module Plait.Explorer.Boxes

open System
open System.Collections.Generic

open Plait
open Plait.Kernel
open Plait.Explorer.Worlds

/// Threads that take the value out of one box.
let unboxed (threads: int) () : World =
    let pool = SharedPool<ValueHolder<int>, ObjectPoolSettings<int>>.Shared
    let boxed = Pool.Box 7
    let mutable taken = 0
    let mutable refused = 0

    let unbox () =
        try
            must (Pool.UnboxAndReturn<int> boxed = 7) "Another value was in the box."
            taken <- taken + 1
        with :? InvalidOperationException ->
            refused <- refused + 1

    let check () =
        must (taken = 1 && refused = threads - 1) $"{taken} had the value, {refused} were refused."

        let kept = List<obj>()
        let mutable item = pool.Rent()

        while not (isNull item) do
            kept.Add item
            item <- pool.Rent()

        must (HashSet<obj>(kept, HashIdentity.Reference).Count = kept.Count) "A box is in the pool twice."

    {
        Threads = [| for _ in 1..threads -> atHome unbox |]
        Core = id
        HasPool = false
        Check = check
    }
