// Functions that take a lock and give it back: their callers wait as long as at a `lock`.
module PLT202.Negative.Locks

open System
open System.Threading
open Support.Jobs

type Counter() =
    let gate = obj ()
    let shared = new ReaderWriterLockSlim()
    let mutable count = 0

    member _.Add(number: int) =
        Monitor.Enter gate

        try
            count <- count + number
        finally
            Monitor.Exit gate

    member _.Count =
        let mutable isTaken = false

        try
            Monitor.Enter(gate, &isTaken)
            count
        finally
            if isTaken then
                Monitor.Exit gate

    member _.Shared =
        shared.EnterReadLock()

        try
            count
        finally
            shared.ExitReadLock()

    member counter.Twice() =
        counter.Add 1
        counter.Count

let ofMembers (counter: Counter) =
    task {
        counter.Add 1
        return counter.Count + counter.Shared + counter.Twice()
    }

let private locked (gate: obj) (work: unit -> int) =
    Monitor.Enter gate

    try
        work ()
    finally
        Monitor.Exit gate

let ofAFunction (gate: obj) = task { return locked gate (fun () -> 1) }

let aLocalFunction (gate: obj) =
    let next number =
        Monitor.Enter gate

        try
            number + 1
        finally
            Monitor.Exit gate

    async { return next 1 }

type Numbers = { Next: int -> int }

let private numbers (gate: obj) =
    {
        Next =
            fun number ->
                Monitor.Enter gate

                try
                    number + 1
                finally
                    Monitor.Exit gate
    }

let ofARecord (gate: obj) =
    task {
        let numbers = numbers gate
        return numbers.Next 1
    }
