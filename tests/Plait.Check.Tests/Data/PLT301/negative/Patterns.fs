// Operations in tuples, records, unions and cells that the code reads, or that other code may read.
module PLT301.Negative.Patterns

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

type private Entry = { Name: string; Job: Task<int> }

let private started () = save "a", 3

let bothOfATuple () =
    task {
        let job, number = started ()
        do! job
        return number
    }

let private watched () =
    let job = save "a"
    let watcher = job.ContinueWith(fun (job: Task) -> printfn "%O" job.Status)
    job, watcher

let oneOfAWatchedPair () =
    task {
        let _, watcher = watched ()
        do! watcher
    }

let aNamedTaskInATuple () =
    task {
        let job = save "a"

        match job, 2 with
        | _, 1 -> printfn "1"
        | _, number -> printfn "%d" number

        do! job
    }

let aNamedTaskInAnOption () =
    task {
        let job = save "a"

        match Some job with
        | Some _ -> printfn "some"
        | None -> ()

        do! job
    }

let private inACopy () =
    task {
        let entry = { Name = "a"; Job = count "a" }
        let copy = { entry with Name = "b" }
        return! copy.Job
    }

let private inRecordsOfAList (names: string list) =
    task {
        let entries = names |> List.map (fun name -> { Name = name; Job = count name })
        let! numbers = entries |> List.map _.Job |> Task.WhenAll
        return numbers.Length
    }

let private inAStoredRecord (entries: ResizeArray<Entry>) =
    task { entries.Add { Name = "a"; Job = count "a" } }

let inACell (register: (unit -> unit) -> unit) =
    task {
        let job = ref (count "a")
        register (fun () -> job.Value <- count "b")
        return! job.Value
    }

let inACellOfFunctions () =
    let job = ref (count "a")
    let read () = job.Value
    let write () = job.Value <- count "b"
    read, write

let inACellOfAnObject () =
    let job = ref (count "a")

    { new IDisposable with
        member _.Dispose() = job.Value.Wait()
    }

let inACellThatIsPassed (register: Task<int> ref -> unit) =
    task {
        let job = ref (count "a")
        register job
        return 1
    }

let anAnonymousRecordWithAName () =
    task {
        let entry = {| Job = save "a"; Number = 2 |}
        printfn "%d" entry.Number
        do! entry.Job
    }

let aNameInARecord () =
    task {
        let job = save "a"
        let entry = {| Job = job; Number = 2 |}
        printfn "%d" entry.Number
        do! job
    }

type private Worker = { Loop: Task<int>; Stop: unit -> unit }

let private startWorker () = { Loop = count "a"; Stop = ignore }

let aRecordThatIsStopped () =
    task {
        let worker = startWorker ()
        do! Task.Delay 1
        worker.Stop()
    }
