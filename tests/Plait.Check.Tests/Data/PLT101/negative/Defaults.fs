// A default value, and one over a completed task: complete, and the same result each time.
module PLT101.Negative.Defaults

open System.Threading.Tasks

let ofNothing () =
    task {
        let value = ValueTask()
        do! value
        do! value
    }

let ofADefaultResult () =
    task {
        let value = ValueTask<int>()
        let! first = value
        let! second = value
        return first + second
    }

let mutable' () =
    task {
        let mutable value = ValueTask()
        do! value
        do! value
    }

let unchecked () =
    task {
        let value = Unchecked.defaultof<ValueTask>
        do! value
        do! value
    }

let overACompletedTask () =
    task {
        let value = ValueTask(Task.CompletedTask)
        do! value
        do! value
    }
