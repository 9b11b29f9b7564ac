// A value from outside of a loop, used inside of it.
module PLT101.Positive.Loops

open System.Collections.Generic
open System.Threading.Tasks
open Support.Jobs
open Plait

let inFor (keys: string list) =
    task {
        let reading = fetch "limit"

        for key in keys do
            let! limit = reading // PLT101 warning
            printfn $"{key}: {limit}"
    }

let inRange () =
    backgroundTask {
        let flushing = flush "a"

        for _ in 1..3 do
            do! flushing // PLT101 warning
    }

let inWhile (queue: Queue<string>) =
    valueTask {
        let reading = fetch "limit"

        while queue.Count > 0 do
            let! limit = reading // PLT101 warning
            printfn $"{queue.Dequeue()} of {limit}"
    }

let inStrandLoop (keys: string[]) =
    strand {
        let work = spun "limit"
        let mutable sum = 0

        for key in keys do
            let! limit = work // PLT101 warning
            sum <- sum + limit + key.Length

        return sum
    }

let inPlainLoop (jobs: List<Task<int>>) =
    let reading = fetch "a"

    for _ in 1..3 do
        jobs.Add(reading.AsTask()) // PLT101 warning

let onSomeRounds (keys: string list) =
    task {
        let reading = fetch "limit"
        let mutable known = 0

        for key in keys do
            if key.StartsWith "x" then
                let! limit = reading // PLT101 info
                known <- limit

        return known
    }

let moveNextTwice (items: IAsyncEnumerator<int>) =
    task {
        let moving = items.MoveNextAsync()
        let! any = moving

        if any then
            let! more = moving // PLT101 warning
            printfn $"{more}"
    }

/// Right, but to see it one must know when the loop ends.
let readAhead (keys: string list) =
    task {
        let mutable reading = fetch "first"
        let mutable sum = 0

        for key in keys do
            let! value = reading // PLT101 info
            sum <- sum + value

            if key <> "last" then
                reading <- fetch key

        return sum
    }
