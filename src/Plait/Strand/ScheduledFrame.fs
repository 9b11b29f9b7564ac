// Layer: strand. A frame that continues in the scheduling context in which it was suspended.
namespace Plait.Kernel

open System

/// Resumes its frame on a SynchronizationContext or TaskScheduler.
[<Sealed; StackTraceHidden>]
type internal ScheduledFrame(frame: Frame, scheduler: obj) =
    inherit Frame()

    override scheduled.Action = Action(scheduled.Resume)

    override _.Resume() =
        if SchedulingContext.IsCurrent scheduler then
            frame.Resume()
        else
            SchedulingContext.Post(scheduler, frame)

    /// The frame itself where there is nothing to go back to, which is usual and costs only the look.
    static member Capture(frame: Frame) : Frame =
        match SchedulingContext.Current() with
        | null -> frame
        | scheduler -> ScheduledFrame(frame, scheduler)
