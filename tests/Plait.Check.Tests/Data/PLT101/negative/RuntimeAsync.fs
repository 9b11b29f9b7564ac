// A Task of Plait.RuntimeAsync is awaited as often as anybody likes, and a step is a part of the body around it.
module PLT101.Negative.RuntimeAsync

open System.Threading.Tasks
open Support.Jobs
open Plait.RuntimeAsync

let number (key: string) = task { return key.Length }

let taskTwice () =
    valueTask {
        let job = number "a"
        let! first = job
        let! second = job
        return first + second + job.Result
    }

let backgroundTwice () =
    task {
        let job = backgroundTask { return 1 }
        let! first = job
        let! second = job
        return first + second
    }

let eachOnce (keys: string list) =
    task {
        let! all =
            keys
            |> List.mapAsync (fun key ->
                step {
                    let job = fetch key
                    let! length = job
                    return length
                })

        return all
    }

let atMostOnce (key: string option) =
    task {
        let job = fetch "a"

        let! found =
            key
            |> Option.mapAsync (fun key ->
                step {
                    let! length = job
                    return length + key.Length
                })

        return found
    }

let awaitedInSteps (jobs: Task<int> list) =
    task {
        let! _ =
            jobs
            |> List.mapAsync (fun job ->
                step {
                    let! one = job
                    return one
                })

        return jobs |> List.sumBy (fun job -> job.Result)
    }

let awaitedInThrottledSteps (jobs: Task<int> list) =
    task {
        let! _ =
            jobs
            |> Seq.mapThrottled 2 (fun job ->
                step {
                    let! one = job
                    return one
                })

        return jobs |> List.sumBy (fun job -> job.Result)
    }
