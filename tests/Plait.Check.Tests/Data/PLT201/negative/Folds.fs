// Tasks that are complete in the functions of folds, and functions that run on a thread of their own or outside of an operation.
module PLT201.Negative.Folds

open System.IO
open System.Linq
open System.Threading
open System.Threading.Tasks
open Support.Jobs

let afterAll (jobs: Task<int> list) =
    task {
        let! _ = Task.WhenAll jobs
        return jobs |> List.fold (fun sum job -> sum + job.Result) 0
    }

let afterAllBack (jobs: Task<int>[]) =
    task {
        let! _ = Task.WhenAll jobs
        return Array.foldBack (fun (job: Task<int>) sum -> sum + job.Result) jobs 0
    }

let ofAMap (jobs: Map<int, Task<int>>) =
    task {
        let! _ = Task.WhenAll jobs.Values
        return jobs |> Map.fold (fun sum _ job -> sum + job.Result) 0
    }

let ofAnOption (job: Task<int> option) =
    task {
        match job with
        | Some running ->
            let! _ = running
            return job |> Option.fold (fun sum ended -> sum + ended.Result) 0
        | None -> return 0
    }

let private onAThread (work: unit -> 'T) : Task<'T> =
    Task.Factory.StartNew(work, TaskCreationOptions.LongRunning)

let elsewhere () = onAThread (fun () -> Thread.Sleep 10)

let private locked (gate: obj) (work: unit -> int) = task { return lock gate work }
let short (gate: obj) = locked gate (fun () -> File.ReadAllText("a").Length)

let private onThreadOfItsOwn (work: unit -> unit) =
    async {
        do! Async.SwitchToNewThread()
        work ()
    }

let switched () = onThreadOfItsOwn (fun () -> Thread.Sleep 10)
let complete (job: Task<int>) =
    if job.IsCompletedSuccessfully then async.Return job.Result else Async.AwaitTask job

let private withATask (work: unit -> 'T) : Task<'T> = Task.Run(work)
let offloaded (job: Task<int>) : Task<int> = withATask (fun () -> job.Result)

let private whenDone (job: Task<'A>) (look: Task<'A> -> 'B) =
    task {
        let! _ = Task.WhenAny job
        return look job
    }

let looked (job: Task<int>) =
    whenDone job (fun ended -> if ended.IsFaulted then 0 else ended.Result)

let ofASequence (jobs: Task<int>[]) =
    task {
        let! _ = Task.WhenAll jobs
        return jobs.Aggregate(0, fun sum job -> sum + job.Result)
    }
