// Waits that say whether what they waited for has ended, and sequences and callbacks that get only what has.
module PLT201.Negative.Limits

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let asyncResult (job: Task<int>) =
    async {
        let! isThere = Async.AwaitIAsyncResult(job, 5000)
        if isThere then return job.Result else return 0
    }

let asyncResultTurned (job: Task<int>) =
    async {
        let! isThere = Async.AwaitIAsyncResult(job :> IAsyncResult, 5000)

        if not isThere then
            raise (TimeoutException())

        return job.Result
    }

let asyncResultByMatch (job: Task<int>) =
    async {
        match! Async.AwaitIAsyncResult(job, 5000) with
        | true -> return job.Result
        | false -> return 0
    }

let asyncResultWithoutALimit (job: Task<int>) =
    async {
        let! _ = Async.AwaitIAsyncResult job
        return job.Result
    }

let asyncResultInTask (job: Task<int>) =
    task {
        let! isThere = Async.AwaitIAsyncResult(job, 5000)
        return if isThere then job.Result else 0
    }

let waitHandle (job: Task<int>) =
    async {
        let! isThere = Async.AwaitWaitHandle((job :> IAsyncResult).AsyncWaitHandle, 5000)
        if isThere then return job.Result else return 0
    }

let waitHandleWithAName (job: Task<int>) =
    async {
        let handle = (job :> IAsyncResult).AsyncWaitHandle
        let! isThere = Async.AwaitWaitHandle(handle, millisecondsTimeout = 5000)
        return if isThere then Some job.Result else None
    }

let waitHandleWithoutALimit (job: Task<int>) =
    async {
        let! _ = Async.AwaitWaitHandle((job :> IAsyncResult).AsyncWaitHandle)
        return job.Result
    }

let asked (job: Task<int>) =
    task {
        if (job :> IAsyncResult).IsCompleted then return job.Result
        elif (job :> IAsyncResult).AsyncWaitHandle.WaitOne 0 then return job.Result
        elif job.Wait 0 then return job.Result
        elif job.Wait TimeSpan.Zero then return job.Result
        else return 0
    }

let askedOfAll (a: Task<int>) (b: Task<int>) =
    task {
        if Task.WaitAll([| a :> Task; b |], 0) then
            return a.Result + b.Result
        else
            return 0
    }

let private isThere (milliseconds: int) (job: Task<int>) =
    Async.AwaitIAsyncResult(job, milliseconds)

let byAFunction (job: Task<int>) =
    async {
        let! isThere = isThere 100 job
        return if isThere then job.Result else 0
    }

let eachInOrder (jobs: Task<int>[]) =
    valueTask {
        let mutable n = 0

        for job in Task.WhenEach jobs do
            n <- n + job.Result

        return n
    }

let eachOfAList (jobs: Task<int> list) (token: CancellationToken) =
    strand {
        let mutable n = 0

        for job in (Task.WhenEach jobs).WithCancellation(token) do
            n <- n + job.Result

        return n
    }

let behindEach (jobs: Task<int>[]) =
    pooledTask {
        let mutable n = 0

        for job in Task.WhenEach jobs do
            n <- n + job.Result

        return n + (jobs |> Array.sumBy _.Result)
    }

let eachCompared (a: Task<int>) (b: Task<int>) =
    valueTask {
        let mutable n = 0

        for job in Task.WhenEach(a, b) do
            if job = a then
                n <- n + a.Result

        return n
    }

let continued (job: Task<int>) =
    job.ContinueWith(fun (ended: Task<int>) -> task { return ended.Result + job.Result })

let continuedWithOptions (job: Task<int>) =
    job.ContinueWith(
        (fun (ended: Task<int>) -> task { return ended.Result }),
        TaskContinuationOptions.OnlyOnRanToCompletion
    )

let continuedWithState (job: Task<int>) =
    job.ContinueWith((fun (ended: Task<int>) (_: obj) -> task { return ended.Result }), box 1)

let continuedWithAll (job: Task<int>) (token: CancellationToken) =
    job.ContinueWith(
        Func<Task<int>, obj, Task<int>>(fun ended _ -> task { return ended.Result }),
        box 1,
        token,
        TaskContinuationOptions.None,
        TaskScheduler.Default
    )


let whenAll (jobs: Task<int>[]) =
    Task.Factory.ContinueWhenAll(jobs, fun ended -> task { return ended |> Array.sumBy _.Result })

let whenAllByTheOutside (a: Task<int>) (b: Task<int>) =
    Task.Factory.ContinueWhenAll([| a; b |], fun (_: Task<int>[]) -> task { return a.Result + b.Result })

let whenAllAwaited (jobs: Task<int>[]) =
    task {
        do! Task.Factory.ContinueWhenAll(jobs, Action<Task<int>[]>(fun _ -> ()))
        return jobs |> Array.sumBy _.Result
    }

let whenAny (jobs: Task<int>[]) =
    Task.Factory.ContinueWhenAny(jobs, fun (ended: Task<int>) -> task { return ended.Result })

let asAValueTask (job: Task<int>) =
    task {
        let! n = ValueTask<int> job
        return n + job.Result
    }

let asATaskOfAValueTask (job: Task<int>) =
    task {
        let! n = (ValueTask<int> job).AsTask()
        return n + job.Result
    }

let raced (pending: ValueTask<int>) =
    task {
        let job = pending.AsTask()
        let! first = Task.WhenAny(job, Task.Delay 1000)
        return if first = job then job.Result else 0
    }
