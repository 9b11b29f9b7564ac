// Layer: diagnostics. An event whose handlers cannot hurt each other or the code that raises it. FSharp.Core's event
// makes its handlers by reflection, which cannot be trimmed.
namespace Plait.Kernel

open System
open System.Diagnostics

/// The trace listeners of the process: for errors that no other code takes. Their own failure has nowhere to go.
module internal LastResort =
    let trace (what: string) (error: exn) =
        try
            Trace.TraceError $"{what}: {error.ToString()}"
        with _ ->
            ()

/// `name` is that of the event, for the trace of a handler that throws.
type internal SafeEvent<'Arguments>(name: string) =
    let gate = obj ()
    let mutable handlers: EventHandler<'Arguments> | null = null

    /// Takes the exception of a handler. Must not throw.
    abstract HandlerFailed: arguments: 'Arguments * failure: exn -> unit

    default _.HandlerFailed(_, failure) =
        LastResort.trace $"A handler of {name} failed" failure

    /// Calls every handler on this thread, also if another one throws. Never throws. False: there is none.
    member this.Raise(sender: obj | null, arguments: 'Arguments) : bool =
        match handlers with
        | null -> false
        | handlers ->
            for handler in handlers.GetInvocationList() do
                try
                    (handler :?> EventHandler<'Arguments>).Invoke(sender, arguments)
                with failure ->
                    this.HandlerFailed(arguments, failure)

            true

    interface IDelegateEvent<EventHandler<'Arguments>> with
        member _.AddHandler handler =
            lock gate (fun () ->
                handlers <- Delegate.Combine(handlers, handler) :?> (EventHandler<'Arguments> | null))

        member _.RemoveHandler handler =
            lock gate (fun () ->
                handlers <- Delegate.Remove(handlers, handler) :?> (EventHandler<'Arguments> | null))
