// Layer: frames. The base class of everything that waits for an operation: something that the operation resumes once.
namespace Plait.Kernel

open System
open System.ComponentModel
open FSharp.Core // its DefaultValue, not the one above
open System.Threading

/// Anything that waits for an operation, which resumes it once per registration.
[<AbstractClass; AllowNullLiteral; EditorBrowsable(EditorBrowsableState.Never)>]
type Frame() =

    /// The execution context captured at the last suspension; null where flow was suppressed.
    [<DefaultValue(false)>]
    val mutable internal context: ExecutionContext

    /// Continues on the calling thread. Never throws, and leaves the thread's contexts as they were.
    abstract Resume: unit -> unit

    /// `Resume` as a delegate, for awaiters that know nothing better.
    abstract Action: Action

    /// `Resume` on a thread of the pool, which restores the thread's contexts after every work item itself.
    abstract ResumeOnPool: unit -> unit
    default frame.ResumeOnPool() = frame.Resume()

    interface IThreadPoolWorkItem with
        member frame.Execute() = frame.ResumeOnPool()
