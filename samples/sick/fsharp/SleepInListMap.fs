// Thread.Sleep in a function that List.map calls inside a task: a task does not make the functions that it calls asynchronous. Wait in the
// task itself, in a loop with `do! Task.Delay 100`.
// doctor: STARVED sleep
// function: Invoices.total
module Sick.Invoices

open System.Threading
open System.Threading.Tasks

let total (order: int) =
    task {
        return
            [ 1..5 ]
            |> List.map (fun item ->
                // so as not to ask the price service too often
                Thread.Sleep 100 // blamed: PLT201
                item * order)
            |> List.sum
    }

/// The loop stands in the task, so that it can wait there.
let cured (order: int) =
    task {
        let mutable sum = 0

        for item in 1..5 do
            do! Task.Delay 100
            sum <- sum + item * order

        return sum
    }

let start () =
    Load.backlog (fun order -> total order |> ignore)
