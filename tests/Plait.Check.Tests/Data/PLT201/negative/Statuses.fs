// A status that is one of several, or none of several, at one read of it.
module PLT201.Negative.Statuses

open System.Collections.Generic
open System.Linq
open System.Threading.Tasks

let private ended = [ TaskStatus.RanToCompletion; TaskStatus.Faulted; TaskStatus.Canceled ]


let byExists (job: Task<int>) =
    task { if List.exists (fun status -> status = job.Status) ended then return job.Result else return 0 }

let writtenOut (job: Task<int>) =
    task {
        if Array.exists (fun status -> job.Status = status) [| TaskStatus.RanToCompletion; TaskStatus.Faulted |] then
            return job.Result
        else
            return 0
    }

let byAnOperator (job: Task<int>) =
    task { if [ TaskStatus.RanToCompletion; TaskStatus.Faulted ] |> List.exists ((=) job.Status) then return job.Result else return 0 }

let ofAModule (job: Task<int>) =
    task { if ended |> List.contains job.Status then return job.Result else return 0 }

let ofASet (job: Task<int>) =
    task { if (set [ TaskStatus.RanToCompletion ]).Contains job.Status then return job.Result else return 0 }

let ofAHashSet (job: Task<int>) =
    task { if HashSet([ TaskStatus.RanToCompletion ]).Contains job.Status then return job.Result else return 0 }

let byLinq (job: Task<int>) = task { if ended.Contains job.Status then return job.Result else return 0 }

let byAFunction (job: Task<int>) =
    task {
        let isEnded status = List.contains status ended
        if isEnded job.Status then return job.Result else return 0
    }

let notAmong (job: Task<int>) =
    task { if not (List.contains job.Status ended) then return 0 else return job.Result }

let noneOfTheOthers (job: Task<int>) =
    task {
        match job.Status with
        | TaskStatus.Created
        | TaskStatus.WaitingForActivation
        | TaskStatus.WaitingToRun
        | TaskStatus.Running
        | TaskStatus.WaitingForChildrenToComplete -> return 0
        | _ -> return job.Result
    }

let inAWhen (job: Task<int>) =
    task {
        match job with
        | job when job.Status = TaskStatus.RanToCompletion -> return job.Result
        | _ -> return 0
    }

let inAPair (job: Task<int>) =
    task {
        match job.Status, job.IsFaulted with
        | TaskStatus.RanToCompletion, false -> return job.Result
        | _ -> return 0
    }
