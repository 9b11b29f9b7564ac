// Layer: C# door. The errors of the completion sources: a cancellation, and a second attempt to complete.
namespace Plait.Kernel

open System.Threading
open System.Threading.Tasks

[<AbstractClass; Sealed>]
type internal CompletionSourceErrors =

    /// The exception of a source that is cancelled without one: the BCL's own type, with the token.
    static member Cancellation(token: CancellationToken) : exn =
        TaskCanceledException("A task was canceled.", null, token)

    /// Turns a refused attempt into the exception of the Set... methods.
    static member ThrowUnless(settled: bool) =
        if not settled then
            Misuse.SettledTwice()
