// Layer: combinators. One operation that is awaited beside others. Owns the invariant that its result is taken once,
// also where nobody wants it: a pooled operation goes home, and the error of a Task counts as observed.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: no owner, no error

open System
open FSharp.Core // its DefaultValue

/// Is told when a leg has come in, on the thread that completed it. Never throws.
[<AllowNullLiteral>]
type internal ILegOwner<'S, 'a when 'S :> ISource<'a>> =
    abstract Arrived: leg: Leg<'S, 'a> -> unit

and [<Sealed; AllowNullLiteral>] internal Leg<'S, 'a when 'S :> ISource<'a>>() as this =
    inherit Frame()

    let action = Action(this.Resume)

    [<DefaultValue(false)>]
    val mutable private source: 'S

    [<DefaultValue(false)>]
    val mutable private owner: ILegOwner<'S, 'a>

    [<DefaultValue(false)>]
    val mutable private value: 'a

    [<DefaultValue(false)>]
    val mutable private error: exn

    /// The result, where there is no error.
    member leg.Value = leg.value

    member leg.Error = leg.error

    override _.Action = action

    override leg.Resume() =
        let source = leg.source
        leg.source <- Unchecked.defaultof<'S>

        try
            leg.value <- source.GetResult()
        with error ->
            leg.error <- error

        match leg.owner with
        | null -> leg.Release()
        | owner ->
            leg.owner <- null
            owner.Arrived leg

    /// Back to the pool, by its owner.
    member leg.Release() =
        leg.value <- Unchecked.defaultof<'a>
        leg.error <- null
        Kept<Leg<'S, 'a>>.Return leg

    /// A leg that ended before there was an operation.
    static member Failed(error: exn) =
        let leg = Kept<Leg<'S, 'a>>.Rent()
        leg.error <- error
        leg

    static member Rent(source: 'S, owner: ILegOwner<'S, 'a>) =
        let leg = Kept<Leg<'S, 'a>>.Rent()
        leg.source <- source
        leg.owner <- owner
        leg

    /// Waits, or, where there is nothing to wait for, comes in at once. The last thing a renter does with a leg.
    member leg.Go() =
        let source = leg.source
        if Sure<'S, 'a>.HasEnded source then leg.Resume() else Sure<'S, 'a>.Register(source, leg)

    /// Awaits an operation whose result nobody wants, in the background.
    static member Discard(source: 'S) = Leg<'S, 'a>.Rent(source, null).Go()
