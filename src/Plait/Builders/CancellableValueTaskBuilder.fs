// Layer: builders. `cancellableValueTask`: a function from a token to a ValueTask<'T>.
namespace Plait

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// A function that starts an operation with the token at each call.
type CancellableValueTask = CancellationToken -> ValueTask

/// A function that starts an operation with the token at each call.
type CancellableValueTask<'T> = CancellationToken -> ValueTask<'T>

/// `cancellableValueTask` with a choice of context and safety.
type CancellableValueTaskBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit CancellableBuilder<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source([<InlineIfLambda>] start: CancellableValueTask<'a>) =
        (fun (token: CancellationToken) -> start token), StartedValueTask<'a, 'Affinity>()

    /// The function that starts the operation, on the calling thread.
    member inline this.Run([<InlineIfLambda>] code: Deferred<'T, 'T>) : CancellableValueTask<'T> =
        this.Cancellable<'T, ValueTask<'T>, AsPooledValueTask<'T>, 'Safety> code

/// Async code that starts with a token at each call and gives a pooled ValueTask<'T>.
type CancellableValueTaskBuilder() =
    inherit CancellableValueTaskBuilder<OnCaptured, Safe>()

/// `cancellableValueTask` off the caller's SynchronizationContext and TaskScheduler.
type BackgroundCancellableValueTaskBuilder() =
    inherit CancellableBuilder<OnCaptured>()

    /// The type of an unannotated `let!`.
    member inline _.Source([<InlineIfLambda>] start: CancellableValueTask<'a>) =
        (fun (token: CancellationToken) -> start token), StartedValueTask<'a, OnCaptured>()

    /// The function that starts the operation: on the thread pool if the calling thread has a context.
    member inline this.Run([<InlineIfLambda>] code: Deferred<'T, 'T>) : CancellableValueTask<'T> =
        this.BackgroundCancellable<'T, ValueTask<'T>, AsPooledValueTask<'T>, Safe> code

/// The builders, available after `open Plait`.
[<AutoOpen>]
module CancellableValueTaskBuilders =

    /// Async code as a function from a CancellationToken to a pooled ValueTask, which is awaited once. Else as
    /// `cancellableTask`; a start allocates nothing, whether it suspends or not.
    let cancellableValueTask = CancellableValueTaskBuilder()

    /// `cancellableValueTask` that never runs on the caller's SynchronizationContext or TaskScheduler.
    let backgroundCancellableValueTask = BackgroundCancellableValueTaskBuilder()
