// A wait for the first of several tasks blocks, and the others may not be complete behind it.
module PLT201.Positive.FirstOfMany

open System
open System.Threading
open System.Threading.Tasks
open Support.Jobs

let eitherMayHaveLost (a: Task<int>) (b: Task<int>) =
    task {
        Task.WaitAny [| a :> Task; b |] |> ignore // PLT201 warning
        return a.Result + b.Result // PLT201 warning, PLT201 warning
    }

let byArguments (a: Task<int>) (b: Task<int>) =
    async {
        let _ = Task.WaitAny(a, b) // PLT201 warning
        return a.Result // PLT201 warning
    }

let theOtherNumber (a: Task<int>) (b: Task<int>) =
    task {
        if Task.WaitAny(a, b) = 0 then // PLT201 warning
            return b.Result // PLT201 warning
        else
            return a.Result // PLT201 warning
    }

let theOtherCase (a: Task<int>) (b: Task<int>) =
    task {
        match Task.WaitAny(a, b) with // PLT201 warning
        | 1 -> return a.Result // PLT201 warning
        | _ -> return b.Result // PLT201 warning
    }

let oneOfTwoThatAreLeft (a: Task<int>) (b: Task<int>) (c: Task<int>) =
    task {
        match Task.WaitAny(a, b, c) with // PLT201 warning
        | 0 -> return a.Result
        | _ -> return b.Result // PLT201 warning
    }

let noneInTime (a: Task<int>) (b: Task<int>) =
    task {
        match Task.WaitAny([| a :> Task; b |], 100) with // PLT201 warning
        | 0 -> return a.Result
        | 1 -> return b.Result
        | _ -> return a.Result // PLT201 warning
    }

let oneOrNone (job: Task<int>) =
    task {
        Task.WaitAny([| job :> Task |], TimeSpan.FromSeconds 1.) |> ignore // PLT201 warning
        return job.Result // PLT201 warning
    }

let noneOfOne (job: Task<int>) =
    task {
        if Task.WaitAny([| job :> Task |], 100) = -1 then // PLT201 warning
            return job.Result // PLT201 warning
        else
            return job.Result
    }

let anotherNumber (jobs: Task<int>[]) =
    task {
        let all = jobs |> Array.map (fun job -> job :> Task)
        let first = Task.WaitAny all // PLT201 warning
        return jobs[(first + 1) % 2].Result // PLT201 info
    }

let allOfThem (jobs: Task<int>[]) =
    task {
        Task.WaitAny [| for job in jobs -> job :> Task |] |> ignore // PLT201 warning
        return jobs |> Array.sumBy _.Result // PLT201 warning
    }

let ofAnotherArray (a: Task<int>) (b: Task<int>) (c: Task<int>) =
    task {
        let others = [| c; c |]
        let first = Task.WaitAny(a, b) // PLT201 warning
        return others[first].Result // PLT201 info
    }

let byHandles (a: Task<int>) (b: Task<int>) =
    task {
        let handles = [| (a :> IAsyncResult).AsyncWaitHandle; (b :> IAsyncResult).AsyncWaitHandle |]
        let first = WaitHandle.WaitAny handles // PLT201 warning
        return if first = 0 then a.Result else a.Result // PLT201 warning
    }

let eventsAgain (first: AutoResetEvent) (second: AutoResetEvent) =
    task {
        WaitHandle.WaitAny [| first; second |] |> ignore // PLT201 warning
        WaitHandle.WaitAny [| first; second |] |> ignore // PLT201 warning
        WaitHandle.WaitAll [| first; second |] |> ignore // PLT201 warning
        WaitHandle.WaitAll [| first; second |] |> ignore // PLT201 warning
    }

let private firstOf (a: Task<int>) (b: Task<int>) = Task.WaitAny(a, b)

let byAFunction (a: Task<int>) (b: Task<int>) =
    task {
        let first = firstOf a b // PLT202 warning
        return if first = 0 then b.Result else a.Result // PLT201 warning, PLT201 warning
    }

let awaitedOneOfTwo (a: Task<int>) (b: Task<int>) =
    task {
        let! _ = Task.WhenAny [| a; b |]
        return a.Result // PLT201 warning
    }
