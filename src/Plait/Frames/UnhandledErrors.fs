// Layer: frames. Rethrows an exception of a continuation on the thread pool, where it ends the process.
namespace Plait.Kernel

open System.Runtime.ExceptionServices
open System.Threading

[<AbstractClass; Sealed>]
type internal UnhandledErrors =

    /// Thrown on the thread pool, as the BCL does: it must not fall into the operation that called the waiter.
    static member ThrowOnPool(error: exn) =
        let captured = ExceptionDispatchInfo.Capture error
        ThreadPool.QueueUserWorkItem(fun _ -> captured.Throw()) |> ignore
