// GetAwaiter().GetResult() on a task that is not done: it holds the thread as .Result does; only its exceptions are nicer.
// Make the function a task and bind with `let!`.
// doctor: STARVED task-wait
// function: Mails.send
module Sick.Mails

open System.Runtime.CompilerServices
open System.Threading.Tasks

let private deliver (order: int) =
    task {
        do! Task.Delay 500
        return order
    }

// the compiler would move a function as small as this into its caller, and its line with it
[<MethodImpl(MethodImplOptions.NoInlining)>]
let send (order: int) =
    let receipt = (deliver order).GetAwaiter().GetResult() // blamed
    $"order {receipt} is on its way"

/// The task is bound.
let cured (order: int) =
    task {
        let! receipt = deliver order
        return $"order {receipt} is on its way"
    }

let start () = Load.backlog (send >> ignore)
