// Layer: strand. What waits for a strand outside of strands: a Task, and the delegate of another builder or of C#.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.Runtime.CompilerServices
open System.Threading.Tasks

/// Settles a Task from a node.
[<Sealed>]
type internal TaskFrame<'T>(node: Node<'T>) =
    inherit Frame()
    let mutable promise = AsyncTaskMethodBuilder<'T>.Create()
    let task = promise.Task

    member _.Task: Task<'T> = task

    override frame.Action = Action(frame.Resume)

    override _.Resume() =
        let mutable error: exn = null
        let mutable value = Unchecked.defaultof<'T>

        try
            value <- node.Get()
        with caught ->
            error <- caught

        if isNull error then promise.SetResult value else promise.SetException error

/// Calls a delegate, as other builders and C# want it.
[<Sealed>]
type internal ActionFrame(continuation: Action) =
    inherit Frame()
    override _.Action = continuation

    override frame.Resume() =
        let mutable step = ActionStep frame
        Contained.Run &step

    member internal _.Call() =
        try
            continuation.Invoke()
        with error ->
            Escaped.Throw error

and [<Struct; NoEquality; NoComparison>] internal ActionStep =
    val Frame: ActionFrame
    new(frame) = { Frame = frame }

    interface IAsyncStateMachine with
        member step.MoveNext() =
            Contained.Enter step.Frame.context
            step.Frame.Call()

        member _.SetStateMachine _ = ()
