// Tasks in the cases of a union that a helper awaits, in sequences of some values, and in tasks of tasks.
module PLT201.Negative.Awaited

open System.Threading.Tasks
open Support.Jobs

type Work =
    | Two of Task<int> * Task<int>
    | One of Task<int>
    | Nothing

let private awaitAll (work: Work) : Task =
    task {
        match work with
        | Two(a, b) ->
            let! _ = Task.WhenAll(a, b)
            ()
        | One a ->
            let! _ = a
            ()
        | Nothing -> ()
    }

let private all (work: Work) =
    match work with
    | Two(a, b) -> Task.WhenAll [ a :> Task; b ]
    | One a -> a
    | Nothing -> Task.CompletedTask

let private tasksOf (work: Work) : Task<int> list =
    match work with
    | Two(a, b) -> [ a; b ]
    | One a -> [ a ]
    | Nothing -> []


let byATask (work: Work) =
    task {
        do! awaitAll work

        match work with
        | Two(a, b) -> return a.Result + b.Result
        | One a -> return a.Result
        | Nothing -> return 0
    }

let byTheFirst (work: Work) =
    task {
        do! all work

        match work with
        | Two(a, b) -> return a.Result + b.Result
        | One a -> return a.Result
        | Nothing -> return 0
    }

let byAList (work: Work) =
    task {
        let! _ = Task.WhenAll(tasksOf work)

        match work with
        | Two(a, b) -> return a.Result + b.Result
        | One a -> return a.Result
        | Nothing -> return 0
    }

let ofAKnownCase () =
    task {
        let work = Two(count "a", count "b")
        do! awaitAll work

        match work with
        | Two(a, b) -> return a.Result + b.Result
        | One a -> return a.Result
        | Nothing -> return 0
    }

let inAListOfPairs (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAll [ a; b ]
        let pairs = [ yield "a", a; yield "b", b ]
        return pairs |> List.map (fun (name, job) -> name, job.Result)
    }

let inASequenceOfPairs (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAll [ a; b ]

        return
            [
                for name, job in
                    seq {
                        yield "a", a
                        yield "b", b
                    } -> name, job.Result
            ]
    }

let bothOfPairs (pairs: (Task<int> * Task<int>) list) =
    task {
        let! _ =
            Task.WhenAll(
                seq {
                    for a, b in pairs do
                        yield a
                        yield b
                }
            )

        return pairs |> List.sumBy (fun (a, b) -> a.Result + b.Result)
    }

let thatHaveNotFailed (jobs: Task<int> list) =
    task {
        let! _ =
            Task.WhenAll(
                seq {
                    for job in jobs do
                        if not job.IsFaulted then
                            job
                }
            )

        return jobs |> List.sumBy (fun job -> job.Result)
    }

let ofTasks (names: string[]) =
    task {
        let outer =
            names |> Array.map (fun name -> Task.Factory.StartNew(fun () -> count name))

        let! inner = Task.WhenAll outer
        let! _ = Task.WhenAll inner
        return outer |> Array.sumBy (fun job -> job.Result.Result)
    }
