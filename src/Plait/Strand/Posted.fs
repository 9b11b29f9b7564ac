// Layer: strand. A frame that must go on where it was suspended.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks

/// Resumes its frame on a SynchronizationContext or TaskScheduler.
[<Sealed>]
type internal Posted(frame: Frame, scheduler: obj | null) =
    inherit Frame()

    static let post = SendOrPostCallback(fun state -> (state :?> Frame).Resume())

    override posted.Action = Action(posted.Resume)

    override _.Resume() =
        match scheduler with
        | :? SynchronizationContext as context ->
            if obj.ReferenceEquals(SynchronizationContext.Current, context) then
                frame.Resume()
            else
                context.Post(post, frame)
        | scheduler ->
            if obj.ReferenceEquals(TaskScheduler.Current, scheduler) then
                frame.Resume()
            else
                Task.Factory.StartNew(
                    (fun () -> frame.Resume()),
                    CancellationToken.None,
                    TaskCreationOptions.DenyChildAttach,
                    (Unsafe.As<TaskScheduler> scheduler)
                )
                |> ignore

    /// The frame itself where there is nothing to go back to, which is usual and costs only the look.
    static member Capture(frame: Frame) : Frame =
        match Captured.Scheduler() with
        | null -> frame
        | scheduler -> Posted(frame, scheduler)

/// The mark of a finished node in its waiter's field; with the scheduler it ended on, where a waiter to come goes on.
[<Sealed; AllowNullLiteral>]
type internal Done private (scheduler: obj | null) =
    static let anywhere = Done null

    /// Ended, no matter where.
    static member Mark = anywhere

    /// Ended on the SynchronizationContext or TaskScheduler of the calling thread.
    static member Here() =
        match Captured.Scheduler() with
        | null -> anywhere
        | scheduler -> Done scheduler

    /// Has the frame resumed where the node has ended.
    member _.Continue(frame: Frame) =
        let frame: Frame = if isNull scheduler then frame else Posted(frame, scheduler)

        Atomic.Queue frame
