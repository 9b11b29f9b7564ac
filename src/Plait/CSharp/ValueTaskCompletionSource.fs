// Layer: C# door. A TaskCompletionSource without an object of its own. Owns the rule that a setter which loses a race
// returns false only when the winner's result can be read.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>The producer's side of a <see cref="T:System.Threading.Tasks.Task`1" />, without an object of its own:
/// it allocates only the Task.</summary>
/// <remarks>Any thread may set it, any number at the same time: exactly one wins. Continuations run inside the call
/// that wins, unless they asked for a context. `default` is no source.</remarks>
[<Struct; IsReadOnly; CustomEquality; NoComparison>]
type ValueTaskCompletionSource<'T> =
    val private task: Task<'T>
    val private promise: AsyncTaskMethodBuilder<'T>

    private new(task, promise) = { task = task; promise = promise }

    /// A pending source.
    static member Create() =
        let mutable promise = AsyncTaskMethodBuilder<'T>.Create()
        let task = promise.Task // made here: copies of the promise share it from now on
        ValueTaskCompletionSource<'T>(task, promise)

    /// Whether this is `default`: no source.
    member source.IsNull = isNull source.task

    /// Whether `Task` may be read: not of a `default`.
    member source.IsValid = not (isNull source.task)

    /// Whether it has a Task.
    member source.HasTask = not (isNull source.task)

    /// <summary>The consumer's side. May be awaited many times.</summary>
    /// <exception cref="T:System.InvalidOperationException">This is `default`.</exception>
    member source.Task: Task<'T> =
        if isNull source.task then
            Misuse.NoSource()

        source.task

    /// The Task lets one setter win; the call of another one throws. Such a race is rare.
    member private source.Settle(result: 'T, error: exn) : bool =
        if isNull source.task || Atomic.IsCompleted source.task then
            false
        else
            let mutable promise = source.promise

            try
                if isNull error then promise.SetResult result else promise.SetException error
                true
            with :? InvalidOperationException ->
                let mutable spin = SpinWait()

                while not (Atomic.IsCompleted source.task) do
                    Atomic.Spin &spin

                false

    /// Completes with a result. False if it has completed already; then nothing changes.
    member source.TrySetResult(result: 'T) : bool = source.Settle(result, null)

    /// Completes with an exception, which must not be null; an OperationCanceledException makes it cancelled. False
    /// if it has completed already.
    member source.TrySetException(error: exn) : bool =
        ArgumentNullException.ThrowIfNull(error, nameof error)
        source.Settle(Unchecked.defaultof<'T>, error)

    /// Completes as cancelled: the waiter gets a TaskCanceledException with the token. False if it has completed
    /// already.
    member source.TrySetCanceled([<Optional>] cancellationToken: CancellationToken) : bool =
        source.TrySetException(CompletionSourceErrors.Cancellation cancellationToken)

    /// As `TrySetResult`, but throws an InvalidOperationException instead of returning false.
    member source.SetResult(result: 'T) : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetResult(result))

    /// As `TrySetException`, but throws an InvalidOperationException instead of returning false.
    member source.SetException(error: exn) : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetException error)

    /// As `TrySetCanceled`, but throws an InvalidOperationException instead of returning false.
    member source.SetCanceled([<Optional>] cancellationToken: CancellationToken) : unit =
        CompletionSourceErrors.ThrowUnless(source.TrySetCanceled cancellationToken)

    override source.Equals other =
        match other with
        | :? ValueTaskCompletionSource<'T> as other -> obj.ReferenceEquals(source.task, other.task)
        | _ -> false

    override source.GetHashCode() = RuntimeHelpers.GetHashCode source.task

    override _.ToString() = "ValueTaskCompletionSource"
