// Tasks that are waited for where they could be awaited.
module PLT201.Positive.TaskWaits

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let result () =
    task {
        let n = (count "a").Result // PLT201 warning
        let! m = count "b"
        return n + m
    }

let resultOfAParameter (job: Task<int>) =
    async {
        do! Async.Sleep 1
        return job.Result + 1 // PLT201 warning
    }

let wait () =
    task {
        let saving = save "a"
        saving.Wait() // PLT201 warning
        let! n = count "a"
        return n + 1
    }

let waitWithALimit (saving: Task) =
    async {
        let ended = saving.Wait(TimeSpan.FromSeconds 1.) // PLT201 warning
        return ended
    }

let waitAll () =
    task {
        let first = count "a"
        let second = count "b"
        Task.WaitAll(first, second) // PLT201 warning
        return first.Result + second.Result
    }

let waitAny (jobs: Task[]) =
    async {
        let index = Task.WaitAny jobs // PLT201 warning
        return index
    }

let byAwaiter () =
    valueTask {
        let n = (count "a").GetAwaiter().GetResult() // PLT201 warning
        return n
    }

let byConfiguredAwaiter (saving: Task) =
    backgroundTask {
        saving.ConfigureAwait(false).GetAwaiter().GetResult() // PLT201 warning
        return 1
    }

let byLambda () =
    task {
        let n = count "a" |> _.Result // PLT201 warning
        return n + 1
    }

let byPipe (job: Task<int>) =
    strand {
        let n = job |> fun j -> j.Result // PLT201 warning
        return n + 1
    }

let inACallback (keys: string list) =
    async {
        let counts = keys |> List.map (fun key -> (count key).Result) // PLT201 warning
        return List.sum counts
    }

let inTheWrongBranch (job: Task<int>) =
    task {
        if job.IsCompleted then
            return 0
        else
            return job.Result // PLT201 warning
    }

let afterAnotherOne (first: Task<int>) (second: Task<int>) =
    task {
        let! n = first
        return n + second.Result // PLT201 warning
    }

let onlyOneOfTwoPaths (job: Task<int>) (patient: bool) =
    task {
        if patient then
            let! _ = job
            ()

        return job.Result // PLT201 warning
    }

let asTaskOfValueTask () =
    task {
        let n = (fetch "a").AsTask().Result // PLT201 warning
        return n + 1
    }

let indexed (jobs: Task<int>[]) (index: int) =
    task {
        do! Task.Delay 10
        return jobs[index].Result // PLT201 info
    }

let indexedAfterWhenAny (jobs: Task<int>[]) =
    async {
        let! _ = Task.WhenAny jobs |> Async.AwaitTask
        let index = jobs |> Array.findIndex (fun job -> job.IsCompleted)
        return jobs[index].Result // PLT201 info
    }

let indexedList (jobs: Task<string> list) =
    task {
        do! Task.Delay 10
        return jobs[0].Result // PLT201 info
    }

let ofACast (value: obj) =
    task { return (value :?> Task<int>).Result } // PLT201 warning

let ofAnUnboxedOne (value: obj) =
    task { return (unbox<Task<int>> value).GetAwaiter().GetResult() } // PLT201 warning
