// A wait that ended before what it waited for, and what it did not wait for. A wait itself is found once.
module PLT201.Positive.Limits

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let asyncResult (job: Task<int>) =
    async {
        let! isThere = Async.AwaitIAsyncResult(job, 5000)
        if isThere then return 0 else return job.Result // PLT201 warning
    }

let asyncResultWithoutAQuestion (job: Task<int>) =
    async {
        let! _ = Async.AwaitIAsyncResult(job, 5000)
        return job.Result // PLT201 warning
    }

let asyncResultOfAnother (job: Task<int>) (other: Task<int>) =
    async {
        let! isThere = Async.AwaitIAsyncResult(job, 5000)
        return if isThere then other.Result else 0 // PLT201 warning
    }

let waitHandle (job: Task<int>) =
    async {
        let! isThere = Async.AwaitWaitHandle((job :> IAsyncResult).AsyncWaitHandle, 5000)
        if isThere then return 0 else return job.Result // PLT201 warning
    }

let waitOne (job: Task<int>) =
    task {
        (job :> IAsyncResult).AsyncWaitHandle.WaitOne 100 |> ignore // PLT201 warning
        return job.Result
    }

let waitOneWithoutALimit (job: Task<int>) =
    task {
        let isThere = (job :> IAsyncResult).AsyncWaitHandle.WaitOne() // PLT201 warning
        return if isThere then job.Result else 0
    }

let waitOneLate (job: Task<int>) =
    task {
        if (job :> IAsyncResult).AsyncWaitHandle.WaitOne 100 then // PLT201 warning
            return job.Result
        else
            return job.Result // PLT201 warning
    }

let waited (job: Task<int>) =
    task {
        if job.Wait 100 then // PLT201 warning
            return job.Result
        else
            return job.Result // PLT201 warning
    }

let waitedAndNamed (job: Task<int>) (wanted: bool) =
    async {
        let isThere = job.Wait(TimeSpan.FromSeconds 1.) // PLT201 warning
        if isThere && wanted then return job.Result
        elif not isThere then return job.Result // PLT201 warning
        else return job.Result
    }

let waitedForAll (a: Task<int>) (b: Task<int>) =
    task {
        let! first = a

        if Task.WaitAll([| a :> Task; b |], 100) then // PLT201 warning
            return a.Result + b.Result
        else
            return first + a.Result + b.Result // PLT201 warning
    }

let askedOnly (job: Task<int>) =
    task {
        job.Wait 0 |> ignore
        return job.Result // PLT201 warning
    }

let waitedForAny (jobs: Task<int>[]) (other: Task<int>) =
    task {
        let index = Task.WaitAny [| for job in jobs -> job :> Task |] // PLT201 warning
        return index + other.Result // PLT201 warning
    }

let waitedForAnyOfThese (jobs: Task<int>[]) (other: Task<int>) =
    task {
        let index = Task.WaitAny(jobs |> Array.map (fun job -> job :> Task)) // PLT201 warning
        return jobs[index].Result + other.Result // PLT201 warning
    }

let eachAndAnother (jobs: Task<int>[]) (other: Task<int>) =
    valueTask {
        let mutable n = 0

        for job in Task.WhenEach jobs do
            n <- n + job.Result + other.Result // PLT201 warning

        return n
    }

let eachOfTheRest (a: Task<int>) (b: Task<int>) =
    strand {
        let mutable n = 0

        for job in Task.WhenEach(a, b) do
            if job = a then
                n <- n + b.Result // PLT201 warning

        return n
    }

let eachThatGivesATask (jobs: Task<Task<int>>[]) =
    valueTask {
        let mutable n = 0

        for job in Task.WhenEach jobs do
            n <- n + job.Result.Result // PLT201 warning

        return n
    }

let continuedWithAnother (job: Task<int>) (other: Task<int>) =
    job.ContinueWith(fun (ended: Task<int>) -> task { return ended.Result + other.Result }) // PLT201 warning

let whenAll (jobs: Task<int>[]) (other: Task<int>) =
    Task.Factory.ContinueWhenAll(
        jobs,
        fun ended -> task { return (ended |> Array.sumBy _.Result) + other.Result } // PLT201 warning
    )

let whenAny (a: Task<int>) (b: Task<int>) =
    Task.Factory.ContinueWhenAny([| a; b |], fun (ended: Task<int>) -> task { return ended.Result + b.Result }) // PLT201 warning

let asAValueTask (job: Task<int>) (other: Task<int>) =
    task {
        let! n = ValueTask<int> job
        return n + other.Result // PLT201 warning
    }
