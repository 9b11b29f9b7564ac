// Thread.Sleep for a slow printer, in a function whose name has the characters of signatures. `do! Task.Delay` waits without a
// thread.
// doctor: STARVED sleep
// function: Labels.print (A4, [landscape])
module Sick.Labels

open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

[<MethodImpl(MethodImplOptions.NoInlining)>]
let ``print (A4, [landscape])`` (order: int) =
    Thread.Sleep 400 // blamed
    order

/// Without a thread.
let cured (order: int) =
    task {
        do! Task.Delay 400
        return order
    }

let start () =
    Load.backlog (fun order -> ``print (A4, [landscape])`` order |> ignore)
