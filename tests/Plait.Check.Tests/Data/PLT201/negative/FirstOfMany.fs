// The task that a wait for the first of several names is complete. Where one is complete already, such a wait does not block.
module PLT201.Negative.FirstOfMany

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs

// The waits here are outside of async bodies: what is read behind them is looked at.

let byNumber (a: Task<int>) (b: Task<int>) =
    let first = Task.WaitAny(a, b)
    task { return if first = 0 then a.Result else b.Result }

let byCase (a: Task<int>) (b: Task<int>) (c: Task<int>) =
    let first = Task.WaitAny [| a :> Task; b; c |]

    async {
        match first with
        | 0 -> return a.Result
        | 1 -> return b.Result
        | _ -> return c.Result
    }

let byElement (jobs: Task<int>[]) =
    let first = Task.WaitAny [| for job in jobs -> job :> Task |]
    task { return jobs[first].Result }

let byElementOfAList (jobs: Task<int> list) =
    let first = Task.WaitAny(jobs |> Seq.cast<Task> |> Array.ofSeq)
    task { return (List.item first jobs).Result + jobs[first].Result }

let byElementOfAKnownArray (a: Task<int>) (b: Task<int>) =
    let jobs = [| a; b |]
    let first = Task.WaitAny(a, b)
    task { return jobs[first].Result }

let inTime (a: Task<int>) (b: Task<int>) =
    let first = Task.WaitAny([| a :> Task; b |], 1000)

    task {
        match first with
        | 0 -> return a.Result
        | 1 -> return b.Result
        | _ -> return 0
    }

let oneInTime (job: Task<int>) =
    let first = Task.WaitAny([| job :> Task |], TimeSpan.FromSeconds 1.)
    task { return if first >= 0 then job.Result else 0 }

let oneNotLate (job: Task<int>) =
    let first = Task.WaitAny([| job :> Task |], 1000)

    task {
        if first = -1 then
            raise (TimeoutException())

        return job.Result
    }

let onlyOne (job: Task<int>) =
    let _ = Task.WaitAny job
    task { return job.Result }

let withAToken (a: Task<int>) (b: Task<int>) (token: CancellationToken) =
    let first = Task.WaitAny([| a :> Task; b |], token)
    task { return if first = 0 then a.Result else b.Result }

let thereAlready (a: Task<int>) (b: Task<int>) =
    task {
        let! one = a
        let first = Task.WaitAny(a, b)
        return if first = 1 then one + b.Result else one
    }

let asked (a: Task<int>) (b: Task<int>) =
    task {
        match Task.WaitAny([| a :> Task; b |], 0) with
        | 0 -> return a.Result
        | 1 -> return b.Result
        | _ -> return 0
    }

let byHandles (a: Task<int>) (b: Task<int>) =
    let handles = [| (a :> IAsyncResult).AsyncWaitHandle; (b :> IAsyncResult).AsyncWaitHandle |]
    let first = WaitHandle.WaitAny handles
    task { return if first = 0 then a.Result else b.Result }

let byAllHandles (a: Task<int>) (b: Task<int>) =
    let handles = [| (a :> IAsyncResult).AsyncWaitHandle; (b :> IAsyncResult).AsyncWaitHandle |]
    let _ = WaitHandle.WaitAll handles
    task { return a.Result + b.Result }

let private firstOf (a: Task<int>) (b: Task<int>) = Task.WaitAny(a, b)

let byAFunction (a: Task<int>) (b: Task<int>) =
    let first = firstOf a b
    task { return if first = 0 then a.Result else b.Result }

let ofAFunctionThatDoesNotWait (a: Task<int>) (b: Task<int>) =
    task {
        let! one = b
        let first = firstOf a b
        return if first = 0 then a.Result else one
    }

/// Waits for one without raising its failure.
let awaitedOnlyOne (job: Task<int>) =
    task {
        let! _ = Task.WhenAny job
        return if job.IsFaulted then 0 else job.Result
    }

let awaitedOnlyOneInAsync (job: Task<int>) =
    async {
        let! _ = Task.WhenAny [ job ] |> Async.AwaitTask
        return job.Result
    }
