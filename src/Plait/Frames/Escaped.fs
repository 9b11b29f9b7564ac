// Layer: frames. What becomes of an exception that a waiter lets out.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System.Runtime.ExceptionServices
open System.Threading

[<AbstractClass; Sealed>]
type internal Escaped =

    /// Thrown on the thread pool, as the BCL does: it must not fall into the operation that called the waiter.
    static member Throw(error: exn) =
        let captured = ExceptionDispatchInfo.Capture error
        ThreadPool.QueueUserWorkItem(fun _ -> captured.Throw()) |> ignore
