// Values that may be used many times: tasks, what Preserve and AsTask give, and Async.
module PLT101.Negative.ManyTimes

open System.Threading.Tasks
open Support.Jobs
open Plait

let taskTwice () =
    task {
        let counting = count "a"
        let! first = counting
        printfn $"{first}"
        let! second = counting
        return first + second
    }

let asTask () =
    task {
        let job = (fetch "a").AsTask()
        let! first = job
        let label = $"{first}"
        let! second = job
        return label, second
    }

let preserved () =
    task {
        let reading = (fetch "a").Preserve()
        let! first = reading
        printfn $"{first}"
        let! second = reading
        return first + second
    }

let preservedByName () =
    valueTask {
        let once = fetch "a"
        let many = once.Preserve()
        let! first = many
        printfn $"{first}"
        let! second = many
        return first + second
    }

let strandAsTask () =
    task {
        let job = (spun "a").AsTask()
        let! first = job
        printfn $"{first}"
        let! second = job
        return first + second
    }

let asyncTwice () =
    async {
        let work = later "a"
        let! first = work
        printfn $"{first}"
        let! second = work
        return first + second
    }

let peeked () =
    task {
        let reading = fetch "a"
        printfn $"done: {reading.IsCompleted}, failed: {reading.IsFaulted}, cancelled: {reading.IsCanceled}"
        let! value = reading
        return value + 1
    }

let peekedStrand () =
    strand {
        let work = spun "a"
        let ready = work.IsCompletedSuccessfully
        let! value = work
        return ready, value
    }

let functionOfAValue () =
    task {
        let fetchAll = fun () -> fetch "a"
        let! first = fetchAll ()
        printfn $"{first}"
        let! second = fetchAll ()
        return first + second
    }

let sharedByAFunctionOfTheResult () : unit -> Task<int> =
    let shared = (fetch "a").AsTask()
    fun () -> shared

let byAFunctionThatRunsOnce () =
    let reading = fetch "a"
    let start = fun () -> reading.AsTask()
    start ()
