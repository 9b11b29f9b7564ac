// Tasks of which the code awaited others, in pairs, groups and maps.
module PLT201.Positive.Rearranged

open System.Threading.Tasks
open Support.Jobs

let otherHalf (jobs: Task<int>[]) (others: Task<int>[]) =
    task {
        let! _ = Task.WhenAll jobs
        return Array.zip jobs others |> Array.map (fun (_, other) -> other.Result) // PLT201 warning
    }

let firstHalf (jobs: Task<int>[]) (others: Task<int>[]) =
    task {
        let! _ = Task.WhenAll others
        return Array.zip jobs others |> Array.map (fun (job, _) -> job.Result) // PLT201 warning
    }

let twoAtATime (jobs: Task<int>[]) (others: Task<int>[]) =
    task {
        let! _ = Task.WhenAll others
        return Array.map2 (fun (job: Task<int>) (other: Task<int>) -> job.Result + other.Result) jobs others // PLT201 warning
    }

let numbered (jobs: Task<int> list) =
    task { return jobs |> List.indexed |> List.map (fun (index, job) -> index + job.Result) } // PLT201 warning

let grouped (jobs: Task<int> list) =
    task { return jobs |> List.groupBy _.Id |> List.map (fun (key, group) -> key, group |> List.map _.Result) } // PLT201 warning

let inAMap (jobs: Map<int, Task<int>>) =
    task { return jobs |> Map.toList |> List.map (fun (_, job) -> job.Result) } // PLT201 warning
