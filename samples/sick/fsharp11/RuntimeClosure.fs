// A semaphore that is waited for in a lambda, which is a closure and an async method in one. Await WaitAsync.
// doctor: STARVED semaphore
// function: Printers.handlers
module Sick.Printers

open System.Threading
open System.Threading.Tasks

open Plait.RuntimeAsync

let private printer = new SemaphoreSlim(1)

let handlers (copies: int) : (int -> Task<int>) list =
    [
        fun order ->
            task { // blamed in Release
                printer.Wait() // blamed in Debug

                try
                    do! Task.Delay 200
                    return copies * order
                finally
                    printer.Release() |> ignore
            }
    ]

let start () =
    let print = (handlers 2).Head
    Load.backlog (fun order -> (print order).Wait())
