// A value that a function uses or leaves, as its result says.
module PLT101.Negative.Patterns

open System.Threading.Tasks
open Support.Jobs
open Plait

let private (|Ready|_|) (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then Some reading.Result else None

[<return: Struct>]
let private (|ReadyNow|_|) (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then ValueSome reading.Result else ValueNone

let private tryRead (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then ValueSome reading.Result else ValueNone

let private tryReadInto (reading: ValueTask<int>, number: byref<int>) =
    if reading.IsCompletedSuccessfully then
        number <- reading.Result
        true
    else
        false

type private Answer =
    | Given of int
    | Awaited

let private ask (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then Given reading.Result else Awaited

let byAPattern (reading: ValueTask<int>) =
    strand {
        match reading with
        | Ready number -> return number
        | ReadyNow number -> return number
        | other -> return! other
    }

let byAFunction (reading: ValueTask<int>) =
    task {
        match tryRead reading with
        | ValueSome number -> return number
        | ValueNone -> return! reading
    }

let byAProperty (reading: ValueTask<int>) =
    task {
        let read = tryRead reading
        if read.IsSome then return read.Value else return! reading
    }

let byATruth (reading: ValueTask<int>) =
    let mutable number = 0
    if tryReadInto (reading, &number) then Task.FromResult number else reading.AsTask()

let byAUnion (reading: ValueTask<int>) =
    task {
        match ask reading with
        | Given number -> return number
        | Awaited -> return! reading
    }

let byAVariable (reading: ValueTask<int>) (isEarly: bool) =
    task {
        let! early =
            task {
                if isEarly then
                    let! number = reading
                    return Some number
                else
                    return None
            }

        match early with
        | Some number -> return number
        | None -> return 0
    }

let private (|ByAVariable|_|) (reading: ValueTask<int>) =
    let mutable found = None

    if reading.IsCompletedSuccessfully then
        found <- Some reading.Result

    found

let byAPatternThatSetsAVariable (reading: ValueTask<int>) =
    task {
        match reading with
        | ByAVariable number -> return number
        | other -> return! other
    }

let rec private (|After|_|) (turns: int) (reading: ValueTask<int>) : int option =
    if turns > 0 then (|After|_|) (turns - 1) reading
    elif reading.IsCompletedSuccessfully then Some reading.Result
    else None

let byARecursivePattern (reading: ValueTask<int>) =
    task {
        match reading with
        | After 3 number -> return number
        | other -> return! other
    }
