// Operations of collections that somebody looks at, and registrations.
module PLT301.Negative.Collections

open System.Collections.Generic
open System.Threading.Tasks
open Support.Jobs

let awaitedTogether (names: string list) =
    task {
        let jobs = names |> List.map count
        let! lengths = Task.WhenAll jobs
        return Array.sum lengths
    }

let awaitedOneByOne (names: string[]) =
    task {
        let jobs = Array.map count names
        let mutable sum = 0

        for job in jobs do
            let! length = job
            sum <- sum + length

        return sum
    }

let awaitedInAnOption (name: string option) =
    task {
        match name |> Option.map count with
        | Some job -> return! job
        | None -> return 0
    }

let returned (names: string list) = names |> List.map count

let stored (names: string list) (jobs: List<Task<int>>) =
    names
    |> List.map (fun name ->
        let job = count name
        jobs.Add job
        job)
    |> ignore

let storedAsAWhole (names: string list) (jobs: List<Task<int>>) =
    let started = names |> List.map count
    jobs.AddRange started

let registered (jobs: Task<int> list) =
    jobs
    |> List.map (fun job -> job.ContinueWith(fun (_: Task<int>) -> ()))
    |> ignore

let startedByAsync (names: string list) =
    async {
        let! _ = names |> List.map send |> Async.Parallel
        return ()
    }

let countedOnly (names: string list) =
    task {
        let lengths = names |> List.map String.length
        return ()
    }

let ended (names: string list) = names |> List.map (fun name -> Task.FromResult name) |> ignore

let computed (names: string list) =
    task {
        let jobs = [ for name in names -> count name ]
        let! _ = Task.WhenAll jobs
        return jobs |> List.sumBy _.Result
    }

let aChildThatIsAwaited () =
    async {
        let! child = Async.StartChild(later "a")
        do! Async.Sleep 1
        return! child
    }

let aChildForALambda () =
    async {
        let! child = Async.StartChild(later "a")
        return fun () -> child
    }

let theFirst (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny(a, b)
        return ()
    }

let aTaskThatIsStored (jobs: List<Task<int>>) =
    task {
        let! _ =
            task {
                let job = count "a"
                jobs.Add job
                return job
            }

        return ()
    }

let aTaskThatIsComplete () =
    task {
        let! _ =
            task {
                let job = count "a"
                let! _ = job
                return job
            }

        return ()
    }

let private alsoBy (job: Task<int>) = task { return job }

let aTaskThatIsReturned () =
    task {
        let job = count "a"
        let! _ = alsoBy job
        return job
    }

let aTaskThatAnotherGives (job: Task<int>) =
    task {
        let! _ = task { return job }
        return ()
    }

let writtenOut () =
    task {
        let first = count "a"
        let jobs = [ first; count "b" ]
        let! _ = Task.WhenAll jobs
        return first.Result
    }

let awaitedByItsName () =
    task {
        let job = count "a"
        let jobs = [ job ]
        let! length = job
        printfn $"{jobs.Length}"
        return length
    }

let writtenOutAndReturned () = [ count "a"; count "b" ]

/// Functions that are parameters.
let awaitedOfAParameter (send: string -> Task) (names: string list) =
    task { do! names |> List.map send |> Task.WhenAll }

let returnedOfAParameter (send: string -> Task) (name: string option) =
    name |> Option.map send |> Option.defaultValue Task.CompletedTask

let keptByALibrary (cache: System.Collections.Concurrent.ConcurrentDictionary<string, Task>) (send: string -> Task) =
    cache.GetOrAdd("a", send) |> ignore

let handOn (f: 'A -> 'B) = f

/// A function that a parameter holds is not the code's to call.
let notUsed (send: string -> Task) = ignore send

let notUsedHandedOn (send: string -> Task) = handOn send |> ignore

let notUsedOfAnOption (log: (string -> Task) option) =
    match log with
    | Some send -> ignore send
    | None -> ()
