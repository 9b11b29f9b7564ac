// An abstract property gives the same task on a path, as long as no call may change its object.
module PLT201.Negative.Abstract

open System.Threading.Tasks

type IHolder =
    abstract Job: Task<int>
    abstract Name: string

[<AbstractClass>]
type Holder() =
    abstract Job: Task<int>

type IOuter =
    abstract Inner: IHolder

let ofAnInterface (h: IHolder) =
    task { if h.Job.IsCompleted then return h.Job.Result else return 0 }

let ofAnAbstractClass (h: Holder) =
    async { if h.Job.IsCompletedSuccessfully then return h.Job.Result else return 0 }

let ofAnother (o: IOuter) =
    task { if o.Inner.Job.IsCompleted then return o.Inner.Job.Result else return! o.Inner.Job }

let behindAnotherProperty (h: IHolder) =
    task {
        if h.Job.IsCompleted then
            printfn $"{h.Name}"
            return h.Job.Result
        else
            return 0
    }

let awaited (h: IHolder) =
    task {
        let! first = h.Job
        return first + h.Job.Result
    }

let theFirst (h: IHolder) =
    task {
        let! first = Task.WhenAny(h.Job, Task.Delay 10)
        if first = h.Job then return h.Job.Result else return 0
    }

let byStatus (h: IHolder) =
    task { return (if h.Job.Status = TaskStatus.RanToCompletion then h.Job.Result else 0) }

let ofEach (holders: IHolder list) =
    task { return holders |> List.filter (fun h -> h.Job.IsCompleted) |> List.sumBy (fun h -> h.Job.Result) }
