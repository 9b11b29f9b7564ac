// Layer: C# door. The method builders for a plain C# `async ValueTask` or `async ValueTask<T>` method whose state
// machine is pooled. Only the compiler's pattern; the work is in MethodBuilderCore.
namespace Plait.MethodBuilders

open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait.Kernel

/// For `[AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder))] async ValueTask`: nothing is allocated,
/// suspended or not; await it once.
[<Struct; CustomEquality; NoComparison>]
type PooledValueTaskMethodBuilder =
    [<DefaultValue(false)>]
    val mutable private core: MethodBuilderCore<unit>

    /// A builder for one call of a method.
    static member Create() =
        Unchecked.defaultof<PooledValueTaskMethodBuilder>

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
    member builder.Task: ValueTask = builder.core.End<ValueTask, AsPooledValueTaskUnit>()

    override _.Equals(other: obj) : bool = Misuse.BuilderCompared()

    override _.GetHashCode() : int = Misuse.BuilderCompared()

    override _.ToString() = "PooledValueTaskMethodBuilder"

/// For `[AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))] async ValueTask<T>`: nothing is
/// allocated, suspended or not; await it once.
[<Struct; CustomEquality; NoComparison>]
type PooledValueTaskMethodBuilder<'T> =
    [<DefaultValue(false)>]
    val mutable private core: MethodBuilderCore<'T>

    /// A builder for one call of a method.
    static member Create() =
        Unchecked.defaultof<PooledValueTaskMethodBuilder<'T>>

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
    member builder.Task: ValueTask<'T> =
        builder.core.End<ValueTask<'T>, AsPooledValueTask<'T>>()

    override _.Equals(other: obj) : bool = Misuse.BuilderCompared()

    override _.GetHashCode() : int = Misuse.BuilderCompared()

    override _.ToString() = "PooledValueTaskMethodBuilder"
