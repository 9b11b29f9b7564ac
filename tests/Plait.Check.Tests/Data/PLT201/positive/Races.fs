// Of a race only the winner is complete: the loser is waited for.
module PLT201.Positive.Races

open System
open System.Diagnostics
open System.Threading.Tasks
open Support.Jobs
open Plait

let theLoser (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)
        if first = timeout then return job.Result else return 0 // PLT201 warning
    }

let behindElse (job: Task<int>) =
    async {
        let! first = Task.WhenAny(job, Task.Delay 1000) |> Async.AwaitTask
        if first = job then return 0 else return job.Result // PLT201 warning
    }

let notTheJob (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)
        if first <> job then return job.Result else return 0 // PLT201 warning
    }

let notTheTimeout (job: Task<int>) =
    strand {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)
        if not (obj.ReferenceEquals(first, timeout)) then return 0 else return job.Result // PLT201 warning
    }

let withoutAQuestion (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)
        return a.Result // PLT201 warning
    }

let theOther (a: Task<int>) (b: Task<int>) =
    async {
        let! first = Task.WhenAny(a, b) |> Async.AwaitTask
        if first = a then return b.Result else return a.Result // PLT201 warning, PLT201 warning
    }

let oneOfTwoThatAreLeft (a: Task<int>) (b: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(a :> Task, b, timeout)
        if first = timeout then return 0 else return a.Result // PLT201 warning
    }

let behindAnd (job: Task<int>) (wanted: bool) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)
        if first = timeout && wanted then return 0 else return job.Result // PLT201 warning
    }

let anotherRace (a: Task<int>) (b: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(a, timeout)
        if first <> timeout then return b.Result else return 0 // PLT201 warning
    }

let theWinnerIsNotKnown (winner: Task) (job: Task<int>) =
    task {
        if winner = job then return job.Result else return 0 // PLT201 warning
    }

let notRaising (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)

        if first = timeout then
            printfn "late"

        return job.Result // PLT201 warning
    }

let notAwaited (a: Task<int>) (b: Task<int>) =
    task {
        let first = Task.WhenAny(a, b)
        return first.Result // PLT201 warning
    }

let theCompletionOfOne (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)
        // a failed one is complete as well
        if a.IsCompletedSuccessfully then return a.Result else return b.Result // PLT201 warning
    }

let askedBefore (a: Task<int>) (b: Task<int>) =
    task {
        let wasThere = a.IsCompleted
        let! _ = Task.WhenAny(a, b)
        if wasThere then return a.Result else return b.Result // PLT201 warning
    }

let anotherPlace (jobs: Task<int>[]) =
    task {
        let! first = Task.WhenAny jobs
        if first = jobs[0] then return jobs[1].Result else return 0 // PLT201 info
    }

let writtenMeanwhile (jobs: Task<int>[]) =
    task {
        let! first = Task.WhenAny jobs

        if first = jobs[0] then
            jobs[0] <- count "again"
            return jobs[0].Result // PLT201 info
        else
            return 0
    }

let statusThatSaysNothing (job: Task<int>) =
    task {
        if job.Status <> TaskStatus.Running then return job.Result // PLT201 warning
        elif job.Status = TaskStatus.Created then return job.Result // PLT201 warning
        else return 0
    }

let statusOfTheWrongBranch (job: Task<int>) =
    async {
        if job.Status <> TaskStatus.RanToCompletion then return job.Result // PLT201 warning
        elif TaskStatus.RanToCompletion > job.Status then return job.Result
        else return 0
    }

let statusThatMayBeRunning (job: Task<int>) =
    task {
        match job.Status with
        | TaskStatus.Faulted -> return -1
        | _ -> return job.Result // PLT201 warning
    }

let oneOfTwoQuestions (job: Task<int>) (wanted: bool) =
    task {
        if wanted || job.IsCompleted then return job.Result else return 0 // PLT201 warning
    }

let notBoth (left: Task<int>) (right: Task<int>) =
    task {
        if left.IsCompleted && right.IsCompleted then return 0
        else return left.Result // PLT201 warning
    }

let notFaulted (job: Task<int>) =
    task { if not job.IsFaulted && not job.IsCanceled then return job.Result else return 0 } // PLT201 warning

let ofAProcess (running: Process) (other: Process) =
    task {
        do! running.WaitForExitAsync()
        other.WaitForExit() // PLT201 warning
        return running.ExitCode
    }

let ofAProcessThatRuns (running: Process) =
    task {
        if not running.HasExited then
            running.WaitForExit() // PLT201 warning

        return running.ExitCode
    }

let oneThatIsLeftOut (jobs: Task<int> list) (wanted: Task<int> -> bool) =
    task {
        for job in jobs do
            if wanted job then
                do! job :> Task

        return jobs |> List.sumBy (fun job -> job.Result) // PLT201 warning
    }
