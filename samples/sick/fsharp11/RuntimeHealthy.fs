// Nothing is wrong: 200 orders a second wait half a second each in runtime-async tasks, and none of them holds a thread while it waits.
// doctor: HEALTHY
module Sick.Shipments

open System.Threading.Tasks

open Plait.RuntimeAsync

let private pack (order: int) =
    task {
        do! Task.Delay 300
        return order * 17
    }

let ship (order: int) =
    task {
        let! code = pack order
        do! Task.Delay 200
        return code
    }

let start () = Load.steady (ship >> ignore)
