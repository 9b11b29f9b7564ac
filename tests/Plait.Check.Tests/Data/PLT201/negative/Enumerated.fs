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

let private started = System.Collections.Concurrent.ConcurrentDictionary<string, Task<int>>()

let inACache (names: string list) =
    task {
        let jobs = names |> Seq.map (fun name -> started.GetOrAdd(name, count))
        let! _ = Task.WhenAll jobs
        return jobs |> Seq.sumBy (fun job -> job.Result)
    }

let private remembered (name: string) : Task<int> = started.GetOrAdd(name, count)

let inACacheOfAFunction (names: string list) =
    task {
        let jobs = names |> Seq.map remembered
        let! _ = Task.WhenAll jobs
        return jobs |> Seq.sumBy (fun job -> job.Result)
    }

let private found (name: string) : Task<int> =
    match started.TryGetValue name with
    | true, job -> job
    | _ ->
        let job = count name
        started[name] <- job
        job

let inACacheByHand (names: string list) =
    task {
        let jobs = names |> Seq.map found
        let! _ = Task.WhenAll jobs
        return jobs |> Seq.sumBy (fun job -> job.Result)
    }

type ICache =
    abstract Load: string -> Task<int>

let inAnUnknownCache (cache: ICache) (names: string list) =
    task {
        let jobs = names |> Seq.map cache.Load
        let! _ = Task.WhenAll jobs
        return jobs |> Seq.sumBy (fun job -> job.Result)
    }

let inAFunctionThatIsNotKnown (load: string -> Task<int>) (names: string list) =
    task {
        let jobs = names |> Seq.map load
        let! _ = Task.WhenAll jobs
        return jobs |> Seq.sumBy (fun job -> job.Result)
    }

let ofOneTask (names: string list) =
    task {
        let shared = count "a"
        let jobs = names |> Seq.map (fun _ -> shared)
        let! _ = Task.WhenAll jobs
        return jobs |> Seq.sumBy (fun job -> job.Result)
    }

let inACacheOfTheFunction (names: string list) =
    task {
        let jobs =
            names
            |> Seq.map (fun name ->
                match started.TryGetValue name with
                | true, job -> job
                | _ ->
                    let job = count name
                    started[name] <- job
                    job)

        let! _ = Task.WhenAll jobs
        return jobs |> Seq.sumBy (fun job -> job.Result)
    }
