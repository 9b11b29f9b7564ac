// Layer: C# door. What all sources that are settled by hand share: the words of a refusal, and what a cancellation is.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: nothing waits, no context, no error

open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open Plait

[<AbstractClass; Sealed>]
type internal Settling =

    /// The exception of a source that is cancelled without one: the BCL's own type, with the token.
    static member Cancellation(token: CancellationToken) : exn =
        TaskCanceledException("A task was canceled.", null, token)

    /// Turns a refused attempt into the exception of the Set... methods.
    static member Demand(settled: bool) =
        if not settled then
            Misuse.SettledTwice()

/// How many sources with a result of one type are kept: as many as machines, unless the type says otherwise.
[<AbstractClass; Sealed>]
type internal ResultKind<'T> =
    interface IPooledKind with
        static member Capacity = PoolSizeAttribute.Of(typeof<'T>, 4096)
        // header, the fields of a source, and its result
        static member ItemBytes = 96 + Unsafe.SizeOf<'T>()
