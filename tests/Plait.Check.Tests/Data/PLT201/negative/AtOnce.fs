// Lists and arrays of what is complete, sequences that run later, and waits that end in time.
module PLT201.Negative.AtOnce

open System
open System.Threading.Tasks
open Support.Jobs
open Plait

let anArray (jobs: Task<int>[]) =
    task {
        let! _ = Task.WhenAll jobs
        return [| for job in jobs -> job.Result |]
    }

let aList (jobs: Task<int> list) =
    task {
        return
            [
                for job in jobs do
                    if job.IsCompletedSuccessfully then
                        job.Result
            ]
    }

let someOfThem (jobs: Task<int> list) =
    strand {
        do! Task.WhenAll(List.map (fun (job: Task<int>) -> job :> Task) jobs)
        return [ for job in jobs do if not job.IsFaulted then yield job.Result ]
    }

let startedInAnArray (names: string list) =
    task {
        let jobs = [| for name in names -> count name |]
        let! lengths = Task.WhenAll jobs
        return lengths.Length + jobs[0].Result
    }

let forLater (jobs: Task<int> list) = task { return seq { for job in jobs -> job.Result } }

let aDelegate (job: Task<int>) =
    task {
        let! _ = job
        let read = Func<int>(fun () -> job.Result)
        return read.Invoke()
    }

let inTime (job: Task<int>) =
    task {
        let! _ = job.WaitAsync(TimeSpan.FromSeconds 1.)
        return job.Result
    }

let inTimeInATry (job: Task<int>) =
    async {
        try
            let! _ = job.WaitAsync(TimeSpan.FromSeconds 1.) |> Async.AwaitTask
            return job.Result
        with :? TimeoutException ->
            return -1
    }

type Order = { Key: string; Job: Task<int> }

let aFieldOfEach (orders: Order list) =
    task {
        do! orders |> List.map (fun order -> order.Job :> Task) |> Task.WhenAll
        return orders |> List.map (fun order -> order.Key, order.Job.Result)
    }

let aFieldOfEachInALoop (orders: Order[]) =
    task {
        let! _ = Task.WhenAll [ for order in orders -> order.Job ]
        let mutable sum = 0

        for order in orders do
            sum <- sum + order.Job.Result

        return sum
    }

let eachInAList (jobs: Task<int> list) =
    task {
        do! Task.WhenAll [ for job in jobs -> job :> Task ]
        return jobs |> List.sumBy _.Result
    }

let aFieldOfEachInAnArray (orders: Order list) =
    task {
        let! _ = Task.WhenAll [| for order in orders -> order.Job |]
        return [ for order in orders -> order.Key, order.Job.Result ]
    }
