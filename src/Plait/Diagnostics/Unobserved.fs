// Layer: diagnostics. Failures that no code takes. TaskScheduler.UnobservedTaskException reports those of Tasks;
// these events report those of strands and pooled ValueTasks. An operation that fails keeps its error in an object
// with a finalizer, and taking the error switches the finalizer off: success pays nothing.
namespace Plait

open System
open Plait.Kernel

/// The reports of the library about a program that uses it.
[<AbstractClass; Sealed>]
type Diagnostics =
    static let unobserved = ErrorEvent("A failure was lost", "Plait.Diagnostics.Unobserved")

    /// <summary>Raised with the exception of a strand or a pooled ValueTask that failed, and was collected before anybody
    /// had awaited it, read its result or made a Task of it. The sender is null. A cancelled one is not reported. A pooled
    /// ValueTask that fails before it has suspended is a failed Task:
    /// <c>TaskScheduler.UnobservedTaskException</c> reports that.</summary>
    /// <remarks>As <c>TaskScheduler.UnobservedTaskException</c>: it comes some time after the failure, on the finalizer's
    /// thread. If a handler throws, its exception is traced and the other handlers still run. The meter <c>Plait</c> counts
    /// the same failures as <c>plait.unobserved</c>; the event source <c>Plait</c> writes each as the event
    /// <c>Unobserved</c>. A listener that throws is traced as a handler is.</remarks>
    [<CLIEvent>]
    static member Unobserved: IDelegateEvent<EventHandler<exn>> = unobserved

    static member internal Report(error: exn) =
        // on the finalizer's thread, where an exception of a listener would end the process
        let tell (listeners: unit -> unit) =
            try
                listeners ()
            with failure ->
                unobserved.TraceListener failure

        tell (fun () -> PlaitMeter.Unobserved.Add 1L)
        tell (fun () -> PlaitEventSource.Shared.Unobserved(string (error.GetType()), error.Message))
        unobserved.Report error |> ignore

namespace Plait.Kernel

open System
open Plait

/// The error of a failed operation until somebody takes it.
[<Sealed; AllowNullLiteral>]
type internal UntakenError private (error: exn) =

    /// A cancellation is not reported.
    static member Of(error: exn) : UntakenError =
        let untaken = UntakenError error

        if error :? OperationCanceledException then
            GC.SuppressFinalize untaken

        untaken

    /// The error, for a reader that only needs to know how the operation ended: it does not count as taken.
    member _.Error = error

    /// The error, for code that handles it.
    member untaken.Take() : exn =
        GC.SuppressFinalize untaken
        error

    override _.Finalize() = Diagnostics.Report error
