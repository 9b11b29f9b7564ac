// Operations in collections and variables that the code awaits, keeps or replaces after an await.
module PLT301.Negative.Counted

open System.Threading.Tasks
open Support.Jobs
open Plait

let countedAndAwaited (names: string list) =
    task {
        let jobs = names |> List.map save
        printfn "%d" (List.length jobs)
        do! Task.WhenAll jobs
    }

let eachAwaited (names: string list) =
    task {
        let jobs = names |> List.map save

        for job in jobs do
            do! job

        jobs |> List.iter ignore
    }

let ofOthers (jobs: Task list) =
    task {
        jobs |> List.iter ignore
        return List.length jobs
    }

let replacedAfterItsAwait () =
    task {
        let mutable job = save "a"
        do! job
        job <- save "b"
        do! job
    }

let replacedWhenKept (keep: Task -> unit) =
    task {
        let mutable job = save "a"
        keep job
        job <- save "b"
        do! job
    }

let replacedWhenNamed () =
    task {
        let mutable job = save "a"
        let first = job
        job <- save "b"
        do! Task.WhenAll(first, job)
    }

let replacedWithoutWork () =
    task {
        let mutable job = Task.CompletedTask
        job <- save "b"
        do! job
    }

let insideAList () =
    task {
        let! jobs = task { return [ count "a"; count "b" ] }
        let! numbers = Task.WhenAll jobs
        return Array.sum numbers
    }

let insideOfAll (names: string list) =
    task {
        let! jobs = names |> List.map (fun name -> task { return count name }) |> Task.WhenAll
        let! numbers = Task.WhenAll jobs
        return numbers.Length
    }

let aChild () =
    async {
        let! child = Async.StartChild(send "a")
        ignore 1
        do! child
    }

let anAgent () =
    MailboxProcessor<string>.Start(fun inbox ->
        let rec loop count =
            async {
                let! message = inbox.Receive()
                if message = "" then return! loop 0 else return! loop (count + 1)
            }

        loop 0)

let inRecursion () =
    let rec go n =
        task {
            if n > 0 then
                let next = go (n - 1)
                do! Task.Delay 1
                do! next
        }

    go 3

let countedInPart (names: string list) =
    task {
        let jobs = names |> List.map save
        printfn "%d" (jobs |> List.truncate 5 |> List.length)
        printfn "%d" (jobs |> List.distinct |> List.length)
        printfn "%d" (jobs |> Seq.skip 1 |> Seq.length)
        do! Task.WhenAll jobs
    }

let countedByTheirNames () =
    task {
        let a = save "a"
        let b = save "b"
        printfn "%d" (List.length [ a; b ])
        do! Task.WhenAll(a, b)
    }

let countedInADictionary (names: string list) =
    task {
        let jobs = names |> List.map (fun name -> name, save name) |> dict
        printfn "%d" (Seq.length jobs.Values)
        do! Task.WhenAll jobs.Values
    }

type Batch = { Jobs: Task list; Size: int }

let countedInARecord (names: string list) =
    task {
        let batch = { Jobs = names |> List.map save; Size = names.Length }
        printfn "%d" (List.length batch.Jobs)
        do! Task.WhenAll batch.Jobs
    }

let countedInATuple (names: string list) =
    task {
        let batch = names |> List.map save, names.Length
        printfn "%d" (List.length (fst batch))
        do! Task.WhenAll(fst batch)
    }

let countedInAPipe (names: string list) =
    task {
        do!
            names
            |> List.map save
            |> fun jobs ->
                printfn "%d" (List.length jobs)
                Task.WhenAll jobs
    }

let countedInAFunction (names: string list) =
    task {
        let jobs = names |> List.map save
        let all () = jobs
        printfn "%d" (all () |> List.length)
        do! Task.WhenAll(all ())
    }

let ignoredFirst (names: string list) =
    task {
        let jobs = names |> Seq.map save |> Seq.cache
        jobs |> Seq.iter ignore
        do! Task.WhenAll jobs
    }

let ignoredInALoopFirst (names: string list) =
    task {
        let jobs = names |> List.map save
        for job in jobs do ignore job
        for job in List.rev jobs do ignore job
        do! Task.WhenAll jobs
    }

let ignoredByTheirNames () =
    task {
        let a = save "a"
        let b = save "b"
        [ a; b ] |> List.iter ignore
        do! Task.WhenAll(a, b)
    }

let ignoredInARecord (names: string list) =
    task {
        let batch = { Jobs = names |> List.map save; Size = names.Length }
        batch.Jobs |> List.iter ignore
        do! Task.WhenAll batch.Jobs
    }

let aPlaceholder (flag: bool) =
    task {
        let mutable work = task { return 0 }
        if flag then work <- count "b"
        return! work
    }

let anAsyncPlaceholder (flag: bool) =
    async {
        let mutable work = async { return 0 }
        if flag then work <- later "b"
        return! work
    }

let anAsyncReplaced (flag: bool) =
    async {
        let mutable work = later "a"
        if flag then work <- later "b"
        return! work
    }

let testedAndAwaited (text: string option) =
    task {
        let job = text |> Option.map save

        if job.IsSome then
            do! job.Value
    }

let emptyOrAwaited (texts: string list) =
    task {
        let jobs = texts |> List.map save

        if not (List.isEmpty jobs) then
            do! Task.WhenAll jobs
    }
