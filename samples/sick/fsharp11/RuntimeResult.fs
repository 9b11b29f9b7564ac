// .Result within a runtime-async task, three calls below the one that the order came to: nothing has suspended yet, so that all three
// stand on the stack. Bind it with `let!`.
// doctor: STARVED task-wait
// function: Orders.discount
module Sick.Orders

open System.Threading.Tasks

open Plait.RuntimeAsync

let private customer (order: int) =
    task {
        do! Task.Delay 500
        return order % 10
    }

let discount (order: int) =
    task { // blamed in Release
        let customer = (customer order).Result // blamed in Debug
        return if customer = 0 then 10 else 0
    }

let price (order: int) =
    valueTask {
        let! discount = discount order
        return 100 - discount
    }

let total (order: int) =
    task {
        let! price = price order
        return price + 1
    }

let start () =
    Load.backlog (fun order -> (total order).Wait())
