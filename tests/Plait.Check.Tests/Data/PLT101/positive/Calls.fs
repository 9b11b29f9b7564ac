// Uses by functions: given away, piped, and by functions of this file.
module PLT101.Positive.Calls

open System.Threading.Tasks
open Support.Jobs
open Plait

let private toTask (reading: ValueTask<int>) = reading.AsTask()

let private consumeAndAdd (reading: ValueTask<int>) (more: int) =
    task {
        let! read = reading
        return read + more
    }

let private unchanged (reading: ValueTask<int>) = reading

let pipedToAsTask () =
    task {
        let reading = fetch "a"
        let! first = reading |> toTask
        let! second = reading // PLT101 warning
        return first + second
    }

let pipedToMember () =
    let reading = fetch "a"
    let first = reading |> _.AsTask()
    let second = reading |> fun r -> r.AsTask() // PLT101 warning
    Task.WhenAll(first, second)

let givenTwice () =
    task {
        let reading = fetch "a"
        let! first = consumeAndAdd reading 1
        let! second = consumeAndAdd reading 2 // PLT101 warning
        return first + second
    }

let returnedByAFunction () =
    task {
        let reading = fetch "a"
        let same = unchanged reading
        let! first = same
        let! second = reading // PLT101 warning
        return first + second
    }

let backwardPipe () =
    let reading = fetch "a"
    let first = toTask <| reading
    let second = toTask <| reading // PLT101 warning
    Task.WhenAll [| first; second |]

let combinators () =
    strand {
        let work = spun "a"
        let doubled = Strand.map (fun n -> n * 2) work
        let! first = doubled
        let! second = work // PLT101 warning
        return first + second
    }

let valueTaskOfValueTask () =
    task {
        let reading = fetch "a"
        let! first = PooledValueTask.map (fun n -> n + 1) reading
        let! second = reading // PLT101 warning
        return first + second
    }

let preservedTooLate () =
    task {
        let reading = fetch "a"
        let! first = reading
        let kept = reading.Preserve() // PLT101 warning
        let! second = kept
        return first + second
    }
