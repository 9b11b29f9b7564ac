// A wait of no length asks, and returns at once.
module PLT201.Negative.Tries

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs

let semaphore (slots: SemaphoreSlim) =
    task {
        if slots.Wait 0 then
            let! n = count "a"
            slots.Release() |> ignore
            return n
        else
            return 0
    }

let handle (opened: ManualResetEvent) =
    async {
        let isOpen = opened.WaitOne 0
        do! Async.Sleep 1
        return isOpen
    }

let span (slots: SemaphoreSlim) =
    task {
        let free = slots.Wait TimeSpan.Zero
        let! n = count "a"
        return free, n
    }

let ofALazyTask (setting: Lazy<Task<int>>) =
    task {
        try
            let! number = setting.Value
            return number
        with _ ->
            return setting.Value.Result
    }

type LazyCache() =
    member _.Load(name: string) : Task<int> = count name

let ofACacheWithLazyInItsName (cache: LazyCache) (job: Task<int>) =
    task {
        try
            let more = cache.Load "a"
            let! n = job
            let! m = more
            return n + m
        with _ ->
            return job.Result
    }
