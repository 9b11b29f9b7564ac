// Tasks in the cases of a union of which a helper awaits some, and in sequences of which the code awaits some.
module PLT201.Positive.Awaited

open System.Threading.Tasks
open Support.Jobs

type Work =
    | Two of Task<int> * Task<int>
    | One of Task<int>
    | Nothing

let private awaitFirst (work: Work) : Task =
    task {
        match work with
        | Two(a, _) ->
            let! _ = a
            ()
        | One a ->
            let! _ = a
            ()
        | Nothing -> ()
    }

let private firstOf (work: Work) : Task<int> list =
    match work with
    | Two(a, _) -> [ a ]
    | One a -> [ a ]
    | Nothing -> []

let byATask (work: Work) =
    task {
        do! awaitFirst work

        match work with
        | Two(a, b) -> return a.Result + b.Result // PLT201 warning
        | One a -> return a.Result
        | Nothing -> return 0
    }

let byAList (work: Work) =
    task {
        let! _ = Task.WhenAll(firstOf work)

        match work with
        | Two(a, b) -> return a.Result + b.Result // PLT201 warning
        | One a -> return a.Result
        | Nothing -> return 0
    }

let oneOfPairs (pairs: (Task<int> * Task<int>) list) =
    task {
        let! _ =
            Task.WhenAll(
                seq {
                    for a, b in pairs do
                        yield a

                        if b.Id > 3 then
                            yield b
                }
            )

        return pairs |> List.sumBy (fun (a, b) -> a.Result + b.Result) // PLT201 warning
    }

let thatAreMany (jobs: Task<int> list) =
    task {
        let! _ =
            Task.WhenAll(
                seq {
                    for job in jobs do
                        if job.Id > 3 then
                            job
                }
            )

        return jobs |> List.sumBy (fun job -> job.Result) // PLT201 warning
    }

let ofTasks (names: string[]) =
    task {
        let outer =
            names |> Array.map (fun name -> Task.Factory.StartNew(fun () -> count name))

        let! _ = Task.WhenAll outer
        return outer |> Array.sumBy (fun job -> job.Result.Result) // PLT201 warning
    }
