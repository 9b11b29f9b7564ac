// Async.RunSynchronously of a computation that does the same again: two waits one inside the other, each of which needs a
// thread to end. Bind all the way with `let!`, and run the whole once, in `main`.
// doctor: STARVED run-synchronously
// function: Carts.discount
module Sick.Carts

open System.Runtime.CompilerServices

let private customer (order: int) =
    async {
        do! Async.Sleep 500
        return order % 10
    }

// the compiler would move functions as small as these into their callers, and their lines with them
[<MethodImpl(MethodImplOptions.NoInlining)>]
let discount (order: int) =
    let customer = customer order |> Async.RunSynchronously // blamed: PLT202
    if customer = 0 then 0.1 else 0.0

[<MethodImpl(MethodImplOptions.NoInlining)>]
let total (order: int) =
    let price = async { return float order * (1.0 - discount order) }
    let total = price |> Async.RunSynchronously
    total * 1.2

/// One computation.
let cured (order: int) =
    async {
        let! customer = customer order
        return float order * (if customer = 0 then 0.9 else 1.0) * 1.2
    }

let start () = Load.backlog (total >> ignore)
