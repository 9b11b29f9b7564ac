// Tasks of a sequence that are made once.
module PLT201.Negative.Enumerated

open System.Linq
open System.Threading.Tasks
open Support.Jobs

let inAList (names: string list) =
    task {
        let jobs = names |> Seq.map count |> Seq.toList
        let! _ = Task.WhenAll jobs
        return jobs |> Seq.sumBy (fun job -> job.Result)
    }

let inAnArray (names: string list) =
    task {
        let jobs = names.Select(fun name -> count name).ToArray()
        let! _ = Task.WhenAll jobs
        return jobs.Select(fun job -> job.Result).ToList()
    }

let kept (names: string list) =
    task {
        let jobs = names |> Seq.map count |> Seq.cache
        let! _ = Task.WhenAll jobs
        return jobs |> Seq.sumBy (fun job -> job.Result)
    }

let ofOthers (jobs: Task<int> list) =
    task {
        let all = jobs |> Seq.map (fun job -> job :> Task)
        do! Task.WhenAll all
        return jobs |> List.sumBy (fun job -> job.Result)
    }

let inOneTurn (names: string list) =
    task {
        let mutable sum = 0

        for job in names |> Seq.map count do
            let! _ = job
            sum <- sum + job.Result

        return sum
    }
