// One use after the other, on the only path.
module PLT101.Positive.StraightOn

open System.Threading.Tasks
open Support.Jobs
open Plait
open Ply

let boundTwice () =
    task {
        let reading = fetch "a"
        let! first = reading
        let! second = reading // PLT101 warning
        return first + second
    }

let unitBoundTwice () =
    task {
        let flushing = flush "a"
        do! flushing
        do! flushing // PLT101 warning
    }

let parameterBoundTwice (reading: ValueTask<int>) =
    task {
        let! first = reading
        let! second = reading // PLT101 warning
        return first - second
    }

let boundThenReturned () =
    task {
        let reading = fetch "a"
        let! first = reading
        printfn $"first: {first}"
        return! reading // PLT101 warning
    }

let bothInOneAnd () =
    task {
        let reading = fetch "a"

        let! first = reading
        and! second = reading // PLT101 warning

        return first * second
    }

let resultAfterAwait () =
    task {
        let reading = fetch "a"
        let! first = reading
        return first + reading.Result // PLT101 warning
    }

let awaiterAfterAwait () =
    task {
        let flushing = flush "a"
        do! flushing
        flushing.GetAwaiter().GetResult() // PLT101 warning
    }

let taskTwice () =
    let reading = fetch "a"
    let first = reading.AsTask()
    let second = reading.AsTask() // PLT101 warning
    Task.WhenAll(first, second)

let configuredTwice () =
    task {
        let reading = (fetch "a").ConfigureAwait false
        let! first = reading
        let! second = reading // PLT101 warning
        return first + second
    }

let configuredAndPlain () =
    task {
        let reading = fetch "a"
        let! first = reading.ConfigureAwait false
        let! second = reading // PLT101 warning
        return first + second
    }

let strandTwice () =
    strand {
        let work = spun "a"
        let! first = work
        let! second = work // PLT101 warning
        return first + second
    }

let strandInTask () =
    task {
        let work = spun "a"
        let! first = work
        let! second = work.AsTask() // PLT101 warning
        return first + second
    }

let pooledTwice () =
    let reading =
        pooledValueTask {
            let! length = count "a"
            return length
        }

    valueTask {
        let! first = reading
        let! second = reading // PLT101 warning
        return first + second
    }

let plyTwice () =
    uply {
        let reading = uply { return 1 }
        let! first = reading
        let! second = reading // PLT101 warning
        return first + second
    }

let markedTypeTwice () =
    task {
        let ticket = Ticket 7
        let! first = ticket
        let! second = ticket // PLT101 warning
        return first + second
    }
