// Layer: frames. The scheduling context of a thread: the SynchronizationContext or TaskScheduler to which a waiter
// returns. The only place that finds it, and the only one that posts work to it.
namespace Plait.Kernel

open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

[<AbstractClass; Sealed>]
type internal SchedulingContext =
    static let resume = SendOrPostCallback(fun state -> (Unsafe.As<Frame> state).Resume())

    /// The calling thread's SynchronizationContext or TaskScheduler; null, which is usual, where it has neither. The rule
    /// is the BCL's: a context of the base class itself counts as none.
    [<MethodImpl(MethodImplOptions.AggressiveInlining)>]
    static member Current() : obj | null =
        let context = SynchronizationContext.Current
        let scheduler = TaskScheduler.Current

        if isNull context && obj.ReferenceEquals(scheduler, TaskScheduler.Default) then
            null
        else
            SchedulingContext.Which(context, scheduler)

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member private Which(context: SynchronizationContext, scheduler: TaskScheduler) : obj | null =
        if not (isNull context) && context.GetType() <> typeof<SynchronizationContext> then
            context
        elif obj.ReferenceEquals(scheduler, TaskScheduler.Default) then
            null
        else
            scheduler

    /// Whether the calling thread is in that context now.
    static member IsCurrent(scheduler: obj) : bool =
        match scheduler with
        | :? SynchronizationContext -> obj.ReferenceEquals(SynchronizationContext.Current, scheduler)
        | _ -> obj.ReferenceEquals(TaskScheduler.Current, scheduler)

    /// Has the callback run in that context.
    static member Post(scheduler: obj, callback: SendOrPostCallback, state: obj) : unit =
        match scheduler with
        | :? SynchronizationContext as context -> context.Post(callback, state)
        | scheduler ->
            Task.Factory.StartNew(
                (fun () -> callback.Invoke state),
                CancellationToken.None,
                TaskCreationOptions.DenyChildAttach,
                (Unsafe.As<TaskScheduler> scheduler)
            )
            |> ignore

    /// Has the frame resumed in that context.
    static member Post(scheduler: obj, frame: Frame) : unit =
        SchedulingContext.Post(scheduler, resume, frame)
