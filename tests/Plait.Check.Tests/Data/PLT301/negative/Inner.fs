// Operations that an awaited function of the check gave back, and that have another reader.
module PLT301.Negative.Inner

open System.Collections.Concurrent
open System.Collections.Generic
open System.Threading.Tasks
open Support.Jobs

let private started () = task { return save "a" }

let private kept (jobs: List<Task>) =
    task {
        let saving = save "a"
        jobs.Add saving
        return saving
    }

let private cached (jobs: ConcurrentDictionary<string, Task<int>>) =
    task { return jobs.GetOrAdd("a", (fun key -> count key)) }

let private first (one: Task<int>) (two: Task<int>) =
    task {
        let! ended = Task.WhenAny(one, two)
        return ended
    }

let awaited () =
    task {
        let! saving = started ()
        do! saving
    }

let givenOn () =
    task {
        let! saving = started ()
        return saving
    }

let ofAList (jobs: List<Task>) =
    task {
        let! _ = kept jobs
        return 1
    }

let ofACache (jobs: ConcurrentDictionary<string, Task<int>>) =
    task {
        let! _ = cached jobs
        return 1
    }

let ofARace (one: Task<int>) (two: Task<int>) =
    task {
        let! _ = first one two
        return one.IsCompleted
    }

let private observedAndReturned () =
    task {
        let saving = save "a"
        saving.ContinueWith(fun (ended: Task) -> printfn $"{ended.Status}") |> ignore
        return saving
    }

let onlyTheOuter () =
    task {
        let! _ = observedAndReturned ()
        return 1
    }

let ofAContinuation () =
    task {
        let! saving = (count "a").ContinueWith(fun (_: Task<int>) -> save "b")
        do! saving
        do! (count "a").ContinueWith(fun (_: Task<int>) -> save "b").Unwrap()
        let! _ = (count "a").ContinueWith(fun (counted: Task<int>) -> counted)
        return 1
    }

let shared (names: string list) =
    task {
        let one = (fetch "a").AsTask()
        let all = names |> List.map (fun name -> (fetch name).AsTask())
        let! numbers = Task.WhenAll all
        let! number = one
        return number + numbers.Length
    }

let sharedAndKept (jobs: List<Task<int>>) =
    task {
        let one = (fetch "a").AsTask()
        jobs.Add one
        return 1
    }
