// Tasks that a comprehension left out, or that only one case of a union has awaited.
module PLT201.Positive.Comprehensions

open System.Threading.Tasks

let some (pairs: (int * Task<int>) list) =
    task {
        let! _ = Task.WhenAll [ for number, one in pairs do if number > 1 then one ]
        return pairs |> List.sumBy (fun (_, one) -> one.Result) // PLT201 warning
    }

let filtered (tasks: Task<int> list) =
    task {
        let! _ = Task.WhenAll(seq { for one in tasks do if one.Id > 3 then one })
        return tasks |> List.sumBy _.Result // PLT201 warning
    }

let filteredList (tasks: Task<int> list) =
    task {
        let! _ = Task.WhenAll [ for one in tasks do if one.Id > 3 then one ]
        return tasks |> List.sumBy _.Result // PLT201 warning
    }

let outerAlone (tasks: Task<Task<int>>[]) =
    task {
        let! _ = Task.WhenAll tasks
        return tasks |> Array.map (fun one -> one.Result.Result) // PLT201 warning
    }

type Job =
    | Two of Task<int> * Task<int>
    | One of Task<int>

let oneCase (job: Job) =
    task {
        match job with
        | Two(a, _) ->
            let! _ = a
            ()
        | One a ->
            let! _ = a
            ()

        match job with
        | Two(_, b) -> return b.Result // PLT201 warning
        | One a -> return a.Result
    }
