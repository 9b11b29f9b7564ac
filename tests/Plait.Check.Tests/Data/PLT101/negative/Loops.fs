// A new value each time round.
module PLT101.Negative.Loops

open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let freshInFor (keys: string list) =
    task {
        let mutable sum = 0

        for key in keys do
            let reading = fetch key
            let! n = reading
            sum <- sum + n

        return sum
    }

let freshInWhile (queue: Queue<string>) =
    valueTask {
        let mutable last = 0

        while queue.Count > 0 do
            let reading = fetch (queue.Dequeue())
            let! n = reading
            last <- n

        return last
    }

let moveNext (items: IAsyncEnumerable<int>) =
    task {
        let cursor = items.GetAsyncEnumerator(CancellationToken.None)
        let mutable sum = 0
        let! first = cursor.MoveNextAsync()
        let mutable more = first

        while more do
            sum <- sum + cursor.Current
            let! next = cursor.MoveNextAsync()
            more <- next

        do! cursor.DisposeAsync()
        return sum
    }

let assignedAgain (keys: string list) =
    let mutable reading = fetch "first"
    let jobs = List<Task<int>>()

    for key in keys do
        jobs.Add(reading.AsTask())
        reading <- fetch key

    jobs.Add(reading.AsTask())
    Task.WhenAll jobs

let madeByTheCallback (keys: string list) =
    keys |> List.map (fun key -> (fetch key).AsTask()) |> Task.WhenAll

let freshInStrands (keys: string[]) =
    strand {
        let mutable sum = 0

        for key in keys do
            let work = spun key
            let! n = work
            sum <- sum + n

        return sum
    }

let recursive () =
    let rec go (depth: int) : ValueTask<int> =
        valueTask {
            if depth = 0 then
                return 0
            else
                let rest = go (depth - 1)
                let! below = rest
                return below + 1
        }

    go 10

let usedBehindTheLoop (keys: string list) =
    task {
        let total = fetch "total"

        for key in keys do
            printfn $"{key}"

        let! value = total
        return value + 1
    }
