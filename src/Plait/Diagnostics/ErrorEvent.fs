// Layer: diagnostics. An event that carries errors: none of them is lost, whether there is a handler or one that throws.
namespace Plait.Kernel

/// `what` has failed where an error is reported; `name` is that of the event.
[<Sealed>]
type internal ErrorEvent(what: string, name: string) =
    inherit SafeEvent<exn>(name)

    /// Writes an error that nobody handles.
    member _.Trace(error: exn) = LastResort.trace what error

    /// Writes what a listener of a meter or an event source threw.
    member _.TraceListener(failure: exn) =
        LastResort.trace $"A listener of {name} failed" failure

    /// Every handler gets the error, whatever another one does. Never throws. False: there is none.
    member this.Report(error: exn) : bool = this.Raise(null, error)

    override this.HandlerFailed(error, failure) =
        this.Trace error
        base.HandlerFailed(error, failure)
