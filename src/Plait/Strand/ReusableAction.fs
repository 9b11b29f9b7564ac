// Layer: strand. A delegate that is used for many suspensions, for awaiters that need one.
namespace Plait.Kernel

open System
open System.Threading

/// One cached Action that resumes a frame once and then goes back to its thread's slot.
[<Sealed; AllowNullLiteral>]
type internal ReusableAction() as this =
    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private ofThread: ReusableAction

    let mutable target: Frame = null
    let action = Action(this.Fire)

    // an awaiter that calls twice finds no target the second time
    member private reusable.Fire() =
        let frame = Interlocked.Exchange(&target, null)

        if not (isNull frame) then
            if isNull ReusableAction.ofThread then
                ReusableAction.ofThread <- reusable

            frame.Resume()

    member private _.AimAt(frame: Frame) =
        target <- frame
        action

    /// A delegate that resumes the frame, once.
    static member For(frame: Frame) : Action =
        let reusable =
            match ReusableAction.ofThread with
            | null -> ReusableAction()
            | reusable ->
                ReusableAction.ofThread <- null
                reusable

        reusable.AimAt frame
