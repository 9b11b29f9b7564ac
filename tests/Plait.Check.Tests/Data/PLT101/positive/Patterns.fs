// Uses of a value that follow from the result of a function: an option, a truth value, an active pattern.
module PLT101.Positive.Patterns

open System.Threading.Tasks
open Support.Jobs
open Plait

let private (|Ready|_|) (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then Some reading.Result else None

[<return: Struct>]
let private (|ReadyNow|_|) (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then ValueSome reading.Result else ValueNone

let private (|Even|_|) (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then
        let number = reading.Result
        if number % 2 = 0 then Some number else None
    else
        None

let private tryRead (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then ValueSome reading.Result else ValueNone

let private isUsed (reading: ValueTask<int>) (jobs: ResizeArray<Task<int>>) =
    if reading.IsCompleted then
        false
    else
        jobs.Add(reading.AsTask())
        true

let whereItIsReady (reading: ValueTask<int>) =
    task {
        match reading with
        | Ready number ->
            let! again = reading // PLT101 warning
            return number + again
        | other -> return! other
    }

let whereItIsReadyNow (reading: ValueTask<int>) =
    strand {
        match reading with
        | ReadyNow number ->
            let! again = reading // PLT101 warning
            return number + again
        | other -> return! other
    }

let byTwoPatterns (reading: ValueTask<int>) =
    task {
        match reading with
        | Even number -> return number
        | other -> return! other // PLT101 info
    }

let byAFunction (reading: ValueTask<int>) =
    task {
        match tryRead reading with
        | ValueSome number ->
            let! again = reading // PLT101 warning
            return number + again
        | ValueNone -> return! reading
    }

let byATruth (reading: ValueTask<int>) (jobs: ResizeArray<Task<int>>) =
    task {
        if isUsed reading jobs then
            return! reading // PLT101 warning
        else
            return 0
    }

let usedBefore (reading: ValueTask<int>) (isEarly: bool) =
    task {
        let! first = reading

        match tryRead reading with // PLT101 warning
        | ValueSome number -> return first + number
        | ValueNone -> return! reading // PLT101 warning
    }
