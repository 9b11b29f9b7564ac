// Where no lock is held any more, or what is held does not belong to the thread, a wait is awaited.
module Locks

open System.Threading
open System.Transactions

let private gate = obj ()
let private enter () = Monitor.Enter gate
let private exit () = Monitor.Exit gate

let givenBack () =
    task {
        Monitor.Enter gate // left
        Monitor.Exit gate
        Thread.Sleep 10
    }

let givenBackByAFunction (work: unit -> unit) =
    task {
        enter () // left

        try
            work ()
        finally
            exit ()

        Thread.Sleep 10
    }

let givenBackOnEachPath (isEmpty: bool) =
    task {
        Monitor.Enter gate // left

        if isEmpty then
            Monitor.Exit gate
        else
            Monitor.Exit gate
            Thread.Sleep 10

        Thread.Sleep 10
    }

let behindALock (work: unit -> unit) =
    task {
        lock gate work
        lock gate (fun () -> work ())
        Thread.Sleep 10
    }

let notOwned () =
    task {
        use gate = new Mutex(false, "plait-mended")
        Thread.Sleep 10
        return gate.SafeWaitHandle.IsClosed
    }

let notOwnedByDefault () =
    task {
        use gate = new Mutex()
        Thread.Sleep 10
        return gate.SafeWaitHandle.IsClosed
    }

let behindAnOwnedOne () =
    task {
        let gate = new Mutex(true)
        gate.ReleaseMutex()
        Thread.Sleep 10
    }

let inATransactionThatFlows (save: unit -> unit) =
    task {
        use scope = new TransactionScope(TransactionScopeAsyncFlowOption.Enabled)
        save ()
        Thread.Sleep 10
        scope.Complete()
    }

let inANewTransactionThatFlows (save: unit -> unit) =
    task {
        use scope =
            new TransactionScope(TransactionScopeOption.RequiresNew, TransactionScopeAsyncFlowOption.Enabled)

        save ()
        Thread.Sleep 10
        scope.Complete()
    }

let behindATransaction (save: unit -> unit) =
    task {
        if true then
            use scope = new TransactionScope()
            save ()
            scope.Complete()

        Thread.Sleep 10
    }

// it begins when nothing is held any more
let later () =
    Monitor.Enter gate
    let work () = task { Thread.Sleep 10 }
    Monitor.Exit gate
    work ()
