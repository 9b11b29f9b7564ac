// Layer: diagnostics. Failures that nobody takes. A Task tells of its own by TaskScheduler.UnobservedTaskException; these tell
// of those of strands and pooled ValueTasks. An operation that fails keeps its error in an object with a finalizer, which
// whoever takes the error switches off: nothing is paid on the way of success.
namespace Plait

open System
open Plait.Kernel

/// A failure that nobody has taken.
[<Sealed>]
type UnobservedFailure internal (error: exn) =
    inherit EventArgs()

    /// The exception that the operation failed with.
    member _.Error = error

/// What the library has to say about a program that uses it.
[<AbstractClass; Sealed>]
type Diagnostics =
    static let unobserved = Event<EventHandler<UnobservedFailure>, UnobservedFailure>()

    /// <summary>Raised for a strand or a pooled ValueTask that failed, and was collected before anybody had awaited it,
    /// read its result or made a Task of it. A cancelled one is not reported.</summary>
    /// <remarks>As <c>TaskScheduler.UnobservedTaskException</c>: it comes some time after the failure, on the finalizer's
    /// thread, where a handler must not throw. The meter <c>Plait</c> counts the same failures as
    /// <c>plait.unobserved</c>; the event source <c>Plait</c> writes each as the event <c>Unobserved</c>.</remarks>
    [<CLIEvent>]
    static member Unobserved = unobserved.Publish

    static member internal Report(error: exn) =
        PlaitMeter.Unobserved.Add 1L
        PlaitEventSource.Shared.Unobserved(string (error.GetType()), error.Message)
        unobserved.Trigger(null, UnobservedFailure error)

namespace Plait.Kernel

open System
open Plait

/// The error of a failed operation until somebody takes it.
[<Sealed; AllowNullLiteral>]
type internal UntakenError private (error: exn) =

    /// Nobody is told of a cancellation.
    static member Of(error: exn) : UntakenError =
        let untaken = UntakenError error

        if error :? OperationCanceledException then
            GC.SuppressFinalize untaken

        untaken

    /// The error, for who only asks how the operation ended.
    member _.Error = error

    /// The error, for who deals with it.
    member untaken.Take() : exn =
        GC.SuppressFinalize untaken
        error

    override _.Finalize() = Diagnostics.Report error
