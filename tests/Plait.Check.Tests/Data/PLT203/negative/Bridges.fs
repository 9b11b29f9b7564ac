// One way only.
module PLT203.Negative.Bridges

open System.Threading
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

// a token or options make more of it than a conversion
let withAToken (work: Async<int>) (token: CancellationToken) =
    async {
        let! n = Async.StartAsTask(work, cancellationToken = token) |> Async.AwaitTask
        return n + 1
    }

let withOptions (work: Async<int>) =
    async {
        let! n =
            Async.StartAsTask(work, taskCreationOptions = TaskCreationOptions.LongRunning) |> Async.AwaitTask

        return n + 1
    }

let immediatelyWithAToken (work: Async<int>) (token: CancellationToken) =
    async {
        let! n = Async.StartImmediateAsTask(work, token) |> Async.AwaitTask
        return n + 1
    }

let tokenForATask (job: Task<int>) (token: CancellationToken) =
    Async.StartAsTask(Async.AwaitTask job, cancellationToken = token)

let tokenInAVariable (job: Task<int>) (token: CancellationToken option) =
    Async.StartAsTask(Async.AwaitTask job, ?cancellationToken = token)

let waitedForWithAToken (work: Async<int>) (token: CancellationToken) =
    Async.StartAsTask(work, cancellationToken = token).GetAwaiter().GetResult()
