// Thread.Sleep behind an await: the runtime has resumed the innermost of three functions, and the callers are no longer on the stack.
// Bind Task.Delay with `do!`.
// doctor: STARVED sleep
// function: Payments.charge
module Sick.Payments

open System.Threading
open System.Threading.Tasks

open Plait.RuntimeAsync

let charge (order: int) =
    task { // blamed in Release
        do! Task.Yield()
        Thread.Sleep 500 // blamed in Debug
        return order % 2
    }

let pay (order: int) =
    task {
        let! state = charge order
        return state = 0
    }

let handle (order: int) =
    taskUnit {
        let! isPaid = pay order

        if not isPaid then
            do! Task.Yield()
    }

let start () =
    Load.backlog (fun order -> handle order |> ignore)
