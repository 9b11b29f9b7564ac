// Layer: builders. The strand for any depth of recursion, opened on purpose.
namespace Plait

open System.Threading
open Plait.Kernel

/// Exact as `strand`; a body that would begin on a stack that is nearly used up begins on another.
type GuardedStrandBuilder<'Affinity when 'Affinity :> IAffinity>() =
    inherit StrandMembers<'Affinity>()

    /// Starts the strand, on the calling thread unless its stack is used up.
    member inline _.Run(body: unit -> Strand<'T>) : Strand<'T> =
        if StackGuard.IsLow() then
            NewStackNode<'T>
                .Start(
                    { new NewStackNode<'T>() with
                        member _.Body() = body ()
                    }
                )
        else
            Exact.Run body

/// The builders for recursion that is no tail call and has no bound, such as an interpreter's.
module Guarded =

    /// `strand` for any depth: where the stack is nearly used up, the strand goes on on another one. Costs a compare.
    let strand = GuardedStrandBuilder<OnCaptured>()
