// The kinds of a failure: it is a row's own, it ends the run, or it is no failure but the end of a child that the
// stop signal reached as well.
module internal Plait.Lab.Failures

open System
open System.Threading

open Plait.Common

// The signal may come to us a moment later than to the children.
let private isStopped (stop: CancellationToken) = stop.WaitHandle.WaitOne 200

/// Measures a row; `fail` is given the sentence when the row's own process fails. Failures of anything else are raised.
let ofRow (stop: CancellationToken) (id: string) (fail: string -> 'T) (measure: unit -> 'T) : 'T =
    try
        measure ()
    with :? WorkerFailed as trouble ->
        if isStopped stop then
            stop.ThrowIfCancellationRequested()

        if trouble.Subject = id then fail trouble.Message else reraise ()

/// Runs all of it, and returns how it ended.
let ending (stop: CancellationToken) (run: unit -> Ending) : Ending =
    try
        run ()
    with
    | :? OperationCanceledException -> Stopped
    | :? RunFailed as trouble -> Broken trouble.Message
    | :? BadInput as trouble -> Broken trouble.Message
    | :? WorkerFailed when isStopped stop -> Stopped
    | :? WorkerFailed as trouble -> Broken $"the run cannot go on: {trouble.Message}"
