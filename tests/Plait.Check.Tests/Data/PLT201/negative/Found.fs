// Tests whether an element was found, the values of dictionaries, and other ways to the operation that is complete.
module PLT201.Negative.Found

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.IO
open System.Threading
open System.Threading.Tasks
open Support.Jobs

let noneRuns (jobs: Task<int> list) =
    task {
        if jobs |> List.tryFind (fun job -> not job.IsCompleted) |> Option.isSome then
            return 0
        else
            return jobs |> List.sumBy _.Result
    }

let noneIsLeft (jobs: Task<int>[]) =
    task {
        if jobs |> Array.filter (fun job -> not job.IsCompleted) |> Array.isEmpty then
            return jobs |> Array.sumBy _.Result
        else
            return 0
    }

let matchedToNone (jobs: Task<int> list) =
    task {
        match jobs |> List.tryFind (fun job -> not job.IsCompletedSuccessfully) with
        | Some running -> return! running
        | None -> return jobs |> List.sumBy _.Result
    }

let statusOfTheFound (jobs: Task<int> list) (status: TaskStatus) =
    task { return jobs |> List.tryFind (fun job -> job.Status = status) |> Option.isSome }

let inASequence (job: Task<int>) =
    task {
        let ended = seq { TaskStatus.RanToCompletion; TaskStatus.Faulted }
        if ended |> Seq.contains job.Status then return job.Result else return 0
    }

// Dictionaries

let valuesOfADictionary (jobs: Dictionary<string, Task<int>>) =
    task {
        let! _ = Task.WhenAll jobs.Values
        return jobs |> Seq.sumBy (fun entry -> entry.Value.Result)
    }

let byPattern (jobs: Dictionary<string, Task<int>>) =
    task {
        do! Task.WhenAll jobs.Values :> Task
        return [ for KeyValue(_, job) in jobs -> job.Result ]
    }

let valuesOfAMap (jobs: Map<string, Task<int>>) =
    task {
        let! _ = Task.WhenAll jobs.Values
        return jobs |> Map.toList |> List.sumBy (fun (_, job) -> job.Result)
    }

// An await of the user's own gives the winner as Async.AwaitTask does.

let private awaited (job: Task<'T>) : Async<'T> =
    Async.FromContinuations(fun (ok, failed, _) ->
        job.ContinueWith(fun (job: Task<'T>) ->
            if job.IsFaulted then failed job.Exception else ok job.Result)
        |> ignore)

let byAnOwnAwait (job: Task<int>) (other: Task) =
    async {
        let first = job :> Task
        let! winner = Task.WhenAny(first, other) |> awaited
        if winner = first then return job.Result else return 0
    }

let private extended (f: Task<'T> -> 'U) (job: Task<'T>) : Task<'U> = job.ContinueWith f

let boundByAnOwnContinuation (next: int -> Task<int>) (job: Task<int>) =
    (extended (fun (job: Task<int>) -> next job.Result) job).Unwrap()

// In memory

let ofAStreamInMemory (bytes: MemoryStream) =
    task { return (new StreamReader(bytes)).ReadToEnd() }

let ofAnOwnStreamInMemory (source: Stream) =
    task {
        use memory = new MemoryStream()
        do! source.CopyToAsync memory
        use reader = new StreamReader(memory)
        return reader.ReadToEnd()
    }

// No time, and functions that return an operation and do not wait

let takenAtOnce (jobs: BlockingCollection<int>) = task { return jobs.TryTake(ref 0) }

let polled (jobs: BlockingCollection<int>) = task { return jobs.TryTake(ref 0, 0) }

let private attempts (work: Func<Task>) = task { do! work.Invoke() }

let given () = attempts (Func<Task>(fun () -> save "a"))
