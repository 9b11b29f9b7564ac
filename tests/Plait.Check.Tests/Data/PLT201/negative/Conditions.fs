// Questions about the state of a task, in every form in which they are asked.
module PLT201.Negative.Conditions

open System.Diagnostics
open System.Threading.Tasks
open Support.Jobs
open Plait

let statusIsNot (job: Task<int>) =
    task { if job.Status <> TaskStatus.RanToCompletion then return 0 else return job.Result }

let statusOnTheRight (job: Task<int>) =
    async { if TaskStatus.RanToCompletion = job.Status then return job.Result else return 0 }

let statusIsNotOnTheRight (job: Task<int>) =
    task { if TaskStatus.RanToCompletion <> job.Status then return 0 else return job.Result }

let statusEquals (job: Task<int>) =
    task { if job.Status.Equals TaskStatus.RanToCompletion then return job.Result else return 0 }

let statusOrder (job: Task<int>) =
    task {
        if job.Status >= TaskStatus.RanToCompletion then return job.Result
        elif TaskStatus.WaitingForChildrenToComplete < job.Status then return job.Result
        else return 0
    }

let statusInOrder (job: Task<int>) =
    task { if job.Status < TaskStatus.RanToCompletion then return 0 else return job.Result }

let statusNamed (job: Task<int>) =
    async {
        let status = job.Status
        printfn $"{status}"
        if status = TaskStatus.RanToCompletion then return job.Result else return 0
    }

let statusWanted (job: Task<int>) =
    task {
        let wanted = TaskStatus.RanToCompletion
        if job.Status = wanted then return job.Result else return 0
    }

let statusMatched (job: Task<int>) =
    task {
        match job.Status with
        | TaskStatus.Faulted
        | TaskStatus.Canceled -> return -1
        | TaskStatus.RanToCompletion -> return job.Result
        | _ -> return 0
    }

let statusMatchedFirst (job: Task<int>) =
    async {
        match job.Status, job with
        | TaskStatus.RanToCompletion, ended -> return ended.Result
        | _, running -> return! Async.AwaitTask running
    }

let statusInAGuard (job: Task<int>) =
    task {
        match job with
        | ended when ended.Status = TaskStatus.RanToCompletion -> return ended.Result
        | ended when ended.Status <> TaskStatus.Running && ended.IsCompleted -> return -1
        | running -> return! running
    }

let statusOfEither (job: Task<int>) =
    task {
        if job.Status = TaskStatus.RanToCompletion || job.Status = TaskStatus.Faulted then
            return job.Result
        else
            return 0
    }

let statusOfBoth (left: Task<int>) (right: Task<int>) =
    task {
        if left.Status = TaskStatus.RanToCompletion && right.IsCompletedSuccessfully then
            return left.Result + right.Result
        else
            return 0
    }

let notBoth (left: Task<int>) (right: Task<int>) =
    task {
        if not (left.IsCompleted && right.IsCompleted) then return 0
        else return left.Result + right.Result
    }

let neither (left: Task<int>) (right: Task<int>) =
    async {
        if not left.IsCompleted || not right.IsCompleted then return 0
        else return left.Result + right.Result
    }

let withAnUnknown (job: Task<int>) (wanted: bool) (other: unit -> bool) =
    task {
        if job.IsCompleted && wanted then return job.Result
        elif other () && wanted && job.IsFaulted then return job.Result
        elif not wanted || not job.IsCompleted || other () then return 0
        else return job.Result
    }

let canceledOrFailed (job: Task<int>) =
    task {
        if not job.IsCanceled && (job.IsFaulted || job.IsCompletedSuccessfully) then
            return job.Result
        else
            return 0
    }

let notNull (job: Task<int> | null) =
    task {
        match job with
        | null -> return 0
        | job -> if job.IsCompleted |> not then return 0 else return job.Result
    }

let compared (job: Task<int>) =
    task { if job.IsCompleted = false then return 0 else return job.Result }

let named (job: Task<int>) =
    task {
        let isDone = job.IsCompleted
        let isReady = isDone && not job.IsFaulted
        do! Task.Delay 1
        return if isReady then job.Result else 0
    }

let chosen (job: Task<int>) (isStrict: bool) =
    task {
        let isReady = if isStrict then job.IsCompletedSuccessfully else job.IsCompleted
        return if isReady then job.Result else 0
    }

let matched (job: Task<int>) =
    task {
        let isReady =
            match job.Status with
            | TaskStatus.RanToCompletion -> true
            | _ -> false

        return if isReady then job.Result else 0
    }

let awaiter (job: Task<int>) =
    task {
        let awaiter = job.GetAwaiter()
        if awaiter.IsCompleted then return awaiter.GetResult() else return! job
    }

type Task<'T> with
    member job.IsThere = job.Status = TaskStatus.RanToCompletion
    member job.IsNotThere() = TaskStatus.RanToCompletion <> job.Status

let askedByMembers (left: Task<int>) (right: Task<int>) =
    task {
        if left.IsThere then return left.Result
        elif right.IsNotThere() then return 0
        else return right.Result
    }

let byAFunctionOfCases (job: Task<int>) =
    task {
        return
            job.Status
            |> function
                | TaskStatus.RanToCompletion -> job.Result
                | _ -> 0
    }

let private isPending (job: Task<int>) = not job.IsCompleted

let private isReady (job: Task<int>) = job.Status = TaskStatus.RanToCompletion && job.Result > 0

let private areReady (left: Task<int>) (right: Task<int>) =
    left.IsCompleted && right.IsCompleted

let private (|Ready|_|) (job: Task<int>) =
    if job.Status <> TaskStatus.RanToCompletion then None else Some job.Result

let askedByFunctions (left: Task<int>) (right: Task<int>) =
    task {
        if isReady left then return left.Result
        elif areReady left right then return left.Result + right.Result
        elif isPending right then return 0
        else return right.Result
    }

let byAPattern (job: Task<int>) =
    task {
        match job with
        | Ready n -> return n
        | _ -> return! job
    }

let private peek (job: Task<int>) =
    if job.Status <> TaskStatus.RanToCompletion then ValueNone else ValueSome job.Result

let peeked (job: Task<int>) =
    task {
        match peek job with
        | ValueSome n -> return n
        | ValueNone -> return! job
    }

let raisingIfNot (job: Task<int>) =
    task {
        if not job.IsCompleted then
            invalidOp "not yet"

        return job.Result
    }

let allOfThem (jobs: Task<int>[]) =
    async {
        let! _ = jobs |> Array.map Async.AwaitTask |> Async.Parallel
        return jobs |> Array.sumBy _.Result
    }

let allAsTasks (jobs: Task<int> list) =
    task {
        do! jobs |> List.map (fun job -> job :> Task) |> Task.WhenAll
        return jobs |> List.map _.Result
    }

let oneByOne (jobs: Task<int> list) =
    task {
        for job in jobs do
            do! job :> Task

        return jobs |> List.sumBy (fun job -> job.Result)
    }

let private both (left: Task<int>) (right: Task<int>) =
    task {
        let! _ = left
        let! _ = right
        return ()
    }

let behindAFunctionThatAwaits (left: Task<int>) (right: Task<int>) =
    task {
        do! both left right
        return left.Result + right.Result
    }

let ofAProcess (running: Process) =
    task {
        do! running.WaitForExitAsync()
        running.WaitForExit()
        return running.ExitCode
    }

let ofAProcessInAsync (running: Process) =
    async {
        do! running.WaitForExitAsync() |> Async.AwaitTask
        running.WaitForExit()
        return running.ExitCode
    }

let ofAProcessThatExited (running: Process) =
    task {
        if running.HasExited then
            running.WaitForExit()

        return 0
    }

let ofAProcessInARace (running: Process) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(running.WaitForExitAsync(), timeout)

        if first <> timeout then
            running.WaitForExit()

        return running.ExitCode
    }
