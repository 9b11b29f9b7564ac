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
