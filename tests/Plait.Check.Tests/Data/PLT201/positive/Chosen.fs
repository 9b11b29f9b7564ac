// Elements that are not complete, or of which that is not known.
module PLT201.Positive.Chosen

open System.Linq
open System.Threading.Tasks

type Job = { Name: string; Running: Task<int> }

let notComplete (jobs: Task<int> list) =
    task { return jobs |> List.filter (fun job -> not job.IsCompleted) |> List.sumBy (fun job -> job.Result) } // PLT201 warning

let others (jobs: Task<int> list) =
    task {
        let ended, running = jobs |> List.partition (fun job -> job.IsCompleted)
        return ended.Length + (running |> List.sumBy _.Result) // PLT201 warning
    }

let someAreComplete (jobs: Task<int> list) =
    task { if jobs |> List.exists _.IsCompleted then return jobs |> List.sumBy _.Result else return 0 } // PLT201 warning

let ofAnotherField (jobs: Job list) =
    task { return jobs |> List.filter (fun job -> job.Name = "a") |> List.sumBy (fun job -> job.Running.Result) } // PLT201 warning

let byLinq (jobs: Task<int> seq) = task { return jobs.Sum(fun (job: Task<int>) -> job.Result) } // PLT201 warning

let byAQuery (jobs: Task<int> list) =
    task {
        return
            query {
                for job in jobs do
                    select job.Result // PLT201 warning
            }
            |> Seq.toList
    }

let byParallelLinq (names: int list) (start: int -> Task<int>) =
    task {
        let sum = names.AsParallel().WithDegreeOfParallelism(4).Sum(fun name -> (start name).Result) // PLT201 warning
        names.AsParallel().ForAll(fun name -> (start name).Wait()) // PLT201 warning
        return sum
    }

let byMethods (names: ResizeArray<int>) (start: int -> Task<int>) =
    task {
        names.ForEach(fun name -> (start name).Wait()) // PLT201 warning
        return names.ToDictionary((fun name -> name), (fun name -> (start name).Result)) // PLT201 warning
    }

let folded (jobs: Task<int> list) = task { return jobs |> List.fold (fun sum job -> sum + job.Result) 0 } // PLT201 warning

let lookedUp (jobs: System.Collections.Generic.Dictionary<string, Task<int>>) =
    task {
        match jobs.TryGetValue "a" with
        | true, job -> return job.Result // PLT201 warning
        | _ -> return 0
    }
