// Functions that start their code at each call, over values that they make themselves.
module PLT102.Negative.OwnFunctions

open System.Threading.Tasks
open Support.Jobs
open Plait

let inAColdTask (key: string) =
    coldTask {
        let! value = fetch key
        return value + 1
    }

let inACancellableTask (key: string) =
    cancellableTask {
        let reading = fetch key
        let! token = CancellableTask.getCancellationToken ()
        let! value = reading
        return value, token
    }

let boundAsAFunction (start: CancellableValueTask<int>) =
    cancellableValueTask {
        let! first = start
        let! second = start
        and! third = start
        return first + second + third
    }
