// Properties that make an operation each time, and objects that hold another one since the test.
module PLT201.Positive.Properties

open System.Collections.Generic
open System.Threading.Tasks

let private job () : Task<int> =
    task {
        do! Task.Delay 5
        return 1
    }

type Maker(running: Task<int>) =
    let mutable last = running
    member _.Job = job ()
    member _.Last = last
    member val Changing = running with get, set
    member _.Start() = last <- job ()

let madeAgain (m: Maker) =
    task { if m.Job.IsCompleted then return m.Job.Result else return 0 } // PLT201 warning

let startedAgain (m: Maker) =
    task {
        if m.Last.IsCompleted then
            m.Start()
            return m.Last.Result // PLT201 warning
        else
            return 0
    }

let written (m: Maker) =
    task {
        if m.Changing.IsCompleted then
            m.Changing <- job ()
            return m.Changing.Result // PLT201 warning
        else
            return 0
    }

let ofAnother (m: Maker) (other: Maker) =
    task { if m.Last.IsCompleted then return other.Last.Result else return 0 } // PLT201 warning

let theNext (q: Queue<Task<int>>) =
    task {
        if q.Peek().IsCompleted then
            q.Dequeue() |> ignore
            return q.Peek().Result // PLT201 info
        else
            return 0
    }

let among (a: Task<int>) =
    task {
        if List.contains a.Status [ TaskStatus.RanToCompletion; TaskStatus.Running ] then
            return a.Result // PLT201 warning
        else
            return 0
    }
