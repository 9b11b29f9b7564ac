// A value from outside, used by a function that starts its code at each call.
module PLT102.Positive.OwnFunctions

open System.Threading.Tasks
open Support.Jobs
open Plait

let inAColdTask () =
    let reading = fetch "a"

    coldTask {
        let! value = reading // PLT102 warning
        return value + 1
    }

let inACancellableTask (reading: ValueTask<int>) =
    cancellableTask {
        let! value = reading // PLT102 warning
        return value * 2
    }

let inACancellableValueTask (work: Strand<int>) =
    cancellableValueTask {
        do! Task.Yield()
        let! value = work // PLT102 warning
        return value
    }

let inTheBackground (reading: ValueTask<int>) =
    backgroundCancellableTask {
        let! value = reading // PLT102 warning
        return value
    }
