// Layer: machine. Starts a state machine off the caller's context: the machine is boxed before its first step and
// queued as its own work item.
namespace Plait.Kernel

open System.ComponentModel
open System.Runtime.CompilerServices
open System.Threading

/// Where a start runs: a flag for type arguments.
[<EditorBrowsable(EditorBrowsableState.Never)>]
type IStartPlace =
    /// True: never on the caller's SynchronizationContext or TaskScheduler.
    static abstract LeavesContext: bool

/// A start on the calling thread.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type OnCallingThread =
    interface IStartPlace with
        static member LeavesContext = false

/// A start on the thread pool where the calling thread has a context, else on the calling thread.
[<Struct; NoEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type OffCallersContext =
    interface IStartPlace with
        static member LeavesContext = true

/// Starts on the thread pool. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type BackgroundStart =

    /// Whether the calling thread has neither SynchronizationContext nor TaskScheduler, so that a start needs no hop.
    static member CallerHasNoContext: bool = isNull (SchedulingContext.Current())

    /// Boxes the machine and queues it; what the caller gets is a suspended operation.
    static member Start<'Machine, 'T, 'Result, 'Shape
        when 'Machine :> IAsyncStateMachine and 'Shape :> IShape<'T, 'Result>>
        (machine: byref<'Machine>, data: byref<Data<'T>>)
        : 'Result =
        let box = Suspend.Prepare<'Machine, 'T>(&machine, &data)
        // before it is queued: afterwards the operation may be over
        let result = 'Shape.Suspended(box, (if 'Shape.Settles then box.ToTask() else null))

        ThreadPool.UnsafeQueueUserWorkItem(box, false) |> ignore
        result
