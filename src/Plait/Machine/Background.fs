// Layer: machine. A start that must not run on the caller's context: the machine is boxed before its first step and
// queued as its own work item.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System.ComponentModel
open System.Runtime.CompilerServices
open System.Threading

/// Starts on the thread pool. Called by inlined builder members only.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type Background =

    /// Whether the calling thread has neither SynchronizationContext nor TaskScheduler, so that a start needs no hop.
    static member IsHere: bool = isNull (Captured.Scheduler())

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
