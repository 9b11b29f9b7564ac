// Elements that were chosen because they are complete, or whose operation is: in every form of choosing.
module PLT201.Negative.Chosen

open System
open System.Collections.Generic
open System.Linq
open System.Threading.Tasks

type Job = { Name: string; Running: Task<int> }

let inAList (jobs: Task<int> list) =
    task { return jobs |> List.filter (fun job -> job.IsCompleted) |> List.sumBy (fun job -> job.Result) }

let inAnArray (jobs: Task<int>[]) =
    async { return jobs |> Array.filter _.IsCompleted |> Array.map _.Result |> Array.sum }

let others (jobs: Task<int> list) =
    task {
        let ended, running = jobs |> List.partition (fun job -> job.IsCompleted)
        return (ended |> List.sumBy _.Result) + running.Length
    }

let fromASequence (jobs: Task<int> seq) =
    task { return jobs |> Seq.where (fun job -> job.IsCompleted) |> Seq.sumBy (fun job -> job.Result) }

let ofAField (jobs: Job list) =
    task { return jobs |> List.filter _.Running.IsCompleted |> List.map (fun job -> job.Name, job.Running.Result) }

let oneOfAField (jobs: Job list) =
    task {
        match jobs |> List.tryFind (fun job -> job.Running.IsCompleted) with
        | Some job -> return job.Running.Result
        | None -> return 0
    }

let allOfAField (jobs: Job list) =
    task {
        if jobs |> List.forall (fun job -> job.Running.IsCompleted) then
            return jobs |> List.sumBy (fun job -> job.Running.Result)
        else
            return 0
    }

let ofAPattern (jobs: Job list) =
    task { return jobs |> Seq.filter (fun { Running = r } -> r.IsCompleted) |> Seq.sumBy (fun { Running = r } -> r.Result) }

let ofPairs (jobs: (string * Task<int>) list) =
    task { return jobs |> List.filter (fun (_, job) -> job.IsCompleted) |> List.sumBy (fun (_, job) -> job.Result) }

let ofAMap (jobs: Map<string, Task<int>>) =
    task {
        return
            jobs
            |> Map.filter (fun _ job -> job.IsCompleted)
            |> Map.toList
            |> List.sumBy (fun (_, job) -> job.Result)
    }

let ofValues (jobs: Dictionary<string, Task<int>>) =
    task { return jobs.Values |> Seq.filter (fun job -> job.IsCompleted) |> Seq.sumBy (fun job -> job.Result) }

let someOfThem (jobs: Task<int> list) =
    task {
        return
            jobs
            |> List.filter (fun job -> job.IsCompleted)
            |> List.distinct
            |> List.truncate 3
            |> List.sumBy (fun job -> job.Result)
    }

let byLinq (jobs: List<Task<int>>) =
    task { return jobs.Where(fun job -> job.IsCompleted).Select(fun job -> job.Result).Sum() }

let summedByLinq (jobs: Task<int>[]) =
    task { return jobs.Where(fun job -> job.IsCompletedSuccessfully).Sum(fun (job: Task<int>) -> job.Result) }

let byAQuery (jobs: Task<int>[]) =
    task {
        return
            query {
                for job in jobs do
                    where job.IsCompleted
                    select job.Result
            }
            |> Seq.sum
    }

let byMethods (jobs: ResizeArray<Task<int>>) (more: Task<int>[]) =
    task {
        let ended = jobs.FindAll(fun job -> job.IsCompleted)
        let endedToo = Array.FindAll(more, fun job -> job.IsCompleted)
        return (ended |> Seq.sumBy _.Result) + (endedToo |> Array.sumBy _.Result)
    }

let private sumOf (jobs: Task<int> list) = jobs |> List.sumBy (fun job -> job.Result)

let byAFunction (jobs: Task<int> list) =
    task {
        let! _ = Task.WhenAll jobs
        return sumOf jobs
    }

/// The place of an array holds the task that was put there.
let putInAnArray (job: Task<int>) (stop: Task) =
    let jobs: Task[] = [| null; stop |]
    jobs[0] <- job
    let first = Task.WaitAny jobs
    task { return if first = 0 then job.Result else 0 }

let private theFirst (jobs: Job seq) =
    async {
        let! first = Task.WhenAny(jobs.Select(fun job -> job.Running)) |> Async.AwaitTask
        return jobs.Single(fun job -> job.Running = first)
    }

let foundByItsField (jobs: Job seq) =
    async {
        let! job = theFirst jobs
        return job.Running.Result
    }

let private ended (jobs: Job list) = jobs |> List.find (fun job -> job.Running.IsCompleted)

let foundByAFunction (jobs: Job list) = task { return (ended jobs).Running.Result }

let lookedUp (jobs: Dictionary<string, Task<int>>) =
    task {
        match jobs.TryGetValue "a" with
        | true, job when job.IsCompleted -> return job.Result
        | _ -> return 0
    }
