// Layer: strand. The awaitable itself, its awaiter and its ConfigureAwait.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>The result of <c>strand { }</c>: a value, or an operation that will have one. It is two machine words,
/// and nothing is allocated unless it suspends.</summary>
/// <remarks>
/// <para>A pending strand is handed over once: one party awaits it, binds it, returns it with <c>return!</c> or turns
/// it into a Task. A second waiter gets an <see cref="T:System.InvalidOperationException" />; a copy that is kept
/// after
/// <c>return!</c> may stay pending for ever. The result of a completed strand may be read again.</para>
/// <para><c>default</c> is a completed strand with the default value.</para>
/// </remarks>
[<Struct; IsReadOnly; NoEquality; NoComparison; StackTraceHidden>]
type Strand<'T> =
    /// The pending or failed part; null: completed with `Value`. For the builders.
    [<EditorBrowsable(EditorBrowsableState.Never)>]
    val Node: Node<'T>

    /// The value where `Node` is null. For the builders.
    [<EditorBrowsable(EditorBrowsableState.Never)>]
    val Value: 'T

    private new(node, value) = { Node = node; Value = value }

    /// A completed strand.
    static member Of(value: 'T) = Strand<'T>(null, value)

    /// The strand of a node. For the builders.
    [<EditorBrowsable(EditorBrowsableState.Never)>]
    static member From(node: Node<'T>) =
        Strand<'T>(node, Unchecked.defaultof<'T>)

    /// A strand that failed with the exception; an OperationCanceledException makes it cancelled.
    static member Failed(error: exn) : Strand<'T> =
        ArgumentNullException.ThrowIfNull(error, nameof error)
        Strand<'T>.From(FaultNode<'T> error)

    /// Whether it has completed, successfully or not.
    member strand.IsCompleted = isNull strand.Node || strand.Node.IsDone

    /// Whether it has completed successfully.
    member strand.IsCompletedSuccessfully =
        isNull strand.Node || (strand.Node.IsDone && isNull strand.Node.Error)

    /// Whether it has failed with an exception that is not an OperationCanceledException.
    member strand.IsFaulted =
        not (isNull strand.Node)
        && strand.Node.IsDone
        && not (isNull strand.Node.Error)
        && not strand.IsCanceled

    /// Whether it was cancelled: it has failed with an OperationCanceledException.
    member strand.IsCanceled =
        not (isNull strand.Node)
        && strand.Node.IsDone
        && (match strand.Node.Error with
            | :? OperationCanceledException -> true
            | _ -> false)

    /// <summary>The result of a completed strand. Never blocks.</summary>
    /// <exception cref="T:System.InvalidOperationException">The strand is pending.</exception>
    member strand.Result: 'T =
        if isNull strand.Node then strand.Value else strand.Node.Get()

    /// As `Result`, for an await.
    member internal strand.Take() : 'T =
        if isNull strand.Node then strand.Value else strand.Node.Take()

    /// A Task with the same result, exception or cancellation. Hands the strand over.
    member strand.AsTask() : Task<'T> =
        if isNull strand.Node then
            let mutable builder = AsyncTaskMethodBuilder<'T>.Create()
            builder.SetResult strand.Value // the BCL's own cached task, where it has one
            builder.Task
        else
            let frame = TaskFrame<'T> strand.Node
            let task = frame.Task

            if strand.Node.IsDone then frame.Resume() else strand.Node.Attach frame

            task

    /// A ValueTask with the same result. Allocates only if the strand is pending. Hands the strand over.
    member strand.AsValueTask() : ValueTask<'T> =
        if isNull strand.Node then ValueTask<'T> strand.Value else ValueTask<'T>(strand.AsTask())

    /// The awaiter, for C# and other builders; continues on the captured context.
    member strand.GetAwaiter() = StrandAwaiter<'T>(strand, true)

    /// The strand, to be awaited on the captured context (true) or off it (false).
    member strand.ConfigureAwait(continueOnCapturedContext: bool) =
        ConfiguredStrandAwaitable<'T>(strand, continueOnCapturedContext)

    interface ISource<'T> with
        member strand.IsCompleted = strand.IsCompleted
        member strand.GetResult() = strand.Take()
        member strand.Register frame = strand.Node.Notify frame
        member strand.Reference = strand.Node
        member _.GetResultOf kept = Unsafe.As<Node<'T>>(kept).Take()

/// The awaiter of a strand.
and [<Struct; IsReadOnly; NoEquality; NoComparison; StackTraceHidden>] StrandAwaiter<'T>
    internal (strand: Strand<'T>, affine: bool) =

    member private _.Register(continuation: Action, context: ExecutionContext | null) =
        ArgumentNullException.ThrowIfNull(continuation, nameof continuation)
        let scheduler = if affine then SchedulingContext.Current() else null

        if isNull context && isNull scheduler && not (isNull strand.Node) then
            strand.Node.Attach continuation
        else
            let frame = ActionFrame continuation
            frame.context <- context

            if isNull strand.Node then ThreadPool.UnsafeQueueUserWorkItem(frame, true) |> ignore
            elif affine then strand.Node.Notify frame
            else strand.Node.Attach frame

    /// Whether the strand has completed.
    member _.IsCompleted = strand.IsCompleted

    /// <summary>The result, or the strand's exception.</summary>
    /// <exception cref="T:System.InvalidOperationException">The strand is pending.</exception>
    member _.GetResult() : 'T = strand.Take()

    interface ICriticalNotifyCompletion with
        member awaiter.OnCompleted continuation =
            awaiter.Register(continuation, ExecutionContext.Capture())

        member awaiter.UnsafeOnCompleted continuation = awaiter.Register(continuation, null)

/// A strand with a choice of context: see `Strand.ConfigureAwait`.
and [<Struct; IsReadOnly; NoEquality; NoComparison>] ConfiguredStrandAwaitable<'T>
    internal (strand: Strand<'T>, affine: bool) =

    /// The awaiter.
    member _.GetAwaiter() = StrandAwaiter<'T>(strand, affine)
