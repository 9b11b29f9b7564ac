// A task that another task gives: each await and each read gives the same one.
module PLT201.Negative.Nested

open System
open System.Threading.Tasks
open Support.Jobs

let byName (outer: Task<Task<int>>) =
    task {
        let! inner = outer
        let! _ = inner
        return outer.Result.Result
    }

let byReads (outer: Task<Task<int>>) =
    task {
        let! _ = outer
        let! _ = outer.Result
        return outer.Result.Result
    }

let byTwoNames (outer: Task<Task<int>>) =
    task {
        let! inner = outer
        let! _ = inner
        let! again = outer
        return again.Result
    }

let unwrapped (outer: Task<Task<int>>) =
    task {
        let! number = outer.Unwrap()
        let! inner = outer
        return number + outer.Result.Result + inner.Result
    }

let unwrappedWithoutResult (outer: Task<Task>) =
    task {
        do! outer.Unwrap()
        outer.Result.Wait()
    }

let started () =
    task {
        let outer = Task.Factory.StartNew(fun () -> count "a")
        let! inner = outer
        let! _ = inner
        return outer.Result.Result
    }

let startedAndUnwrapped () =
    task {
        let outer = Task.Factory.StartNew(fun () -> count "a")
        let! number = outer.Unwrap()
        return number + outer.Result.Result
    }

let inAsync (outer: Task<Task<int>>) =
    async {
        let! inner = Async.AwaitTask outer
        let! _ = Async.AwaitTask inner
        return outer.Result.Result
    }

let inTime (outer: Task<Task<int>>) =
    task {
        let! inner = outer.WaitAsync(TimeSpan.FromSeconds 1.0)
        let! _ = inner
        return outer.Result.Result
    }
