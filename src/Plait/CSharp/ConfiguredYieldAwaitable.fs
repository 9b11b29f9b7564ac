// Layer: C# door. `Task.Yield().ConfigureAwait(false)`, which the BCL lacks.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// The awaiter of a configured `Task.Yield()`: never completed beforehand.
[<Struct; IsReadOnly; CustomEquality; NoComparison; EditorBrowsable(EditorBrowsableState.Never)>]
type ConfiguredYieldAwaiter internal (affine: bool) =
    static let invoke = Action<Action>(fun continuation -> continuation.Invoke())

    /// Always false.
    member _.IsCompleted = false

    /// Nothing.
    member _.GetResult() = ()

    member private _.Affine = affine

    override _.Equals(other: obj) =
        match other with
        | :? ConfiguredYieldAwaiter as other -> other.Affine = affine
        | _ -> false

    override _.GetHashCode() = if affine then 1 else 0
    override _.ToString() = "ConfiguredYieldAwaiter"

    interface ICriticalNotifyCompletion with
        member _.OnCompleted continuation =
            ArgumentNullException.ThrowIfNull(continuation, nameof continuation)

            if affine then
                Task.Yield().GetAwaiter().OnCompleted continuation
            else
                ThreadPool.QueueUserWorkItem(invoke, continuation, false) |> ignore

        member _.UnsafeOnCompleted continuation =
            ArgumentNullException.ThrowIfNull(continuation, nameof continuation)

            if affine then
                Task.Yield().GetAwaiter().UnsafeOnCompleted continuation
            else
                match continuation.Target with
                // a method of ours is its own work item
                | :? Frame as frame -> ThreadPool.UnsafeQueueUserWorkItem(frame, false) |> ignore
                | _ -> ThreadPool.UnsafeQueueUserWorkItem(invoke, continuation, false) |> ignore

/// `Task.Yield()` with a choice of context: see `YieldExtensions.ConfigureAwait`. `default` continues on the thread
/// pool.
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
type ConfiguredYieldAwaitable internal (affine: bool) =

    /// The awaiter, for the compiler.
    member _.GetAwaiter() = ConfiguredYieldAwaiter affine

    member private _.Affine = affine

    override _.Equals(other: obj) =
        match other with
        | :? ConfiguredYieldAwaitable as other -> other.Affine = affine
        | _ -> false

    override _.GetHashCode() = if affine then 1 else 0
    override _.ToString() = "ConfiguredYieldAwaitable"

/// Extensions of `Task.Yield()`.
[<AbstractClass; Sealed; Extension>]
type YieldExtensions =

    /// `Task.Yield()` that continues on the captured SynchronizationContext or TaskScheduler (true), or on the thread
    /// pool in any case (false). The latter allocates nothing in a pooled method.
    [<Extension>]
    static member ConfigureAwait(awaitable: YieldAwaitable, continueOnCapturedContext: bool) =
        ignore awaitable
        ConfiguredYieldAwaitable continueOnCapturedContext
