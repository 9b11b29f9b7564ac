// Functions of the builders of cold and cancellable operations, which C# starts. Each start is counted, and waits for a Task.
module Plait.Tests.Programs.Started

open System.Threading
open System.Threading.Tasks

open Plait

let cancellable (starts: int ref) (waited: Task<int>) : CancellableTask<int> =
    cancellableTask {
        Interlocked.Increment starts |> ignore
        return! fun (token: CancellationToken) -> waited.WaitAsync token
    }

let cancellableUnit (starts: int ref) (waited: Task<int>) : CancellableTask =
    CancellableTask.toUnit (CancellableTask.map ignore (cancellable starts waited))

let cancellableValue (starts: int ref) (waited: Task<int>) : CancellableValueTask<int> =
    cancellableValueTask {
        Interlocked.Increment starts |> ignore
        return! fun (token: CancellationToken) -> waited.WaitAsync token
    }

let cancellableValueUnit (starts: int ref) (waited: Task<int>) : CancellableValueTask =
    CancellableValueTask.toUnit (CancellableValueTask.map ignore (cancellableValue starts waited))

let cold (starts: int ref) (waited: Task<int>) : ColdTask<int> =
    coldTask {
        Interlocked.Increment starts |> ignore
        return! waited
    }

let coldUnit (starts: int ref) (waited: Task<int>) : ColdTask =
    ColdTask.toUnit (ColdTask.map ignore (cold starts waited))
