// Cases of unions and of active patterns that tell nothing of a task, and sequences that each enumeration makes anew.
module PLT201.Positive.Cases

open System.Linq
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let private (|Ended|Failed|Running|) (job: Task<int>) =
    if job.IsCompletedSuccessfully then Ended job.Result
    elif job.IsFaulted || job.IsCanceled then Failed
    else Running

let running (job: Task<int>) =
    task {
        match job with
        | Running -> return job.Result // PLT201 warning
        | Ended _
        | Failed -> return 0
    }

let otherThanEnded (job: Task<int>) =
    task {
        match job with
        | Ended number -> return number
        | _ -> return job.Result // PLT201 warning
    }

type private Phase =
    | Working of Task<int>
    | Done of Task<int>

let private phase (job: Task<int>) =
    if job.IsCompleted then Done job else Working job

let ofAUnion (job: Task<int>) =
    task {
        match phase job with
        | Done ended -> return ended.Result
        | Working running -> return running.Result // PLT201 warning
    }

let private (|Both|Other|) (a: Task, b: Task) =
    if a.IsCompleted && b.IsCompleted then Both else Other

let ofTwo (a: Task<int>) (b: Task<int>) =
    task {
        match a, b with
        | Both -> return a.Result + b.Result
        | Other -> return a.Result // PLT201 warning
    }

let startedAgain (names: string list) =
    task {
        let jobs = names |> Seq.map count
        let! _ = Task.WhenAll jobs
        return jobs |> Seq.sumBy (fun job -> job.Result) // PLT201 warning
    }

let startedAgainByLinq (names: string list) =
    task {
        let jobs = names.Select(fun name -> count name)
        let! _ = Task.WhenAll jobs
        return jobs.Select(fun job -> job.Result).ToList() // PLT201 warning
    }

let startedAgainInALoop (names: string list) =
    task {
        let jobs = names |> Seq.map (fun name -> task { return! count name })

        for job in jobs do
            let! _ = job
            ()

        let mutable sum = 0

        for job in jobs do
            sum <- sum + job.Result // PLT201 warning

        return sum
    }

type private Step =
    | First
    | Second of Task<int>
    | Third

let inALaterTurn (names: string list) =
    task {
        let mutable step = First

        for name in names do
            match step with
            | First -> step <- Second(count name)
            | Second job ->
                printfn "%d" job.Result // PLT201 warning
                step <- Third
            | Third -> Thread.Sleep 1 // PLT201 warning
    }
