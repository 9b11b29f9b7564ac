// Names that are given again, values that are given on, and functions that only look.
module PLT101.Negative.Names

open System
open System.Threading.Tasks
open Support.Jobs
open Plait
open Ply

let shadowed () =
    task {
        let reading = fetch "a"
        let! reading = reading
        printfn $"{reading}"
        let work = fetch "b"
        let! work = work
        return reading + work
    }

let shadowedByANewOne () =
    task {
        let reading = fetch "a"
        let! first = reading
        let reading = fetch "b"
        let! second = reading
        return first + second
    }

let aliasUsedOnce () =
    task {
        let reading = fetch "a"
        let same = reading
        let! value = same
        return value + 1
    }

let assigned () =
    let mutable reading = fetch "a"
    let first = reading.AsTask()
    reading <- fetch "b"
    let second = reading.AsTask()
    Task.WhenAll(first, second)

let private toTask (reading: ValueTask<int>) = reading.AsTask()

let private isReady (reading: ValueTask<int>) = reading.IsCompleted

let private unchanged (reading: ValueTask<int>) = reading

let givenOn () =
    task {
        let reading = fetch "a"
        let! value = toTask reading
        return value + 1
    }

let lookedAt () =
    task {
        let reading = fetch "a"

        if not (isReady reading) then
            printfn "slow"

        let! value = reading
        return value + 1
    }

let passedThrough () =
    task {
        let reading = fetch "a"
        let same = unchanged reading
        let! value = same
        return value + 1
    }

let piped () = fetch "a" |> unchanged |> toTask

let onlyHandler () =
    task {
        let fallback = fetch "default"

        try
            let! value = count "a"
            let! other = fallback
            return value + other
        with :? TimeoutException ->
            return 0
    }

let inFinally () =
    task {
        let flushing = flush "a"
        let mutable sum = 0

        try
            let! n = count "a"
            sum <- n
        finally
            printfn "counted"

        do! flushing
        return sum
    }

let trySync (rows: Ply<int>) =
    uply {
        match Ply.trySync rows with
        | ValueSome n -> return n
        | ValueNone ->
            let! n = rows
            return n
    }

let tuple () =
    task {
        let reading, label = fetch "a", "label"
        let! value = reading
        return label, value
    }

let nested () =
    task {
        let reading = fetch "a"

        let! value =
            task {
                let! n = reading
                return n + 1
            }

        return value + 1
    }

let onceLocked (gate: obj) =
    let reading = fetch "a"
    lock gate (fun () -> reading.AsTask())

let (|Positive|Other|) (n: int) = if n > 0 then Positive else Other

let byActivePattern (n: int) =
    task {
        let reading = fetch "a"

        match n with
        | Positive ->
            let! value = reading
            return value + 1
        | Other ->
            let! value = reading
            return -value
    }

let merged () =
    task {
        let! first = fetch "a"
        and! second = fetch "b"
        return first + second
    }

let ticket () =
    task {
        let one = Ticket 1
        let! value = one
        return value * 2
    }
