// Layer: sources. One wake-up for any number of sources.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.Threading

/// Resumes its target when every leg has come in. Pooled: a shelf per thread, then `Overflow`; itself free
/// again before the target runs.
[<Sealed; AllowNullLiteral>]
type internal Join() as this =
    inherit Frame()

    let mutable legs = 0
    let mutable target: Frame = null
    let action = Action(this.Resume)

    override _.Action = action

    override join.Resume() =
        if Interlocked.Decrement &legs = 0 then
            let frame = target
            target <- null
            Pooled<Join, SmallKind>.Return join
            frame.Resume()

    /// One more source to wait for.
    member _.Add() = Interlocked.Increment &legs |> ignore

    member private _.Aim(frame: Frame) =
        legs <- 1 // the renter's own leg, until all sources are registered
        target <- frame

    /// A join with one leg, which the renter ends by `Resume` when every source is registered.
    static member Rent(frame: Frame) : Join =
        let join =
            match Pooled<Join, SmallKind>.Rent() with
            | null -> Join()
            | join -> join

        join.Aim frame
        join
