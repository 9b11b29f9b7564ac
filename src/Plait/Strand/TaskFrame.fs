// Layer: strand. Completes a Task when a strand completes.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading.Tasks

/// Completes a Task from a node.
[<Sealed; StackTraceHidden>]
type internal TaskFrame<'T>(node: Node<'T>) =
    inherit Frame()
    let mutable promise = AsyncTaskMethodBuilder<'T>.Create()

    /// The Task: for the first time before anybody can resume this.
    member _.Task: Task<'T> = promise.Task

    override frame.Action = Action(frame.Resume)

    override _.Resume() =
        let mutable error: exn = null
        let mutable value = Unchecked.defaultof<'T>

        try
            node.Await()
            error <- node.TakeError()
            value <- node.result
        with caught ->
            error <- caught

        if isNull error then promise.SetResult value else promise.SetException error
