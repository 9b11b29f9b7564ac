// A lock that is held while something slow is called: the others queue up behind it, each with a thread of the pool. More
// threads do not help, as only one gets on. Do the slow part before the lock, or take a SemaphoreSlim with `WaitAsync`.
// doctor: STARVED sleep
// function: Journal.append
module Sick.Journal

open System.Runtime.CompilerServices
open System.Threading

let private gate = obj ()
let mutable private lines = 0

// the compiler would move a function as small as this into its caller; the body of the lock has the line of the lock in optimised code
[<MethodImpl(MethodImplOptions.NoInlining)>]
let append (order: int) =
    lock gate (fun () -> // blamed
        // the line goes to another machine before the next one may be written
        Thread.Sleep 100
        lines <- lines + order % 2)

let start () =
    // many slow services set this
    ThreadPool.SetMinThreads(12, 12) |> ignore
    Load.backlog append
