// Layer: strand. A delegate that is used again and again, for awaiters that want one.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.Threading

/// One cached Action, aimed at a frame for one wake-up, then back in its thread's slot.
[<Sealed; AllowNullLiteral>]
type internal Waker() as this =
    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private ofThread: Waker

    let mutable target: Frame = null
    let action = Action(this.Fire)

    // an awaiter that calls twice finds no target the second time
    member private waker.Fire() =
        let frame = Interlocked.Exchange(&target, null)

        if not (isNull frame) then
            if isNull Waker.ofThread then
                Waker.ofThread <- waker

            frame.Resume()

    member private _.AimAt(frame: Frame) =
        target <- frame
        action

    /// A delegate that resumes the frame, once.
    static member Aim(frame: Frame) : Action =
        let waker =
            match Waker.ofThread with
            | null -> Waker()
            | waker ->
                Waker.ofThread <- null
                waker

        waker.AimAt frame
