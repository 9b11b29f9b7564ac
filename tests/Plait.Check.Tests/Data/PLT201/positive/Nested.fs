// A task that another task gives, and that runs on.
module PLT201.Positive.Nested

open System.Threading.Tasks
open Support.Jobs

let byName (outer: Task<Task<int>>) =
    task {
        let! inner = outer
        return inner.Result // PLT201 warning
    }

let byReads (outer: Task<Task<int>>) =
    task {
        let! _ = outer
        return outer.Result.Result // PLT201 warning
    }

let ofAnother (outer: Task<Task<int>>) (other: Task<Task<int>>) =
    task {
        let! inner = outer
        let! _ = inner
        let! second = other
        return second.Result // PLT201 warning
    }

let unwrapped (outer: Task<Task<int>>) =
    task { return outer.Unwrap().Result } // PLT201 warning

let started () =
    task {
        let! inner = Task.Factory.StartNew(fun () -> count "a")
        return inner.Result // PLT201 warning
    }
