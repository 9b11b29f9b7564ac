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
