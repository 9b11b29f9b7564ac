// Tasks that have ended, although the await of all of them failed; tasks that a stream gives when they have ended.
module PLT201.Negative.Combined

open System.Linq
open System.Threading
open System.Threading.Tasks
open Support.Jobs

let failed (jobs: Task<int>[]) =
    task {
        try
            do! Task.WhenAll jobs :> Task
        with _ ->
            ()

        return jobs |> Array.map (fun job -> if job.IsFaulted then 0 else job.Result)
    }

let failedWithResults (jobs: Task<int>[]) =
    task {
        try
            let! _ = Task.WhenAll jobs
            ()
        with _ ->
            ()

        return
            [
                for job in jobs do
                    if not (job.IsFaulted || job.IsCanceled) then
                        job.Result
            ]
    }

let failedInAsync (jobs: Task<int> list) =
    async {
        try
            do! Task.WhenAll jobs |> Async.AwaitTask |> Async.Ignore
        with _ ->
            ()

        return jobs |> List.choose (fun job -> if job.IsFaulted then None else Some job.Result)
    }

let failedWithoutContext (first: Task<int>) (second: Task<int>) =
    task {
        try
            let! _ = Task.WhenAll([| first; second |]).ConfigureAwait false
            ()
        with _ ->
            ()

        return first.Result + second.Result
    }

let failedAsTasks (jobs: Task<int> list) =
    task {
        try
            do! jobs |> Seq.map (fun job -> job :> Task) |> Seq.toArray |> Task.WhenAll
        with _ ->
            ()

        return jobs |> List.map (fun job -> job.Result)
    }

let private allOf (jobs: Task<int> list) = Task.WhenAll jobs

let failedInAFunction (jobs: Task<int> list) =
    task {
        try
            let! _ = allOf jobs
            ()
        with _ ->
            ()

        return jobs |> List.map (fun job -> job.Result)
    }

let byHand (jobs: Task<int> list) =
    task {
        use each = (Task.WhenEach jobs).GetAsyncEnumerator()

        while! each.MoveNextAsync() do
            printfn $"{each.Current.Result}"
    }

let byHandWithAToken (jobs: Task<int>[]) (token: CancellationToken) =
    task {
        let each =
            Task.WhenEach(jobs).WithCancellation(token).ConfigureAwait(false).GetAsyncEnumerator()

        let mutable goes = true
        let mutable sum = 0

        while goes do
            let! has = each.MoveNextAsync()
            goes <- has

            if has then
                let job = each.Current
                sum <- sum + job.Result

        do! each.DisposeAsync()
        return sum
    }

let set () =
    task {
        let source = TaskCompletionSource<int>()
        source.SetResult 1
        return source.Task.Result
    }

let setOrSetBefore (source: TaskCompletionSource<int>) =
    task {
        let job = source.Task
        source.TrySetResult 1 |> ignore
        return job.Result
    }

let setWithoutAResult () =
    task {
        let source = TaskCompletionSource()
        source.TrySetCanceled() |> ignore
        source.Task.Wait()
    }

let filtered (jobs: Task<int> list) =
    task {
        let! _ = Task.WhenAll jobs

        return
            jobs
            |> Seq.filter (fun job -> job.Result > 0)
            |> Seq.map (fun job -> job.Result)
            |> Seq.toList
    }

let queried (jobs: Task<int>[]) =
    task {
        let! _ = Task.WhenAll jobs

        return
            query {
                for job in jobs do
                    where (job.Result > 0)
                    select job.Result
            }
            |> Seq.toList
    }

let byLinq (jobs: Task<int>[]) =
    task {
        let! _ = Task.WhenAll jobs
        return jobs.Where(fun job -> job.Result > 0).Select(fun job -> job.Result).ToList()
    }

let notEnumerated () =
    task { return Seq.init 3 (fun _ -> (count "a").Result) }

let withoutEnd () =
    task { return Seq.initInfinite (fun _ -> (count "a").Result) }

let unfolded () =
    task { return Seq.unfold (fun at -> Some((count "a").Result, at + 1)) 0 }
