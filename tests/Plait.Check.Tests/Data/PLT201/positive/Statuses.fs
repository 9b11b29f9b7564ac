// A status that is one of several, of which some are of a task that runs.
module PLT201.Positive.Statuses

open System.Threading.Tasks

let oneThatRuns (job: Task<int>) =
    task {
        if List.exists (fun status -> status = job.Status) [ TaskStatus.Running; TaskStatus.Faulted ] then
            return job.Result // PLT201 warning
        else
            return 0
    }

let anotherThanOne (job: Task<int>) =
    task {
        if List.exists (fun status -> status <> job.Status) [ TaskStatus.RanToCompletion; TaskStatus.Faulted ] then
            return job.Result // PLT201 warning
        else
            return 0
    }

let notAmong (job: Task<int>) =
    task { if List.contains job.Status [ TaskStatus.RanToCompletion ] then return 0 else return job.Result } // PLT201 warning

let oneCaseIsMissing (job: Task<int>) =
    task {
        match job.Status with
        | TaskStatus.Created
        | TaskStatus.WaitingForActivation
        | TaskStatus.WaitingToRun
        | TaskStatus.WaitingForChildrenToComplete -> return 0
        | _ -> return job.Result // PLT201 warning
    }

/// Each read may see another status.
let readAgain (job: Task<int>) =
    task {
        if job.Status = TaskStatus.Created then return 0
        elif job.Status = TaskStatus.WaitingForActivation then return 0
        elif job.Status = TaskStatus.WaitingToRun then return 0
        elif job.Status = TaskStatus.Running then return 0
        elif job.Status = TaskStatus.WaitingForChildrenToComplete then return 0
        else return job.Result // PLT201 warning
    }
