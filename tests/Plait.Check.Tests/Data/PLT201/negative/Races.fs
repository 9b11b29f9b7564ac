// What `Task.WhenAny` gives is complete, and so is the task that it is, or that is left when it is none of the others.
module PLT201.Negative.Races

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs
open Plait

let winnerInAsync (jobs: Task<int>[]) =
    async {
        let! first = Task.WhenAny jobs |> Async.AwaitTask
        return first.Result
    }

let winnerOfTwo (left: Task<int>) (right: Task<int>) =
    async {
        let! first = Async.AwaitTask(Task.WhenAny(left, right))
        return first.Result
    }

let winnerOfAList (jobs: Task<int> list) =
    task {
        let! first = Task.WhenAny jobs
        return first.GetAwaiter().GetResult()
    }

let configured (left: Task<int>) (right: Task<int>) =
    task {
        let! first = Task.WhenAny(left, right).ConfigureAwait(false)
        return first.Result
    }

let waitedForFirst (left: Task<int>) (right: Task<int>) =
    let first = Task.WhenAny(left, right).Result
    task { return first.Result }

let byUpcasts (a: Task<int>) (b: Task<string>) =
    async {
        let ta, tb = a :> Task, b :> Task
        let! first = Task.WhenAny(ta, tb) |> Async.AwaitTask

        if first = ta then return string a.Result
        elif first = tb then return b.Result
        else return ""
    }

let equalToTheJob (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)
        if first = job then return Some job.Result else return None
    }

let theOtherWayRound (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)
        if (job :> Task) = first then return Some job.Result else return None
    }

let notTheTimeout (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)
        if first <> timeout then return Some job.Result else return None
    }

let behindElse (job: Task<int>) =
    strand {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(timeout, job)
        if timeout = first then return None else return Some job.Result
    }

let notEqual (job: Task<int>) =
    async {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout) |> Async.AwaitTask
        if not (first = timeout) then return job.Result else return 0
    }

let negative (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)
        if first <> job then return 0 else return job.Result
    }

let byReference (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)

        if Object.ReferenceEquals(first, job) then return job.Result
        else return 0
    }

let byReferenceOfTheTimeout (job: Task<int>) =
    async {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout) |> Async.AwaitTask

        if not (obj.ReferenceEquals(timeout, first)) then return job.Result
        else return 0
    }

let byPhysicalEquality (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)

        if LanguagePrimitives.PhysicalEquality first (job :> Task) then
            return job.Result
        else
            return 0
    }

let byEquals (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)

        if first.Equals job then return job.Result
        elif Object.Equals(first, job) then return job.Result
        else return 0
    }

let byNumber (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)
        if first.Id <> timeout.Id then return job.Result else return 0
    }

let byType (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)

        match first with
        | :? Task<int> as ended -> return ended.Result
        | _ -> return 0
    }

let byCast (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)
        if first = timeout then return 0 else return (first :?> Task<int>).Result
    }

let ofThree (a: Task<int>) (b: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(a :> Task, b, timeout)

        if first = a then return a.Result
        elif first = timeout then return 0
        else return b.Result
    }

let ofAnArray (a: Task<int>) (b: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny [| a :> Task; b; timeout |]

        if first = timeout then
            return 0
        else
            if first <> b then return a.Result else return b.Result
    }

let ofANamedList (a: Task<int>) (b: Task<int>) =
    async {
        let both = [ a; b ]
        let! first = Task.WhenAny both |> Async.AwaitTask
        if first = a then return a.Result else return b.Result
    }

let byPlace (jobs: Task<int>[]) =
    task {
        let! first = Task.WhenAny jobs

        if first = jobs[0] then return jobs[0].Result
        elif first = jobs.[1] then return jobs.[1].Result
        else return 0
    }

let byPlaceOfAKnownArray (a: Task<int>) (b: Task<int>) =
    async {
        let jobs = [| a; b |]
        let! first = Task.WhenAny jobs |> Async.AwaitTask
        if first = jobs[0] then return a.Result else return jobs[1].Result
    }

let inATuple (job: Task<int>) =
    task {
        let pair = job, Task.Delay 1000
        let! first = Task.WhenAny(fst pair, snd pair)
        if first = snd pair then return 0 else return (fst pair).Result
    }

let byMatch (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000

        match! Task.WhenAny(job, timeout) with
        | first when first = timeout -> return 0
        | _ -> return job.Result
    }

let byMatchInAsync (a: Task<int>) (b: Task<int>) =
    async {
        match! Task.WhenAny(a, b) |> Async.AwaitTask with
        | first when obj.ReferenceEquals(first, a) -> return a.Result
        | first -> return first.Result + b.Result
    }

let byMatchOnATruth (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)

        match first = job with
        | true -> return job.Result
        | false -> return 0
    }

let keptForLater (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)
        let isLate = first = timeout
        printfn $"{isLate}"
        if isLate then return 0 else return job.Result
    }

let keptAsANumber (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)
        let state = if first = job then "there" else "late"
        let isThere = (first = job) = true
        printfn $"{state}"
        if isThere then return job.Result else return 0
    }

let raising (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)

        if first = timeout then
            raise (TimeoutException())

        return job.Result
    }

let failing (job: Task<int>) =
    async {
        let! first = Task.WhenAny(job, Task.Delay 1000) |> Async.AwaitTask

        if first <> job then
            failwith "late"

        return job.Result + 1
    }

let raisingInOneBranch (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)
        let n = if first = timeout then raise (TimeoutException()) else 1
        return job.Result + n
    }

let private late () : unit = raise (TimeoutException())

let raisingElsewhere (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)

        if first <> job then
            late ()

        return job.Result
    }

let nested (job: Task<int>) (source: CancellationTokenSource) =
    task {
        let timeout = Task.Delay(1000, source.Token)
        let! first = Task.WhenAny(job, timeout)

        if not source.IsCancellationRequested && first <> timeout then
            if job.IsFaulted then
                return -1
            else
                source.Cancel()
                return job.Result
        else
            return 0
    }

let alternatives (job: Task<int>) (wanted: bool) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)

        if first = timeout || not wanted then return 0
        else return job.Result
    }

let theOneThatIsNotLeft (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)
        if a.IsCompleted then return a.Result else return b.Result
    }

let inALoop (job: Task<int>) =
    task {
        let mutable sum = 0
        let mutable goesOn = true

        while goesOn do
            let tick = Task.Delay 100
            let! first = Task.WhenAny(job, tick)

            if first = tick then
                sum <- sum + 1
            else
                sum <- sum + job.Result
                goesOn <- false

        return sum
    }

let untilItWins (job: Task<int>) =
    task {
        let mutable first: Task = null

        while not (obj.ReferenceEquals(first, job)) do
            let! next = Task.WhenAny(job, Task.Delay 100)
            first <- next

        return job.Result
    }

let inATry (job: Task<int>) =
    async {
        try
            let! first = Task.WhenAny(job, Task.Delay 1000) |> Async.AwaitTask
            return if first = job then job.Result else 0
        with error ->
            printfn $"{error}"
            return -1
    }

let withUse (job: Task<int>) =
    task {
        use source = new CancellationTokenSource()
        let timeout = Task.Delay(1000, source.Token)
        let! first = Task.WhenAny(job, timeout)
        source.Cancel()
        return if first = timeout then None else Some job.Result
    }

let ofASource (source: TaskCompletionSource<int>) =
    task {
        let! first = Task.WhenAny [ Task.Delay 1000; source.Task ]

        if first <> source.Task then
            raise (TimeoutException())

        return source.Task.Result
    }

let lateAndNotThere (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)
        if first = timeout && not job.IsCompleted then return 0 else return job.Result
    }

let namedBefore (job: Task<int>) (source: CancellationTokenSource) =
    async {
        let timeout = Task.Delay(1000, source.Token)
        let race = Task.WhenAny [| job :> Task; timeout |] |> Async.AwaitTask
        let! first = race

        return
            if not <| obj.ReferenceEquals(first, timeout) then
                source.Cancel()
                Ok job.Result
            else
                Error "late"
    }

let eachTurn (jobs: Task<int> list) =
    task {
        let mutable sum = 0
        let mutable left = jobs

        while not left.IsEmpty do
            let! first = Task.WhenAny left
            sum <- sum + first.Result
            left <- left |> List.filter (fun job -> job <> first)

        return sum
    }

let fromABlock (job: Task<int>) =
    task {
        let! isThere =
            task {
                let! first = Task.WhenAny(job, Task.Delay 1000)
                return first = job
            }

        if isThere then return job.Result else return 0
    }

let winnerFromABlock (a: Task<int>) (b: Task<int>) =
    async {
        let! first =
            async {
                printfn "which is first?"
                return! Task.WhenAny(a, b) |> Async.AwaitTask
            }

        if first = a then return a.Result else return b.Result
    }

let ofWork (start: string -> Task<int>) =
    task {
        let timeout = Task.Delay 1000

        let work =
            task {
                printfn "it starts"
                return! start "a"
            }

        let! first = Task.WhenAny(work, timeout)
        if first = timeout then return 0 else return work.Result
    }

let ofAContinuation (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job.ContinueWith(fun (_: Task<int>) -> ()), timeout)
        if first = timeout then return 0 else return job.Result
    }

let besideAnother (a: Task<int>) (b: Task<int>) =
    valueTask {
        let! first = Task.WhenAny(a, b)
        and! n = count "a"
        if first = a then return a.Result + n else return b.Result + n
    }

let private race (a: Task) (b: Task) = Task.WhenAny(a, b)

let byAFunction (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = race job timeout
        if first = timeout then return 0 else return job.Result
    }

let private raceInAsync (a: Task<'T>) (b: Task<'T>) = Task.WhenAny(a, b) |> Async.AwaitTask

let byAFunctionThatConverts (a: Task<int>) (b: Task<int>) =
    async {
        let! first = raceInAsync a b
        if first = a then return a.Result else return first.Result + b.Result
    }

let private isThere (milliseconds: int) (job: Task<'T>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay milliseconds)
        return obj.ReferenceEquals(first, job)
    }

let byAFunctionThatAwaits (job: Task<int>) =
    task {
        let! isThere = isThere 1000 job
        return if isThere then job.Result else 0
    }

let private wins (winner: Task) (job: Task) = winner = job

let private loses (winner: Task) (job: Task) = not (obj.ReferenceEquals(winner, job))

let byAFunctionThatCompares (job: Task<int>) =
    task {
        let timeout = Task.Delay 1000
        let! first = Task.WhenAny(job, timeout)
        if wins first job then return job.Result
        elif loses first timeout then return job.Result
        else return 0
    }

let private resultOr (other: int) (winner: Task) (job: Task<int>) =
    if winner = job then job.Result else other

let byAFunctionThatReads (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)
        return resultOr 0 first job
    }

let byALocalFunction (job: Task<int>) =
    task {
        let! first = Task.WhenAny(job, Task.Delay 1000)
        let isFirst (other: Task) = first = other
        if isFirst job then return job.Result else return 0
    }
