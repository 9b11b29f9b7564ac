// Results that are there: nothing waits.
module PLT201.Negative.Completed

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let afterAwait (job: Task<int>) =
    task {
        let! _ = job
        return job.Result + 1
    }

let afterDo (job: Task<int>) =
    task {
        do! (job :> Task)
        return job.Result + 1
    }

let afterWhenAll () =
    task {
        let first = count "a"
        let second = count "b"
        let! _ = Task.WhenAll(first, second)
        return first.Result + second.Result
    }

let afterWhenAllOfArray (jobs: Task<int>[]) =
    task {
        let! _ = Task.WhenAll jobs
        return jobs |> Array.sumBy (fun job -> job.Result)
    }

let afterWhenAllAndLoop (jobs: Task<int>[]) =
    async {
        do! Task.WhenAll jobs |> Async.AwaitTask |> Async.Ignore
        let mutable sum = 0

        for job in jobs do
            sum <- sum + job.Result

        return sum
    }

let whenAny (left: Task<int>) (right: Task<int>) =
    task {
        let! first = Task.WhenAny(left, right)
        return first.Result + 1
    }

let whenAnyWithATimeout (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)

        if first = (job :> Task) then
            return Some job.Result
        else
            return None
    }

let continued (job: Task<int>) =
    async {
        let! n = job.ContinueWith(fun (ended: Task<int>) -> ended.Result + 1) |> Async.AwaitTask
        return n * 2
    }

let guarded (job: Task<int>) =
    task {
        if job.IsCompleted then
            return job.Result
        else
            let! n = job
            return n + 1
    }

let guardedBySuccess (job: Task<int>) =
    async {
        if job.IsCompletedSuccessfully then
            return Some job.Result
        else
            return None
    }

let guardedByStatus (job: Task<int>) =
    task {
        if job.Status = TaskStatus.RanToCompletion then
            return job.Result
        else
            do! Task.Delay 10
            return 0
    }

let guardedInAMatch (job: Task<int>) =
    async {
        match job.IsCompleted with
        | true -> return job.Result
        | false -> return 0
    }

let guardedByAMatchOnStatus (job: Task<int>) =
    task {
        match job.Status with
        | TaskStatus.RanToCompletion -> return job.Result
        | TaskStatus.Faulted -> return -1
        | _ -> return 0
    }

let guardedByAnd (job: Task<int>) (wanted: bool) =
    strand {
        if wanted && job.IsCompletedSuccessfully then
            return job.Result
        else
            return 0
    }

let guardedByNot (job: Task<int>) =
    task {
        if not job.IsCompleted then
            do! Task.Delay 10
            return 0
        else
            return job.Result
    }

let filtered (jobs: Task<int> list) =
    task {
        do! Task.Delay 10

        return
            jobs
            |> List.filter (fun job -> job.IsCompletedSuccessfully)
            |> List.sumBy (fun job -> job.Result)
    }

let filteredByStatus (jobs: Task<int>[]) =
    async {
        do! Async.Sleep 10

        return
            jobs
            |> Seq.filter (fun job -> job.Status = TaskStatus.RanToCompletion)
            |> Seq.map (fun job -> job.Result)
            |> Seq.toList
    }

let polled (job: Task<int>) =
    task {
        while not job.IsCompleted do
            do! Task.Delay 1

        return job.Result
    }

let fromResult () =
    task {
        let known = Task.FromResult 5
        do! Task.Delay 1
        return known.Result
    }

type Request = { Key: string; Job: Task<int> }

let guardedByPath (request: Request) =
    task {
        if request.Job.IsCompleted then
            return request.Job.Result
        else
            return 0
    }

let inContinuation (job: Task<int>) =
    task {
        let! text =
            job.ContinueWith(
                Func<Task<int>, string>(fun ended ->
                    if ended.IsFaulted then "failed" else string ended.Result)
            )

        return text.Length
    }

let behindATryThatAwaits (job: Task<int>) =
    task {
        try
            let! _ = job
            ()
        with _ ->
            ()

        // it has ended, also where awaiting it failed
        return job.Result
    }

let private isDone (job: Task) = job.IsCompleted

let askedByAFunction (job: Task<int>) =
    task {
        if isDone job then
            return job.Result
        else
            return! job
    }

let behindItsContinuation (job: Task<int>) =
    task {
        do! job.ContinueWith(fun (ended: Task<int>) -> printfn $"{ended.Status}")
        return job.Result
    }

let behindAWaitWithALimit (job: Task<int>) =
    task {
        let! _ = job.WaitAsync(System.TimeSpan.FromSeconds 1.)
        return job.Result
    }
