// Layer: builders. The strand for any depth of recursion. Users open it explicitly.
namespace Plait

open Plait.Kernel

/// As `strand`, but if the stack is nearly used up, the body runs on another one.
type GuardedStrandBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit StrandMembers<'Affinity>()

    // The body stands twice in the caller, here and in the node, which spares a call at each start. Where a body contains
    // another of this builder, that one stands there four times.
    /// Starts the strand, on the calling thread unless its stack is used up.
    member inline _.Run([<InlineIfLambda>] body: unit -> Strand<'T>) : Strand<'T> =
        if StackGuard.IsLow() then
            NewStackNode<'T>
                .Start(
                    { new NewStackNode<'T>() with
                        member _.Body() = body ()
                    }
                )
        else
            StrandStart.Run body

/// The builders for recursion without a bound that is not a tail call, such as an interpreter's.
module Guarded =

    /// `strand` for any depth of recursion: if the stack is nearly used up, the strand continues on another one.
    /// Costs one comparison.
    let strand = GuardedStrandBuilder<OnCaptured>()
