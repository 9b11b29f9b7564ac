// Layer: diagnostics. An event that carries errors: none of them is lost, whether there is a handler or one that throws.
namespace Plait.Kernel

/// `what`: the failed operation in words; `name`: the name of the event.
[<Sealed>]
type internal ErrorEvent(what: string, name: string) =
    inherit SafeEvent<exn>(name)

    /// Writes an error that no handler takes.
    member _.Trace(error: exn) = LastResort.trace what error

    /// Writes the exception of a listener of a meter or an event source.
    member _.TraceListener(failure: exn) =
        LastResort.trace $"A listener of {name} failed" failure

    /// Every handler gets the error, also if another one throws. Never throws. False: there is none.
    member this.Report(error: exn) : bool = this.Raise(null, error)

    override this.HandlerFailed(error, failure) =
        this.Trace error
        base.HandlerFailed(error, failure)
