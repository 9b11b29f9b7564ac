// Layer: C# door. What all sources that are settled by hand share: the words of a refusal, and what a cancellation is.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System.Threading
open System.Threading.Tasks

[<AbstractClass; Sealed>]
type internal Settling =

    /// The exception of a source that is cancelled without one: the BCL's own type, with the token.
    static member Cancellation(token: CancellationToken) : exn =
        TaskCanceledException("A task was canceled.", null, token)

    /// Turns a refused attempt into the exception of the Set... methods.
    static member Demand(settled: bool) =
        if not settled then
            Misuse.SettledTwice()
