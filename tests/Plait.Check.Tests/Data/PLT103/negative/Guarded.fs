// Results that are there, and values that go from hand to hand.
module PLT103.Negative.Guarded

open System.Collections.Generic
open System.Threading.Tasks
open Support.Jobs
open Plait

let guarded (reading: ValueTask<int>) =
    if reading.IsCompletedSuccessfully then
        Some reading.Result
    else
        printfn "not yet"
        None

let guardedByIsCompleted (reading: ValueTask<int>) =
    if reading.IsCompleted then
        reading.Result
    else
        reading.AsTask().GetAwaiter().GetResult()

let guardedStrand (work: Strand<int>) =
    match work.IsCompletedSuccessfully with
    | true -> Task.FromResult work.Result
    | false -> work.AsTask()

let guardedByAnd (reading: ValueTask<int>) (wanted: bool) =
    if wanted && reading.IsCompletedSuccessfully then
        Task.FromResult reading.Result
    else
        reading.AsTask()

let completed () =
    let reading = ValueTask<int> 5
    reading.Result

let tasksInAList (key: string) =
    let jobs = List<Task<int>>()
    jobs.Add((fetch key).AsTask())
    jobs

type Entry = { Key: string; Job: Task<int> }

let taskInARecord (key: string) =
    let reading = fetch key
    { Key = key; Job = reading.AsTask() }

let returned (key: string) =
    let reading = fetch key
    reading

let givenOn (continueWith: ValueTask<int> -> Task<int>) (key: string) =
    let reading = fetch key
    continueWith reading

let preservedInAList (key: string) =
    let reading = (fetch key).Preserve()
    [ reading ]

type Reader() =
    let mutable count = 0

    member _.Read(key: string) =
        valueTask {
            let! n = fetch key
            count <- count + n
            return count
        }
