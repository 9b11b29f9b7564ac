// Layer: diagnostics. An event whose handlers cannot hurt each other, nor whoever raises it. That of FSharp.Core makes its
// handlers by reflection, which cannot be trimmed.
namespace Plait.Kernel

open System
open System.Diagnostics

/// `name` is that of the event, for what is traced of a handler that throws.
[<Sealed>]
type internal SafeEvent<'Arguments>(name: string) =
    let gate = obj ()
    let mutable handlers: EventHandler<'Arguments> | null = null

    /// Calls every handler on this thread, whatever another one does. Never throws.
    member _.Raise(sender: obj, arguments: 'Arguments) =
        match handlers with
        | null -> ()
        | handlers ->
            for handler in handlers.GetInvocationList() do
                try
                    (handler :?> EventHandler<'Arguments>).Invoke(sender, arguments)
                with failure ->
                    try
                        Trace.TraceError $"A handler of {name} failed: {failure.ToString()}"
                    with _ ->
                        ()

    interface IDelegateEvent<EventHandler<'Arguments>> with
        member _.AddHandler handler =
            lock gate (fun () ->
                handlers <- Delegate.Combine(handlers, handler) :?> (EventHandler<'Arguments> | null))

        member _.RemoveHandler handler =
            lock gate (fun () ->
                handlers <- Delegate.Remove(handlers, handler) :?> (EventHandler<'Arguments> | null))
