// One way only.
module PLT203.Negative.Bridges

open System.Threading.Tasks
open Support.Jobs

let fromTask () =
    async {
        let! n = count "a" |> Async.AwaitTask
        return n + 1
    }

let fromAsync () =
    task {
        let! n = later "a" |> Async.StartAsTask
        return n + 1
    }

let toTask () = later "a" |> Async.StartAsTask

let toAsync (job: Task<int>) = Async.AwaitTask job

let atTheEdge () = later "a" |> Async.RunSynchronously

let composed () =
    async {
        let! n = count "a" |> Async.AwaitTask
        do! Async.Sleep n
        return n + 1
    }
    |> Async.StartAsTask

let startedFirst () =
    async {
        let running = later "a" |> Async.StartAsTask
        do! send "b"
        let! n = running |> Async.AwaitTask
        return n + 1
    }

let blocking (job: Task<int>) = job.GetAwaiter().GetResult()
