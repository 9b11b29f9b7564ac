// Layer: strand. Restores the caller's contexts if the start of a strand or of a state machine has changed them,
// which is rare.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open System.Threading
open Plait

/// Restores the contexts of a caller.
[<AbstractClass; Sealed; EditorBrowsable(EditorBrowsableState.Never)>]
type CallerContexts =
    static let mark = AsyncLocal<obj>()
    static let suppressed = ConditionalWeakTable<ExecutionContext, obj>()

    [<DefaultValue(false)>]
    static val mutable private anySuppressed: bool

    /// The caller's execution context where it has suppressed the flow, for which `ExecutionContext.Capture` has no
    /// answer. The context is captured with the flow on, made one of its own by a mark, and remembered as suppressed.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Suppressed() : ExecutionContext =
        ExecutionContext.RestoreFlow()
        mark.Value <- obj ()
        let context = nonNull (ExecutionContext.Capture())
        ExecutionContext.SuppressFlow() |> ignore
        suppressed.Add(context, mark)
        CallerContexts.anySuppressed <- true
        context

    /// Restores both contexts. Called if at least one has changed.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Restore(context: ExecutionContext, synchronization: SynchronizationContext | null) : unit =
        if not (obj.ReferenceEquals(ExecutionContext.Capture(), context)) then
            ExecutionContext.Restore context

            if CallerContexts.anySuppressed && fst (suppressed.TryGetValue context) then
                ExecutionContext.SuppressFlow() |> ignore

        if not (obj.ReferenceEquals(SynchronizationContext.Current, synchronization)) then
            SynchronizationContext.SetSynchronizationContext synchronization

    /// A failed strand, after restoring the caller's contexts.
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member Fault<'T>
        (error: exn, context: ExecutionContext, synchronization: SynchronizationContext | null)
        : Strand<'T> =
        CallerContexts.Restore(context, synchronization)
        SuspendedPath.Fault error
