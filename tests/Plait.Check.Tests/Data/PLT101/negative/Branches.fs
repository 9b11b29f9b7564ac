// One use on every path.
module PLT101.Negative.Branches

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let exclusive (fast: bool) =
    task {
        let reading = fetch "a"

        if fast then
            let! quick = reading
            return quick + 1
        else
            let! slow = reading
            return slow * 2
    }

let exclusiveArms (mode: int) =
    valueTask {
        let reading = fetch "a"

        match mode with
        | 0 ->
            let! n = reading
            return n
        | n when n < 0 -> return! reading
        | _ ->
            let! n = reading.ConfigureAwait false
            return n + mode
    }

let guardedResult () =
    task {
        let reading = fetch "a"

        if reading.IsCompletedSuccessfully then
            return reading.Result
        else
            let! slow = reading
            return slow + 1
    }

let guardedTheOtherWay () =
    task {
        let flushing = flush "a"

        if not flushing.IsCompletedSuccessfully then
            do! flushing
        else
            flushing.GetAwaiter().GetResult()

        return 1
    }

let guardedOutsideOfABlock (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then
        Task.FromResult reading.Result
    else
        reading.AsTask()

let raisedOnOnePath (limit: int) =
    task {
        let reading = fetch "a"

        if limit < 0 then
            let! consumed = reading
            raise (ArgumentException $"{consumed} > {limit}")

        let! value = reading
        return value + 1
    }

let returnedEarly (reading: ValueTask<int>) (wanted: bool) =
    if wanted then
        reading.AsTask()
    else
        match reading with
        | r when r.IsCompletedSuccessfully -> Task.FromResult r.Result
        | r -> r.AsTask()

let failedInTheMiddle (mode: string) =
    strand {
        let work = spun "a"

        match mode with
        | "sum" ->
            let! n = work
            return n
        | "count" ->
            let! _ = work
            return 1
        | other -> return failwith $"unknown mode {other}"
    }

let decidedOnce (verbose: bool) =
    backgroundTask {
        let reading = fetch "a"
        let! value = reading

        if verbose then
            printfn $"{value}"

        match value with
        | 0 -> return "none"
        | n -> return string (n + value)
    }

let private (|Ready|_|) (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then Some reading.Result else None

let byAPartialPattern (reading: ValueTask<int>) =
    task {
        match reading with
        | Ready number -> return number
        | other -> return! other
    }

let atTheEndOfRecursion (reading: ValueTask<int>) =
    task {
        let rec go n =
            task { if n > 0 then return! go (n - 1) else return! reading }

        return! go 3
    }
