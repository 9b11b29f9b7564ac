// Tasks that are complete behind a comprehension over them, in the case of a union, or as results of other tasks.
module PLT201.Negative.Comprehensions

open System.Collections.Generic
open System.Threading.Tasks

let sequences (tasks: Task<int> list) =
    task {
        let! _ = Task.WhenAll(seq { for one in tasks -> one })
        return tasks |> List.sumBy _.Result
    }

let ofPairs (pairs: (string * Task<int>) list) =
    task {
        let! _ = Task.WhenAll [ for _, one in pairs -> one ]
        return pairs |> List.sumBy (fun (_, one) -> one.Result)
    }

let ofMaps (map: Map<string, Task<int>>) =
    task {
        let! _ = Task.WhenAll(seq { for KeyValue(_, one) in map -> one })
        return map |> Seq.sumBy (fun pair -> pair.Value.Result)
    }

let ofDictionaries (map: IDictionary<string, Task<int>>) =
    task {
        let! _ = Task.WhenAll(seq { for pair in map -> pair.Value })
        return [ for pair in map -> pair.Key, pair.Value.Result ]
    }

let inTasks (tasks: Task<Task<int>>[]) =
    task {
        let! inner = Task.WhenAll tasks
        let! _ = Task.WhenAll inner
        return tasks |> Array.map (fun one -> one.Result.Result)
    }

type Job =
    | Two of Task<int> * Task<int>
    | One of Task<int>
    | Nothing

let inCases (job: Job) =
    task {
        match job with
        | Two(a, b) ->
            let! _ = Task.WhenAll(a, b)
            ()
        | One a ->
            let! _ = a
            ()
        | Nothing -> ()

        match job with
        | Two(a, b) -> return a.Result + b.Result
        | One a -> return a.Result
        | Nothing -> return 0
    }
