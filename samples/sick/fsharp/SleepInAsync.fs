// Thread.Sleep in an async. A thousand orders hold a thread of the pool for half a second each, and the pool begins with one
// for each core. `do! Async.Sleep 500` waits without a thread: all of them take half a second.
// doctor: STARVED sleep
// function: Orders.work
module Sick.Orders

open System.Threading

let work (order: int) =
    async {
        Thread.Sleep 500 // blamed: PLT201
        return order
    }

/// Without a thread.
let cured (order: int) =
    async {
        do! Async.Sleep 500
        return order
    }

let start () =
    let next () =
        if ThreadPool.PendingWorkItemCount < 500L then
            Seq.init 1000 work |> Async.Parallel |> Async.Ignore |> Async.Start

        Thread.Sleep 100

    Load.forever "orders" next
