// Layer: sources. One wake-up for any number of sources.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System
open System.Threading

/// Resumes its target when every leg has come in. Pooled: a slot per thread, then `Overflow`; itself free
/// again before the target runs.
[<Sealed; AllowNullLiteral>]
type internal Join() as this =
    inherit Frame()

    [<ThreadStatic; DefaultValue(false)>]
    static val mutable private ofThread: Join

    let mutable legs = 0
    let mutable target: Frame = null
    let action = Action(this.Resume)

    override _.Action = action

    override join.Resume() =
        if Interlocked.Decrement &legs = 0 then
            let frame = target
            target <- null

            if isNull Join.ofThread then
                Join.ofThread <- join
            else
                Overflow<Join, SmallKind>.Shared.Return join

            frame.Resume()

    /// One more source to wait for.
    member _.Add() = Interlocked.Increment &legs |> ignore

    member private _.Aim(frame: Frame) =
        legs <- 1 // the renter's own leg, until all sources are registered
        target <- frame

    /// A join with one leg, which the renter ends by `Resume` when every source is registered.
    static member Rent(frame: Frame) : Join =
        let join =
            match Join.ofThread with
            | null ->
                match Overflow<Join, SmallKind>.Shared.Rent() with
                | null -> Join()
                | join -> join
            | join ->
                Join.ofThread <- null
                join

        join.Aim frame
        join
