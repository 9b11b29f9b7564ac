// A value from outside that a function returns each time, or that a collection gets several times.
module PLT101.Positive.Repeated

open System.Threading.Tasks
open Support.Jobs

let mapped () =
    let read = fetch "a"
    [ 1; 2; 3 ] |> List.map (fun _ -> read) // PLT101 warning

let made () =
    let read = flush "a"
    Seq.init 4 (fun _ -> read) // PLT101 warning

let inPairs () =
    let read = fetch "a"
    [| 1; 2 |] |> Array.map (fun number -> number, read) // PLT101 warning

let replicated () =
    let read = fetch "a"
    List.replicate 3 read // PLT101 warning

let comprehended () =
    let read = fetch "a"
    [ for _ in 1..3 -> read ] // PLT101 warning

let ofOneOfTwo (isNew: bool) =
    task {
        let read = if isNew then fetch "a" else ValueTask<int>(3)
        let! first = read

        if first > 5 then
            return! read // PLT101 warning
        else
            return first
    }

let ofAMatch (name: string) =
    task {
        let read =
            match name with
            | "a" -> fetch "a"
            | "b" -> fetch "b"
            | other -> fetch other

        let! first = read
        let! again = read // PLT101 warning
        return first + again
    }

let ofAnotherCollection (pairs: (string * ValueTask<int>) list) (keys: string list) =
    let _, read = pairs.Head
    keys |> List.map (fun _ -> read) // PLT101 warning

let inASequence () =
    let read = fetch "a"
    let one = Seq.singleton read
    one, read.AsTask() // PLT101 warning

let inAList () =
    let read = fetch "a"
    let one = List.singleton read
    one, read.AsTask() // PLT101 warning

let inAnArray () =
    let read = fetch "a"
    let one = Array.singleton read
    one, read.AsTask() // PLT101 warning

/// A lazy value gives the same one each time.
let ofALazyValue (reading: Lazy<ValueTask<int>>) =
    task {
        let! first = reading.Value
        let! second = reading.Value // PLT101 warning
        return first + second
    }

let ofAForcedOne (reading: Lazy<ValueTask<int>>) =
    task {
        let! first = reading.Force()
        let! second = reading.Force() // PLT101 warning
        return first + second
    }

// Made of a task

let ofATask (job: Task<int>) =
    let read = ValueTask<int> job
    Task.WhenAll(read.AsTask(), read.AsTask()) // PLT101 warning

let ofOneOfTwoTasks (isNew: bool) (job: Task<int>) (other: Task<int>) =
    let read = ValueTask<int>(if isNew then job else other)
    Task.WhenAll(read.AsTask(), read.AsTask()) // PLT101 warning

let withoutAResult (job: Task) =
    let read = ValueTask job
    Task.WhenAll(read.AsTask(), read.AsTask()) // PLT101 warning
