// Layer: C# door. The method builders for a plain C# `async Task` or `async Task<T>` method whose state machine is
// pooled. Only the compiler's pattern; the work is in MethodBuilderCore. The build makes
// PooledValueTaskMethodBuilder of this text: see Plait.fsproj.
namespace Plait.MethodBuilders

open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait.Kernel

/// For `[AsyncMethodBuilder(typeof(PooledTaskMethodBuilder))] async Task`: the machine behind the Task is pooled.
[<Struct; CustomEquality; NoComparison>]
type PooledTaskMethodBuilder =
    [<DefaultValue(false)>]
    val mutable private core: MethodBuilderCore<unit>

    /// A builder for one call of a method.
    static member Create() =
        Unchecked.defaultof<PooledTaskMethodBuilder>

    /// Runs the first step on the caller's thread and then restores the caller's contexts.
    member _.Start(stateMachine: byref<#IAsyncStateMachine>) = ContextScope.Run &stateMachine

    /// Part of the compiler's pattern; does nothing.
    member _.SetStateMachine(stateMachine: IAsyncStateMachine) = ignore stateMachine

    /// The method has returned.
    member builder.SetResult() = builder.core.SetResult()

    /// The method has thrown; an OperationCanceledException makes it cancelled.
    member builder.SetException(error: exn) = builder.core.SetException error

    /// The method suspends.
    member builder.AwaitOnCompleted(awaiter: byref<#INotifyCompletion>, machine: byref<#IAsyncStateMachine>) =
        builder.core.OnCompleted(&awaiter, &machine)

    /// The method suspends; the awaiter leaves the execution context to this builder.
    member builder.AwaitUnsafeOnCompleted
        (awaiter: byref<#ICriticalNotifyCompletion>, machine: byref<#IAsyncStateMachine>)
        =
        builder.core.UnsafeOnCompleted(&awaiter, &machine)

    /// The result for the caller of the method. Read once, after `Start`.
    member builder.Task: Task = builder.core.End<Task, AsTaskUnit>()

    override _.Equals(other: obj) : bool = Misuse.BuilderCompared()

    override _.GetHashCode() : int = Misuse.BuilderCompared()

    override _.ToString() = "PooledTaskMethodBuilder"

/// For `[AsyncMethodBuilder(typeof(PooledTaskMethodBuilder<>))] async Task<T>`: the machine behind the Task is pooled.
[<Struct; CustomEquality; NoComparison>]
type PooledTaskMethodBuilder<'T> =
    [<DefaultValue(false)>]
    val mutable private core: MethodBuilderCore<'T>

    /// A builder for one call of a method.
    static member Create() =
        Unchecked.defaultof<PooledTaskMethodBuilder<'T>>

    /// Runs the first step on the caller's thread and then restores the caller's contexts.
    member _.Start(stateMachine: byref<#IAsyncStateMachine>) = ContextScope.Run &stateMachine

    /// Part of the compiler's pattern; does nothing.
    member _.SetStateMachine(stateMachine: IAsyncStateMachine) = ignore stateMachine

    /// The method has returned.
    member builder.SetResult(result: 'T) = builder.core.SetResult result

    /// The method has thrown; an OperationCanceledException makes it cancelled.
    member builder.SetException(error: exn) = builder.core.SetException error

    /// The method suspends.
    member builder.AwaitOnCompleted(awaiter: byref<#INotifyCompletion>, machine: byref<#IAsyncStateMachine>) =
        builder.core.OnCompleted(&awaiter, &machine)

    /// The method suspends; the awaiter leaves the execution context to this builder.
    member builder.AwaitUnsafeOnCompleted
        (awaiter: byref<#ICriticalNotifyCompletion>, machine: byref<#IAsyncStateMachine>)
        =
        builder.core.UnsafeOnCompleted(&awaiter, &machine)

    /// The result for the caller of the method. Read once, after `Start`.
    member builder.Task: Task<'T> = builder.core.End<Task<'T>, AsTask<'T>>()

    override _.Equals(other: obj) : bool = Misuse.BuilderCompared()

    override _.GetHashCode() : int = Misuse.BuilderCompared()

    override _.ToString() = "PooledTaskMethodBuilder"
