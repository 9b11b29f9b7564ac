// Abstract properties whose object may give another task since the test.
module PLT201.Positive.Abstract

open System.Threading.Tasks

type IHolder =
    abstract Job: Task<int>
    abstract Other: Task<int> with get, set
    abstract Restart: unit -> unit
    abstract Make: unit -> Task<int>

let behindACall (h: IHolder) =
    task {
        if h.Job.IsCompleted then
            h.Restart()
            return h.Job.Result // PLT201 warning
        else
            return 0
    }

let behindAFunctionThatGetsIt (h: IHolder) (change: IHolder -> unit) =
    task {
        if h.Job.IsCompleted then
            change h
            return h.Job.Result // PLT201 warning
        else
            return 0
    }

let written (h: IHolder) =
    task {
        if h.Other.IsCompleted then
            h.Other <- Task.Run(fun () -> 1)
            return h.Other.Result // PLT201 warning
        else
            return 0
    }

let made (h: IHolder) =
    task { if h.Make().IsCompleted then return h.Make().Result else return 0 } // PLT201 warning

let ofAnother (h: IHolder) (other: IHolder) =
    task { if h.Job.IsCompleted then return other.Job.Result else return 0 } // PLT201 warning

let notTested (h: IHolder) = task { return h.Job.Result } // PLT201 warning
