// Functions that do not block their caller.
module PLT202.Negative.Harmless

open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let private pause () = Thread.Sleep 10

let private loadCount (key: string) = (count key).Result

let private pauseElsewhere () = Task.Run(fun () -> pause ())

let private makePause (time: int) = fun () -> Thread.Sleep time

let private startCount (key: string) = count key

let private readIfThere (job: Task<int>) =
    if job.IsCompleted then Some job.Result else None

let private describe (job: Task<int>) =
    job.ContinueWith(fun (ended: Task<int>) -> string ended.Result)

let private lazily = lazy (loadCount "a")

let calledOutside () =
    pause ()
    loadCount "a"

let onAnotherThread () =
    task {
        do! pauseElsewhere ()
        let! n = startCount "a"
        return n + 1
    }

let givenToTheThreadPool () =
    task {
        do! Task.Run(fun () -> pause ())
        let! n = Task.Run<int>(fun () -> loadCount "a")
        return n + 1
    }

let madeForLater () =
    async {
        let later = makePause 10
        do! Async.Sleep 10
        return later
    }

let onlyIfThere (job: Task<int>) =
    task {
        match readIfThere job with
        | Some n -> return n
        | None ->
            let! n = job
            return n + 1
    }

let described (job: Task<int>) =
    task {
        let! text = describe job
        return text.Length
    }

let private blockOfItsOwn (key: string) =
    task {
        let! n = count key
        return n + 1
    }

let awaited () =
    async {
        let! n = blockOfItsOwn "a" |> Async.AwaitTask
        return n + 1
    }

type Worker() =
    member _.Loop() =
        while true do
            Thread.Sleep 1000

    member worker.Start() =
        let thread = Thread(fun () -> worker.Loop())
        thread.Start()
        thread

let started () =
    async {
        let worker = Worker().Start()
        do! Async.Sleep 10
        return worker
    }

let private ownThreads = new BlockingPool("jobs")

let onThreadsOfTheirOwn () =
    strand {
        do! Blocking.run (fun () -> pause ())
        let! n = Blocking.runOn ownThreads CancellationToken.None (fun () -> loadCount "a")
        let! m = ownThreads.Run(fun () -> loadCount "b")
        do! ownThreads.Run(fun () -> pause ())
        let! k = Blocking.Run<int>(fun () -> loadCount "c")
        let client = Blocking.adapt "d"
        let! l = client.Run(fun key -> loadCount key)
        let! i = client |> Blocking.call loadCount
        return n + m + k + l + i
    }

let onThreadsOfTheirOwnInAsync () =
    async {
        let! n = Blocking.runAsync ownThreads (fun () -> loadCount "a")
        return n + 1
    }
