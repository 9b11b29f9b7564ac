// Tasks that were awaited, in pairs, groups, maps and other collections of them.
module PLT201.Negative.Rearranged

open System.Linq
open System.Threading.Tasks
open Support.Jobs

let zipped (jobs: Task<int>[]) (names: string[]) =
    task {
        let! _ = Task.WhenAll jobs
        let first = Array.zip jobs names |> Array.map (fun (job, name) -> name, job.Result)
        let second = Array.zip names jobs |> Array.map (fun (name, job) -> name, job.Result)
        return first, second
    }

let zippedBefore (jobs: Task<int> list) (names: string list) =
    task {
        let pairs = List.zip names jobs
        let! _ = Task.WhenAll jobs
        return [ for name, job in pairs -> name, job.Result ]
    }

let awaitedInPairs (jobs: Task<int> list) (names: string list) =
    task {
        let pairs = List.zip names jobs
        let! _ = pairs |> List.map snd |> Task.WhenAll
        return jobs |> List.map _.Result
    }

let zippedByLinq (jobs: Task<int>[]) (names: string[]) =
    task {
        let! _ = Task.WhenAll jobs
        return names.Zip(jobs, (fun name job -> name, job.Result)).ToArray()
    }

let numbered (jobs: Task<int>[]) =
    task {
        let! _ = Task.WhenAll jobs

        for index, job in Seq.indexed jobs do
            printfn "%d: %d" index job.Result

        return
            jobs
            |> Array.indexed
            |> Array.choose (fun (index, job) -> if index > 0 then Some job.Result else None)
    }

let twoAtATime (jobs: Task<int>[]) (numbers: int[]) =
    task {
        let! _ = Task.WhenAll jobs
        Array.iter2 (fun number (job: Task<int>) -> printfn "%d" (number + job.Result)) numbers jobs
        let sum = Array.fold2 (fun sum number (job: Task<int>) -> sum + number + job.Result) 0 numbers jobs
        return sum, Array.map2 (fun number (job: Task<int>) -> number + job.Result) numbers jobs
    }

let neighbours (jobs: Task<int> list) =
    task {
        let! _ = Task.WhenAll jobs
        return jobs |> List.pairwise |> List.map (fun (a, b) -> b.Result - a.Result)
    }

let grouped (jobs: Task<int> list) =
    task {
        let! _ = Task.WhenAll jobs
        return jobs |> List.groupBy _.IsFaulted |> List.map (fun (key, group) -> key, group |> List.map _.Result)
    }

let chunked (jobs: Task<int> list) =
    task {
        let! _ = Task.WhenAll jobs
        return jobs |> List.chunkBySize 2 |> List.map (List.sumBy _.Result)
    }

let cut (jobs: Task<int> list) =
    task {
        let! _ = Task.WhenAll jobs
        let first, rest = List.splitAt 1 jobs
        return List.sumBy (fun (job: Task<int>) -> job.Result) first, rest |> List.map _.Result
    }

let joined (jobs: Task<int> list) (more: Task<int> list) =
    task {
        let! _ = Task.WhenAll(jobs @ more)
        return jobs |> List.map _.Result, more |> List.map _.Result
    }

let flattened (jobs: Task<int>[][]) =
    task {
        let! _ = Task.WhenAll(Array.concat jobs)
        return jobs |> Array.map (Array.sumBy _.Result)
    }

let unzipped (jobs: (string * Task<int>) list) =
    task {
        let names, running = List.unzip jobs
        let! _ = Task.WhenAll running
        return List.zip names running |> List.map (fun (name, job) -> name, job.Result)
    }

let named (jobs: Task<int> list) =
    task {
        let named = jobs |> List.mapi (fun index job -> string index, job)
        let! _ = Task.WhenAll jobs
        return named |> List.map (fun (name, job) -> name, job.Result)
    }

let inAMap (jobs: Map<int, Task<int>>) =
    task {
        let! _ = jobs |> Map.toSeq |> Seq.map snd |> Task.WhenAll
        let sum = jobs |> Map.fold (fun sum _ job -> sum + job.Result) 0
        return sum, jobs |> Map.map (fun _ job -> job.Result)
    }

let toAMap (jobs: (string * Task<int>) list) =
    task {
        let map = Map.ofList jobs
        let! _ = jobs |> List.map snd |> Task.WhenAll
        return map |> Map.map (fun _ job -> job.Result)
    }
