// Async.RunSynchronously in a handler: the thread waits until another thread of the pool has run the end of the computation,
// and the others wait likewise. Return the async, or a task, and bind it with `let!`.
// doctor: STARVED run-synchronously
// function: Prices.quote
module Sick.Prices

open System.Runtime.CompilerServices

let private rateOf (currency: string) =
    async {
        do! Async.Sleep 500
        return if currency = "EUR" then 1.08 else 1.0
    }

// the compiler would move a function as small as this into its caller, and its line with it
[<MethodImpl(MethodImplOptions.NoInlining)>]
let quote (order: int) =
    let rate = rateOf "EUR" |> Async.RunSynchronously // blamed
    if rate > 1.0 then float order * rate else float order

/// Asynchronous as far as it is called.
let cured (order: int) =
    async {
        let! rate = rateOf "EUR"
        return float order * rate
    }

let start () = Load.backlog (quote >> ignore)
