// Calls that block, where an await would not be the same: what is raised differs, a body that is cancelled would end at it, or the
// thread matters.
module Blocking

open System
open System.Threading
open System.Threading.Tasks

let load (n: int) : Task<int> = task { return n }
let save (_: int) : Task = Task.CompletedTask
let later n = async { return n + 1 }

// whoever handles it sees an AggregateException, and would see what is inside of it
let wrapped () =
    task {
        let x = (load 3).Result // left
        (save 3).Wait() // left

        match (load 6).Result with // left
        | 1 -> return x
        | _ -> return (load 7).Result // left
    }

let handled () =
    task {
        try
            let x = (load 3).Result // left
            return x
        with error ->
            return error.InnerException.Message.Length
    }

// an `async` ends at an await when it is cancelled
let inAsync (commit: unit -> unit) =
    async {
        commit ()
        Thread.Sleep 500 // left
        commit ()
        let x = Async.RunSynchronously(later 3) // left
        let y = (load 3).Result // left
        let z = (load 4).GetAwaiter().GetResult() // left
        return x + y + z
    }

// the rest would leave the context
let configured () =
    task {
        let x = (load 3).ConfigureAwait(false).GetAwaiter().GetResult() // left
        return x
    }

let withALimit (token: CancellationToken) =
    task {
        let x = Async.RunSynchronously(later 3, 100) // left
        let y = Async.RunSynchronously(later 3, cancellationToken = token) // left
        let isThere = (load 3).Wait 100 // left
        return if isThere then x + y else 0
    }

// a lock is given back by the thread that took it
let withALock (gate: obj) =
    task {
        Monitor.Enter gate // left

        try
            Thread.Sleep 3 // left
        finally
            Monitor.Exit gate

        return 1
    }

let withAMutex (gate: Mutex) =
    task {
        gate.WaitOne() |> ignore // left
        Thread.Sleep 3 // left
        gate.ReleaseMutex()
        return 1
    }
