// Layer: frames. The base class of everything that waits for an operation: something that the operation resumes once.
namespace Plait.Kernel

open System
open System.Threading

/// Anything that waits for an operation, which resumes it once per registration.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never)>]
type Frame() =

    /// The execution context captured at the last suspension; null where flow was suppressed.
    [<DefaultValue(false)>]
    val mutable internal context: ExecutionContext

    /// Continues on the calling thread. Never throws, and leaves the thread's contexts as they were.
    abstract Resume: unit -> unit

    /// `Resume` as a delegate, for awaiters without a better way.
    abstract Action: Action

    /// Makes that delegate with the frame itself as its target, which that of an F# lambda is not: see `WaitingFrame`. Slow;
    /// for frames that are used again.
    member internal frame.ToAction() =
        typeof<Frame>.GetMethod(nameof frame.Resume).CreateDelegate<Action> frame

    /// As `Resume`, but may leave other contexts on the thread: for callers that restore them themselves, as the thread pool
    /// does after every work item.
    abstract Continue: unit -> unit
    default frame.Continue() = frame.Resume()

    interface IThreadPoolWorkItem with
        member frame.Execute() = frame.Continue()
