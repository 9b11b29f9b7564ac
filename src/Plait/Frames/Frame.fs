// Layer: frames. What waits, as the thing it waits for sees it. Owns the rule that the contexts of the thread which
// resumes a frame are the same after as before.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open System.Runtime.CompilerServices
open System.Threading

/// Anything that waits: resumed once per registration, by whoever completes what it waits for.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never)>]
type Frame() =

    /// The execution context captured at the last suspension; null where flow was suppressed.
    [<DefaultValue(false)>]
    val mutable internal context: ExecutionContext

    /// Goes on, on the calling thread. Never throws, and leaves the thread's contexts as they were.
    abstract Resume: unit -> unit

    /// `Resume` as a delegate, for awaiters that know nothing better.
    abstract Action: Action

    /// `Resume` on a thread of the pool, which puts the thread's contexts back behind every work item itself.
    abstract ResumeOnPool: unit -> unit
    default frame.ResumeOnPool() = frame.Resume()

    interface IThreadPoolWorkItem with
        member frame.Execute() = frame.ResumeOnPool()

[<AbstractClass; Sealed>]
type internal Contained =

    /// Puts an execution context on the thread, if it is not there already; null leaves the thread as it is.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Enter(context: ExecutionContext) =
        if not (isNull context) && not (obj.ReferenceEquals(ExecutionContext.Capture(), context)) then
            ExecutionContext.Restore context

    /// Runs a step and restores both contexts of the thread behind it, with one look at the thread: what the BCL's own
    /// builders do at the start of a method, used here for every resumption too.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Run<'Step when 'Step :> IAsyncStateMachine>(step: byref<'Step>) =
        let mutable builder = AsyncTaskMethodBuilder.Create()
        builder.Start &step
