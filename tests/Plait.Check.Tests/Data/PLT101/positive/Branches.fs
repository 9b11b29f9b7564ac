// Uses before, in and behind branches.
module PLT101.Positive.Branches

open System.Threading.Tasks
open Support.Jobs
open Plait

let beforeAndInABranch (verbose: bool) =
    task {
        let reading = fetch "a"
        let! first = reading

        if verbose then
            let! again = reading // PLT101 warning
            printfn $"{again}"

        return first
    }

let inABranchAndBehind (eager: bool) =
    task {
        let reading = fetch "a"

        if eager then
            let! early = reading
            printfn $"{early}"

        let! total = reading // PLT101 info
        return total
    }

let inBothBranchesAndBehind (eager: bool) =
    task {
        let flushing = flush "a"

        if eager then
            do! flushing
        else
            do! flushing.ConfigureAwait false

        do! flushing // PLT101 warning
    }

let throughElse (key: string) =
    valueTask {
        let reading = fetch key
        let mutable length = 0

        if key = "" then
            length <- 1
        else
            let! read = reading
            length <- read

        let! last = reading // PLT101 info
        return last + length
    }

let inTwoArms (mode: int) =
    task {
        let reading = fetch "a"

        match mode with
        | 0 ->
            let! one = reading
            printfn $"{one}"
        | 1 -> printfn "nothing"
        | _ ->
            let! many = reading
            printfn $"{many}"

        return! reading // PLT101 info
    }

let inScrutineeAndArm () =
    task {
        let reading = fetch "a"

        match! reading with
        | 0 -> return 0
        | _ ->
            let! again = reading // PLT101 warning
            return again
    }

let inGuardAndArm (limit: int) (reading: ValueTask<int>) =
    let asTask (value: ValueTask<int>) = value.AsTask()

    match limit with
    | n when (asTask reading).IsCompleted -> reading.AsTask() // PLT101 warning
    | _ -> Task.FromResult 0

let (|Ready|Waiting|) (reading: ValueTask<int>) =
    let job = reading.AsTask()
    if job.IsCompleted then Ready else Waiting job

let afterAnActivePattern (reading: ValueTask<int>) =
    match reading with
    | Ready -> reading.AsTask() // PLT101 warning
    | Waiting job -> job

let nestedConditions (a: bool) (b: bool) =
    strand {
        let work = spun "a"

        if a then
            if b then
                let! inner = work
                printfn $"{inner}"

        let! outer = work // PLT101 info
        return outer
    }
