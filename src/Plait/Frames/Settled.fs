// Layer: frames. Tasks that have ended when they are made.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open System.Threading.Tasks

[<AbstractClass; Sealed>]
type internal Settled =

    /// A completed Task: the BCL's own cached one, where it has one for the value.
    static member Of<'T>(value: 'T) : Task<'T> =
        let mutable builder = AsyncTaskMethodBuilder<'T>.Create()
        builder.SetResult value
        builder.Task

    /// A failed Task: cancelled, not faulted, for an OperationCanceledException.
    static member Failed<'T>(error: exn) : Task<'T> =
        let mutable builder = AsyncTaskMethodBuilder<'T>.Create()
        builder.SetException error
        builder.Task
