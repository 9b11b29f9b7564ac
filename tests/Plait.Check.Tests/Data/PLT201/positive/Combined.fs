// Tasks that may be incomplete beside a combined one.
module PLT201.Positive.Combined

open System.Threading.Tasks
open Support.Jobs

let failedBefore (first: Task<int>) (jobs: Task<int>[]) =
    task {
        try
            let! n = first
            let! _ = Task.WhenAll jobs
            printfn $"{n}"
        with _ ->
            ()

        return jobs[0].Result // PLT201 info
    }

let failedInTime (job: Task<int>) =
    task {
        try
            let! _ = job.WaitAsync(System.TimeSpan.FromSeconds 1.)
            ()
        with _ ->
            ()

        return job.Result // PLT201 warning
    }

let setElsewhere (source: TaskCompletionSource<int>) (other: TaskCompletionSource<int>) =
    task {
        other.SetResult 1
        return source.Task.Result // PLT201 warning
    }

let filteredOnly (jobs: Task<int> list) =
    task {
        return
            jobs
            |> List.filter (fun job -> job.Id > 0)
            |> List.map (fun job -> job.Result) // PLT201 warning
    }

let failedLazily (settings: Lazy<int>) (job: Task<int>) =
    task {
        try
            let more = settings.Value
            let! n = job
            return n + more
        with _ ->
            return job.Result // PLT201 warning
    }

let failedByForce (settings: Lazy<int>) (job: Task<int>) =
    task {
        try
            let more = settings.Force()
            let! n = job
            return n + more
        with _ ->
            return job.Result // PLT201 warning
    }

let failedInTheFunction (setting: Lazy<Task<int>>) (job: Task<int>) =
    task {
        try
            let more = setting.Value
            let! n = job
            let! m = more
            return n + m
        with _ ->
            return job.Result // PLT201 warning
    }
