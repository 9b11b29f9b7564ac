// Operations that an object holds: its property gives the same one each time.
module PLT201.Negative.Properties

open System
open System.Collections.Generic
open System.Linq
open System.Threading.Tasks

type Holder(running: Task<int>, inner: Lazy<Task<int>>) =
    let mutable last = running
    member _.Task = running
    member _.Last = last
    member _.Lazy = inner.Value
    member val Auto = running
    member val Changing = running with get, set
    static member val Shared: Task<int> = Task.FromResult 1 with get, set
    member this.Again = this.Task
    member _.Get() = running
    member _.Start(next: Task<int>) = last <- next

type Outer(holder: Holder) =
    member _.Holder = holder
    member val Auto = holder with get, set

type Base(running: Task<int>) =
    member _.Running = running

type Derived(running: Task<int>) =
    inherit Base(running)
    member this.Own = this.Running

[<Struct>]
type Small(running: Task<int>) =
    member _.Task = running

type Record =
    { Held: Task<int> }

    member this.Task = this.Held

let ofClass (h: Holder) =
    task {
        if h.Task.IsCompleted then return h.Task.Result
        elif h.Last.IsCompletedSuccessfully then return h.Last.Result
        elif h.Auto.IsCompleted then return h.Auto.Result
        elif h.Changing.IsCompleted then return h.Changing.Result
        elif Holder.Shared.IsCompleted then return Holder.Shared.Result
        elif h.Again.IsCompleted then return h.Again.Result
        elif h.Again.IsFaulted then return h.Task.Result
        elif h.Lazy.IsCompleted then return h.Lazy.Result
        elif h.Get().IsCompleted then return h.Get().Result
        else return 0
    }

let ofOthers (o: Outer) (d: Derived) (s: Small) (r: Record) =
    task {
        if o.Holder.Task.IsCompleted then return o.Holder.Task.Result
        elif o.Auto.Changing.IsCompleted then return o.Auto.Changing.Result
        elif d.Running.IsCompleted then return d.Running.Result
        elif d.Own.IsCompleted then return d.Running.Result
        elif s.Task.IsCompleted then return s.Task.Result
        elif r.Task.IsCompleted then return r.Task.Result
        elif r.Task.IsFaulted then return r.Held.Result
        else return 0
    }

let awaited (h: Holder) =
    task {
        let! first = h.Task
        let! _ = Task.WhenAll(h.Auto, h.Changing)
        return first + h.Task.Result + h.Auto.Result + h.Changing.Result
    }

let inTime (h: Holder) =
    task {
        let! winner = Task.WhenAny(h.Task, Task.Delay 100)
        if winner = h.Task then return h.Task.Result else return 0
    }

let inTimeByReference (h: Holder) =
    task {
        let limit = Task.Delay 100
        let! winner = Task.WhenAny(h.Auto, limit)

        if obj.ReferenceEquals(winner, limit) then
            return 0
        else
            return h.Auto.Result
    }

let private isReady (h: Holder) = h.Task.IsCompleted

let byAFunction (h: Holder) =
    task { if isReady h then return h.Task.Result else return 0 }

let private held (h: Holder) = h.Last

let ofAFunction (h: Holder) =
    task { if (held h).IsCompleted then return (held h).Result else return 0 }

type Worker(running: Task<int>) =
    member val Job = running with get, set

    member this.Value() =
        task { if this.Job.IsCompleted then return this.Job.Result else return! this.Job }

let queued (q: Queue<Task<int>>) =
    task {
        if q.Peek().IsCompleted then
            return q.Peek().Result
        else
            return 0
    }

let takenOut (q: Queue<Task<int>>) (s: Stack<Task<int>>) =
    task {
        let mutable sum = 0

        while q.Count > 0 && q.Peek().IsCompleted do
            sum <- sum + q.Dequeue().Result

        if s.Peek().IsCompleted then
            sum <- sum + s.Pop().Result

        return sum
    }

let among (a: Task<int>) =
    task {
        if List.contains a.Status [ TaskStatus.RanToCompletion; TaskStatus.Faulted; TaskStatus.Canceled ] then
            return a.Result
        else
            return 0
    }

let amongOthers (a: Task<int>) (b: Task<int>) (c: Task<int>) =
    task {
        if [| TaskStatus.RanToCompletion; TaskStatus.Faulted |].Contains a.Status then
            return a.Result
        elif Array.contains b.Status [| TaskStatus.RanToCompletion |] then
            return b.Result
        elif Set.contains c.Status (set [ TaskStatus.RanToCompletion ]) then
            return c.Result
        elif Seq.contains c.Status [ TaskStatus.Faulted ] then
            return c.Result
        else
            return 0
    }
