// `ContinueWith` registers what is to happen at the end of a task. In every form of it, nothing is lost where its Task is.
module PLT301.Negative.Registrations

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let piped (job: Task) = job.ContinueWith(fun (_: Task) -> printfn "ended") |> ignore

let ofAResult (job: Task<int>) (use': int -> unit) =
    job.ContinueWith(fun (ended: Task<int>) -> use' ended.Result) |> ignore

let aDelegate (job: Task) = job.ContinueWith(Action<Task>(fun _ -> printfn "ended")) |> ignore

let typed (job: Task<int>) =
    job.ContinueWith<string>(Func<Task<int>, string>(fun ended -> string ended.Result)) |> ignore

let upcast' (job: Task<int>) = job.ContinueWith(fun (_: Task<int>) -> 1) :> Task |> ignore

let inParentheses (job: Task) = ignore (job.ContinueWith(fun (_: Task) -> ()))

let ofAType (job: Task) = ignore<Task> (job.ContinueWith(fun (_: Task) -> ()))

let underscore (job: Task) =
    let _ = job.ContinueWith(fun (_: Task) -> printfn "ended")
    printfn "registered"

let underscoreOfAType (job: Task<int>) =
    let _: Task = job.ContinueWith(fun (_: Task<int>) -> 1)
    printfn "registered"

let unused (job: Task) =
    let registered = job.ContinueWith(fun (_: Task) -> printfn "ended")
    printfn "registered"

let statement (job: Task) =
    job.ContinueWith(fun (_: Task) -> printfn "ended")
    printfn "registered"

let withOptions (job: Task) =
    job.ContinueWith((fun (_: Task) -> printfn "failed"), TaskContinuationOptions.OnlyOnFaulted)
    |> ignore

let withATokenAndAScheduler (job: Task<int>) (token: CancellationToken) =
    job.ContinueWith(
        (fun (ended: Task<int>) -> printfn $"{ended.Status}"),
        token,
        TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default
    )
    |> ignore

let withState (job: Task) =
    job.ContinueWith((fun (_: Task) (state: obj) -> printfn $"{state}"), box 1) |> ignore

let throughAFunction (job: Task<int>) =
    job |> fun ended -> ended.ContinueWith(fun (_: Task<int>) -> ()) |> ignore

let ofWorkThatStartsHere () =
    (save "a").ContinueWith(fun (ended: Task) -> printfn $"{ended.Exception}") |> ignore

let ofADelay (stop: unit -> unit) = Task.Delay(10).ContinueWith(fun _ -> stop ()) |> ignore

let inATask (job: Task) =
    task {
        job.ContinueWith(fun (_: Task) -> printfn "ended") |> ignore
        let _ = job.ContinueWith(fun (_: Task) -> printfn "ended")
        do! Task.Delay 1
    }

let inAsync (job: Task<int>) =
    async {
        job.ContinueWith(fun (ended: Task<int>) -> printfn $"{ended.Result}") |> ignore
        job.ContinueWith(fun (_: Task<int>) -> 1) |> Async.AwaitTask |> ignore
        do! Async.Sleep 1
    }

let inAStrand (job: Task<int>) =
    strand {
        job.ContinueWith(Action<Task<int>>(fun _ -> ())) :> Task |> ignore
        return! count "a"
    }

let inALoop (jobs: Task<int> list) =
    task {
        for job in jobs do
            job.ContinueWith(fun (_: Task<int>) -> printfn "ended") |> ignore

        jobs |> List.iter (fun job -> job.ContinueWith(fun (_: Task<int>) -> ()) |> ignore)
        do! Task.Delay 1
    }

let inABranch (job: Task) (isWanted: bool) =
    task {
        if isWanted then
            job.ContinueWith(fun (_: Task) -> ()) |> ignore

        do! job
    }

let oneAfterTheOther (job: Task) =
    job.ContinueWith(fun (_: Task) -> 1).ContinueWith(fun (n: Task<int>) -> printfn $"{n.Result}")
    |> ignore

let unwrapped (job: Task) = job.ContinueWith(fun (_: Task) -> save "b").Unwrap() |> ignore

let configured (job: Task) = job.ContinueWith(fun (_: Task) -> ()).ConfigureAwait(false) |> ignore

let whenAll (jobs: Task[]) =
    Task.Factory.ContinueWhenAll(jobs, fun (_: Task[]) -> printfn "all") |> ignore

let whenAny (jobs: Task[]) =
    task {
        Task.Factory.ContinueWhenAny(jobs, fun (_: Task) -> printfn "one") |> ignore
        do! Task.WhenAll jobs
    }

let private onEnd (job: Task) (f: unit -> unit) = job.ContinueWith(fun (_: Task) -> f ())

let private logged (job: Task<int>) : Task =
    job.ContinueWith((fun (ended: Task<int>) -> printfn $"{ended.Exception}"), TaskContinuationOptions.OnlyOnFaulted)

let byAFunction (job: Task<int>) =
    task {
        onEnd job (fun () -> printfn "ended") |> ignore
        logged job |> ignore
        return! job
    }

let asAnObject (job: Task) = job.ContinueWith(fun (_: Task) -> ()) |> box |> ignore

let awaitedByHand (job: Task<'T>) : Async<'T> =
    Async.FromContinuations(fun (succeed, fail, _) ->
        job.ContinueWith(fun (ended: Task<'T>) ->
            if ended.IsFaulted then fail ended.Exception
            elif ended.IsCanceled then fail (TaskCanceledException())
            else succeed ended.Result)
        |> ignore)

let theFirst (jobs: Task<int>[]) =
    task {
        Task.WhenAny jobs |> ignore
        return! jobs[0]
    }

let canceled (source: CancellationTokenSource) = source.CancelAsync() |> ignore

type Asked = MailboxProcessor<int * AsyncReplyChannel<int>>

// the call posts the message; the Async only waits for the reply
let posted (agent: Asked) = agent.PostAndAsyncReply(fun reply -> 1, reply) |> ignore

let postedWithATime (agent: Asked) =
    task {
        let! _ = agent.PostAndTryAsyncReply((fun reply -> 1, reply), 100)
        agent.PostAndTryAsyncReply((fun reply -> 2, reply), 100) |> ignore
    }

type Desk(agent: Asked) =
    member _.Ask number = agent.PostAndAsyncReply(fun reply -> number, reply)
    member desk.Tell number = desk.Ask number |> ignore
