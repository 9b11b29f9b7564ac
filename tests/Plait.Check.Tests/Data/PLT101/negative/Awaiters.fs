// Awaiters by hand: asked, registered, and read once.
module PLT101.Negative.Awaiters

open System.Threading.Tasks
open Support.Jobs
open Plait

let registered (reading: ValueTask<int>) (show: int -> unit) =
    let awaiter = reading.GetAwaiter()

    if awaiter.IsCompleted then
        show (awaiter.GetResult())
    else
        awaiter.OnCompleted(fun () -> show (awaiter.GetResult()))

let registeredUnsafe (flushing: ValueTask) (next: unit -> unit) =
    let awaiter = flushing.ConfigureAwait(false).GetAwaiter()

    if awaiter.IsCompleted then
        awaiter.GetResult()
        next ()
    else
        awaiter.UnsafeOnCompleted(fun () ->
            awaiter.GetResult()
            next ())

let toSource (reading: ValueTask<int>) =
    let source = TaskCompletionSource<int>()

    if reading.IsCompletedSuccessfully then
        source.SetResult reading.Result
    else
        let awaiter = reading.GetAwaiter()

        awaiter.UnsafeOnCompleted(fun () ->
            try
                source.SetResult(awaiter.GetResult())
            with error ->
                source.SetException error)

    source.Task
