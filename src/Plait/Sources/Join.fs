// Layer: sources. Resumes one frame when several sources have completed.
namespace Plait.Kernel

open System.Threading

/// Resumes its target when every branch has ended. Pooled, and free again before the target runs.
[<Sealed; AllowNullLiteral; StackTraceHidden>]
type internal Join() as this =
    inherit Frame()

    let mutable branches = 0
    let mutable target: Frame = null
    let action = this.ToAction()

    override _.Action = action

    override join.Resume() =
        if Interlocked.Decrement &branches = 0 then
            let frame = target
            target <- null
            SmallObjectPool<Join>.Return join
            frame.Resume()

    /// One more source to wait for.
    member _.Add() =
        Interlocked.Increment &branches |> ignore

    member private _.Aim(frame: Frame) =
        branches <- 1 // the caller's own branch, until all sources are registered
        target <- frame

    /// A join with one branch, which the caller ends by `Resume` when every source is registered.
    static member Rent(frame: Frame) : Join =
        let join = SmallObjectPool<Join>.Rent()
        join.Aim frame
        join
