// What must be given back by the thread that took it: a lock of each kind, on some path, by a function, or around the body.
module Locks

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open System.Transactions

let onOnePath (gate: obj) (queue: Queue<int>) =
    task {
        Monitor.Enter gate // left

        if queue.Count = 0 then
            Monitor.Exit gate
            return 0
        else
            Thread.Sleep 10 // left
            Monitor.Exit gate
            return 1
    }

let onOneCase (gate: obj) (queue: Queue<int>) =
    task {
        Monitor.Enter gate // left

        match queue.Count with
        | 0 ->
            Monitor.Exit gate
            return 0
        | 1 ->
            Thread.Sleep 10 // left
            Monitor.Exit gate
            return 1
        | _ ->
            Thread.Sleep 20 // left
            Monitor.Exit gate
            return 2
    }

let perhaps (gate: obj) (isShared: bool) =
    task {
        if isShared then
            Monitor.Enter gate // left

        Thread.Sleep 10 // left

        if isShared then
            Monitor.Exit gate
    }

let inAHandler (gate: obj) (work: unit -> unit) =
    task {
        try
            Monitor.Enter gate // left
            work ()
            Monitor.Exit gate
        with _ ->
            Thread.Sleep 10 // left
            Monitor.Exit gate
    }

let tried (gate: obj) =
    task {
        if Monitor.TryEnter gate then
            Thread.Sleep 10 // left
            Monitor.Exit gate
    }

let readers (gate: ReaderWriterLockSlim) =
    task {
        if gate.TryEnterReadLock 10 then
            Thread.Sleep 10 // left
            gate.ExitReadLock()
    }

let writers (gate: ReaderWriterLockSlim) =
    task {
        if gate.TryEnterWriteLock(TimeSpan.FromSeconds 1.) then
            Thread.Sleep 10 // left
            gate.ExitWriteLock()
    }

let upgraders (gate: ReaderWriterLockSlim) =
    task {
        if gate.TryEnterUpgradeableReadLock 10 then
            Thread.Sleep 10 // left
            gate.ExitUpgradeableReadLock()
    }

let olderReaders (gate: ReaderWriterLock) =
    task {
        gate.AcquireReaderLock 100 // left
        Thread.Sleep 10 // left
        gate.ReleaseReaderLock()
    }

let olderWriters (gate: ReaderWriterLock) =
    task {
        gate.AcquireWriterLock 100 // left
        Thread.Sleep 10 // left
        gate.ReleaseWriterLock()
    }

let newer (gate: Lock) =
    task {
        if gate.TryEnter() then
            Thread.Sleep 10 // left
            gate.Exit()
    }

let spinning () =
    task {
        let mutable gate = SpinLock()
        let mutable isTaken = false
        gate.TryEnter(&isTaken)
        Thread.Sleep 10 // left
        gate.Exit()
    }

let owned () =
    task {
        use gate = new Mutex(true, "plait-left")
        Thread.Sleep 10 // left
        gate.ReleaseMutex()
    }

let affine () =
    task {
        Thread.BeginThreadAffinity()
        Thread.Sleep 10 // left
        Thread.EndThreadAffinity()
    }

let private gate = obj ()
let private enter () = Monitor.Enter gate
let private exit () = Monitor.Exit gate

let byAFunction () =
    task {
        enter () // left
        Thread.Sleep 10 // left
        exit ()
    }

type Guard(gate: obj) =
    do Monitor.Enter gate

    interface IDisposable with
        member _.Dispose() = Monitor.Exit gate

let byAType () =
    task {
        use _ = new Guard(gate) // left
        Thread.Sleep 10 // left
        return 1
    }

let givenBackForAWhile () =
    task {
        exit ()
        Thread.Sleep 10 // left
        enter () // left
    }

// a hot body begins on the thread of its caller
let aroundABody (queue: Queue<int>) =
    lock gate (fun () ->
        task {
            Thread.Sleep 10 // left
            queue.Enqueue 1
        })

let aroundANamedBody (queue: Queue<int>) =
    Monitor.Enter gate

    let work =
        task {
            Thread.Sleep 10 // left
            queue.Enqueue 1
        }

    Monitor.Exit gate
    work

let private locked (work: unit -> Task) =
    Monitor.Enter gate

    try
        work ()
    finally
        Monitor.Exit gate

let aroundAFunction (queue: Queue<int>) =
    locked (fun () ->
        task {
            Thread.Sleep 10 // left
            queue.Enqueue 1
        })

let inATransaction (save: unit -> unit) =
    task {
        use scope = new TransactionScope()
        save ()
        Thread.Sleep 100 // left
        scope.Complete()
    }

let inANewTransaction (save: unit -> unit) =
    task {
        use scope = new TransactionScope(TransactionScopeOption.RequiresNew)
        save ()
        Thread.Sleep 100 // left
        scope.Complete()
    }

let inATransactionThatDoesNotFlow (save: unit -> unit) =
    task {
        use scope = new TransactionScope(TransactionScopeAsyncFlowOption.Suppress)
        save ()
        Thread.Sleep 100 // left
        scope.Complete()
    }

let private begun () = new TransactionScope()

let inATransactionOfAFunction (save: unit -> unit) =
    task {
        use scope = begun ()
        save ()
        Thread.Sleep 100 // left
        scope.Complete()
    }
