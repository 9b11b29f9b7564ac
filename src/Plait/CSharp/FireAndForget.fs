// Layer: C# door. `async FireAndForget`: the method is not awaited, but no error is lost. Owns the rule that neither
// a failed method nor a handler that throws ends the process.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait.Kernel

[<AbstractClass; Sealed>]
type internal Forgotten =
    static let errors =
        ErrorEvent("An async FireAndForget method failed", "FireAndForget.UnhandledError")

    static member Errors = errors

    static member Report(error: exn) =
        if not (errors.Report error) then
            errors.Trace error

/// The return type of a C# `async FireAndForget` method, which nobody awaits. The method runs on the calling thread
/// up to its first suspension, then the caller continues. An exception never reaches the caller; it is reported once:
/// see `UnhandledError`. It has no awaiter: `await` of such a call, which would not wait, does not compile.
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
[<AsyncMethodBuilder(typeof<FireAndForgetMethodBuilder>)>]
type FireAndForget =

    /// The exceptions, cancellations included, of all `async FireAndForget` methods; the sender is null. Called on
    /// the thread where the method fails, in its execution context. If a handler throws, its exception is traced and
    /// the other handlers still run. Without a handler the error is written with `Trace.TraceError`.
    [<CLIEvent>]
    static member UnhandledError: IDelegateEvent<EventHandler<exn>> = Forgotten.Errors

    /// A completed Task: the method is not waited for.
    member _.AsTask() : Task = Task.CompletedTask

    /// A completed ValueTask: the method is not waited for.
    member _.AsValueTask() : ValueTask = ValueTask()

    /// A completed Task, implicitly.
    static member op_Implicit(_forgotten: FireAndForget) : Task = Task.CompletedTask

    /// A completed ValueTask, implicitly.
    static member op_Implicit(_forgotten: FireAndForget) : ValueTask = ValueTask()

    override _.Equals other = other :? FireAndForget

    override _.GetHashCode() = 0

    override _.ToString() = "FireAndForget"

/// The compiler's pattern for `async FireAndForget`.
and [<Struct; CustomEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>] FireAndForgetMethodBuilder
    =
    [<DefaultValue(false)>]
    val mutable private core: MethodBuilderCore<unit>

    /// A builder for one call of a method.
    static member Create() =
        Unchecked.defaultof<FireAndForgetMethodBuilder>

    /// Runs the first step on the caller's thread and then restores the caller's contexts.
    member _.Start(stateMachine: byref<#IAsyncStateMachine>) = ContextScope.Run &stateMachine

    /// Part of the compiler's pattern; does nothing.
    member _.SetStateMachine(stateMachine: IAsyncStateMachine) = ignore stateMachine

    /// The method has returned.
    member builder.SetResult() = builder.core.SetResult()

    /// The method has thrown: reported here, while its execution context is on the thread.
    member builder.SetException(error: exn) =
        Forgotten.Report error
        builder.core.SetResult()

    /// The method suspends.
    member builder.AwaitOnCompleted(awaiter: byref<#INotifyCompletion>, machine: byref<#IAsyncStateMachine>) =
        builder.core.OnCompleted(&awaiter, &machine)

    /// The method suspends; the awaiter leaves the execution context to this builder.
    member builder.AwaitUnsafeOnCompleted
        (awaiter: byref<#ICriticalNotifyCompletion>, machine: byref<#IAsyncStateMachine>)
        =
        builder.core.UnsafeOnCompleted(&awaiter, &machine)

    /// The result for the caller of the method. Read once, after `Start`.
    member builder.Task: FireAndForget = builder.core.End<FireAndForget, AsFireAndForget>()

    override _.Equals(other: obj) : bool = Misuse.BuilderCompared()

    override _.GetHashCode() : int = Misuse.BuilderCompared()

    override _.ToString() = "FireAndForgetMethodBuilder"

and [<Struct; NoEquality; NoComparison>] internal AsFireAndForget =
    interface IShape<unit, FireAndForget> with
        member _.Completed _ = FireAndForget()

        member _.Settles = false

        member _.Suspended(box, _) =
            UnawaitedOperation.Release box
            FireAndForget()

        member _.Faulted _ = FireAndForget()
