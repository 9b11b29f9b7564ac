// Code in lists, arrays and delegates that runs where it stands, and waits that may end too early.
module PLT201.Positive.AtOnce

open System
open System.Linq
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let anArray (jobs: Task<int>[]) = task { return [| for job in jobs -> job.Result |] } // PLT201 warning

let aList (jobs: Task<int> list) =
    strand {
        let results =
            [
                for job in jobs do
                    if not job.IsCanceled then
                        yield job.Result // PLT201 warning
            ]

        return List.sum results
    }

let aListOfStatements () =
    async {
        return
            [
                for number in 1..3 do
                    Thread.Sleep number // PLT201 warning
                    number
            ]
    }

let aDelegate (job: Task<int>) =
    task {
        let read = Func<int>(fun () -> job.Result) // PLT201 warning
        return read.Invoke()
    }

let aDelegateWithArguments (job: Task<int>) =
    task {
        let read = Func<int, int, int>(fun a b -> a + b + job.Result) // PLT201 warning
        return read.Invoke(1, 2)
    }

let notInTime (job: Task<int>) =
    task {
        try
            return! job.WaitAsync(TimeSpan.FromSeconds 1.)
        with :? TimeoutException ->
            return job.Result // PLT201 warning
    }

let notInTimeInAsync (job: Task<int>) (token: CancellationToken) =
    async {
        try
            return! job.WaitAsync token |> Async.AwaitTask
        with _ ->
            return job.Result // PLT201 warning
    }

let notInTimeAndGoesOn (job: Task<int>) =
    task {
        try
            let! _ = job.WaitAsync(TimeSpan.FromSeconds 1.)
            ()
        with _ ->
            ()

        return job.Result // PLT201 warning
    }

type Order = { Key: string; Job: Task<int>; Other: Task<int> }

let anotherField (orders: Order list) =
    task {
        do! orders |> List.map (fun order -> order.Job :> Task) |> Task.WhenAll
        return orders |> List.map (fun order -> order.Key, order.Other.Result) // PLT201 warning
    }

let notAwaited (orders: Order list) =
    task {
        let jobs = orders |> List.map (fun order -> order.Job)
        return jobs.Length + (orders |> List.sumBy (fun order -> order.Job.Result)) // PLT201 warning
    }

let ofSomeOfThem (orders: Order list) =
    task {
        do!
            orders
            |> List.map (fun order -> if order.Key = "" then Task.CompletedTask else order.Job :> Task)
            |> Task.WhenAll

        return orders |> List.sumBy (fun order -> order.Job.Result) // PLT201 warning
    }

let inParallel (jobs: Task<int> list) =
    task { return jobs.AsParallel().Select(fun job -> job.Result).ToList() } // PLT201 warning

let ofSomeInAList (orders: Order list) =
    task {
        let! _ =
            Task.WhenAll
                [
                    for order in orders do
                        if order.Key <> "" then
                            order.Job
                ]

        return orders |> List.sumBy _.Job.Result // PLT201 warning
    }

let perhapsAnotherTask (job: Task<int>) (made: Task<int> option) =
    task {
        let! _ = made |> Option.defaultWith (fun () -> job)
        return job.Result // PLT201 warning
    }
