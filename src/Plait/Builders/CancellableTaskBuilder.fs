// Layer: builders. `cancellableTask`: a function from a token to a Task<'T>. The build makes
// `cancellableValueTask` of this text: see Plait.fsproj.
namespace Plait

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// A function that starts an operation with the token at each call.
type CancellableTask = CancellationToken -> Task

/// A function that starts an operation with the token at each call.
type CancellableTask<'T> = CancellationToken -> Task<'T>

/// `cancellableTask` with a choice of context and safety.
type CancellableTaskBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit CancellableBuilder<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source([<InlineIfLambda>] start: CancellableTask<'a>) =
        (fun (token: CancellationToken) -> start token), StartedTask<'a, 'Affinity>()

    /// The function that starts the operation, on the calling thread.
    member inline this.Run([<InlineIfLambda>] code: Deferred<'T, 'T>) : CancellableTask<'T> =
        this.Cancellable<'T, Task<'T>, AsTask<'T>, 'Safety> code

/// Async code that starts with a token at each call and gives a Task<'T>.
type CancellableTaskBuilder() =
    inherit CancellableTaskBuilder<OnCaptured, Safe>()

/// `cancellableTask` off the caller's SynchronizationContext and TaskScheduler.
type BackgroundCancellableTaskBuilder() =
    inherit CancellableBuilder<OnCaptured>()

    /// The type of an unannotated `let!`.
    member inline _.Source([<InlineIfLambda>] start: CancellableTask<'a>) =
        (fun (token: CancellationToken) -> start token), StartedTask<'a, OnCaptured>()

    /// The function that starts the operation: on the thread pool if the calling thread has a context.
    member inline this.Run([<InlineIfLambda>] code: Deferred<'T, 'T>) : CancellableTask<'T> =
        this.BackgroundCancellable<'T, Task<'T>, AsTask<'T>, Safe> code

/// The builders, available after `open Plait`.
[<AutoOpen>]
module CancellableTaskBuilders =

    /// <summary>Async code as a function from a CancellationToken to a Task. Each call runs the code anew, with locals of its
    /// own. The token goes to every function of a token, async and asynchronous sequence that the code binds, and is asked before
    /// each bind: if it is cancelled, the code goes on with an OperationCanceledException that has the token.</summary>
    let cancellableTask = CancellableTaskBuilder()

    /// `cancellableTask` that never runs on the caller's SynchronizationContext or TaskScheduler.
    let backgroundCancellableTask = BackgroundCancellableTaskBuilder()
