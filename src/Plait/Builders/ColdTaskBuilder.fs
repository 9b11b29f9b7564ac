// Layer: builders. `coldTask`: a function that starts an operation at each call.
namespace Plait

#nowarn "3511" // the copies of Run that are not inlined are the dynamic ones, on purpose

open System.Threading.Tasks
open Plait.Kernel

/// A function that starts an operation at each call.
type ColdTask = unit -> Task

/// A function that starts an operation at each call.
type ColdTask<'T> = unit -> Task<'T>

/// `coldTask` with a choice of context and safety.
type ColdTaskBuilder<'Affinity, 'Safety when 'Affinity :> IAffinity and 'Safety :> ISafety>() =
    inherit ColdBuilder<'Affinity>()

    /// The type of an unannotated `let!`.
    member inline _.Source(start: ColdTask<'a>) = TaskSource<'a, 'Affinity>(start ())

    /// The function that starts the operation, on the calling thread.
    member inline this.Run([<InlineIfLambda>] code: Deferred<'T, 'T>) : ColdTask<'T> =
        this.Cold<'T, Task<'T>, AsTask<'T>, 'Safety> code

/// Async code that starts at each call and gives a Task<'T>.
type ColdTaskBuilder() =
    inherit ColdTaskBuilder<OnCaptured, Safe>()

/// `coldTask` off the caller's SynchronizationContext and TaskScheduler.
type BackgroundColdTaskBuilder() =
    inherit ColdBuilder<OnCaptured>()

    /// The type of an unannotated `let!`.
    member inline _.Source(start: ColdTask<'a>) = TaskSource<'a, OnCaptured>(start ())

    /// The function that starts the operation: on the thread pool if the calling thread has a context.
    member inline this.Run([<InlineIfLambda>] code: Deferred<'T, 'T>) : ColdTask<'T> =
        this.BackgroundCold<'T, Task<'T>, AsTask<'T>, Safe> code

/// The builders, available after `open Plait`.
[<AutoOpen>]
module ColdTaskBuilders =

    /// Async code as a function without an argument that gives a Task. Nothing runs before a call, and each call runs the code
    /// anew, with locals of its own. A start allocates as much as `pooledTask`.
    let coldTask = ColdTaskBuilder()

    /// `coldTask` that never runs on the caller's SynchronizationContext or TaskScheduler.
    let backgroundColdTask = BackgroundColdTaskBuilder()
