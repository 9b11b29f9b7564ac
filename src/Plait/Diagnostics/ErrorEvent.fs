// Layer: diagnostics. An event that carries errors. That of FSharp.Core makes its handlers by reflection, which cannot be
// trimmed.
namespace Plait.Kernel

open System
open System.Diagnostics

/// `what` has failed where an error is reported; `name` is that of the event.
[<Sealed>]
type internal ErrorEvent(what: string, name: string) =
    let gate = obj ()
    let mutable handlers: EventHandler<exn> | null = null

    // the last resort: the trace listeners of the process, whose own failure has nowhere to go
    let trace (what: string) (error: exn) =
        try
            Trace.TraceError $"{what}: {error.ToString()}"
        with _ ->
            ()

    /// Writes an error that nobody handles.
    member _.Trace(error: exn) = trace what error

    /// Writes what a listener of a meter or an event source threw.
    member _.TraceListener(failure: exn) =
        trace $"A listener of {name} failed" failure

    /// Every handler gets the error, whatever another one does. Never throws. False: there is none.
    member _.Report(error: exn) : bool =
        match handlers with
        | null -> false
        | handlers ->
            for handler in handlers.GetInvocationList() do
                try
                    (handler :?> EventHandler<exn>).Invoke(null, error)
                with failure ->
                    trace what error
                    trace $"A handler of {name} failed" failure

            true

    interface IDelegateEvent<EventHandler<exn>> with
        member _.AddHandler handler =
            lock gate (fun () ->
                handlers <- Delegate.Combine(handlers, handler) :?> (EventHandler<exn> | null))

        member _.RemoveHandler handler =
            lock gate (fun () ->
                handlers <- Delegate.Remove(handlers, handler) :?> (EventHandler<exn> | null))
