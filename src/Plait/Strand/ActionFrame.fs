// Layer: strand. Lets a delegate, of C# or of another builder, wait for a strand.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading

/// Calls a delegate in an execution context (null: that of the thread); no operation takes its exception.
[<Struct; NoEquality; NoComparison; StackTraceHidden>]
type internal ActionStep(action: Action, context: ExecutionContext) =
    interface IAsyncStateMachine with
        member _.MoveNext() =
            ContextScope.Enter context

            try
                action.Invoke()
            with error ->
                UnhandledErrors.ThrowOnPool error

        member _.SetStateMachine _ = ()

/// A delegate that must go somewhere first, or has an execution context of its own.
[<Sealed; StackTraceHidden>]
type internal ActionFrame(action: Action) =
    inherit Frame()
    override _.Action = action

    override frame.Resume() =
        let mutable step = ActionStep(action, frame.context)
        ContextScope.Run &step
