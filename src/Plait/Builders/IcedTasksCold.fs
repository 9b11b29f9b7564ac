// Layer: builders, over the combinators. IcedTasks' names of cold and cancellable functions, but for the builders' values.
namespace Plait.Migration.IcedTasks

#nowarn "3511" // the copy of Run that is not inlined is the dynamic one, on purpose

open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// A function that starts an operation at each call.
type ColdTask = unit -> Task

/// A function that starts an operation at each call.
type ColdTask<'T> = unit -> Task<'T>

/// A function that starts an operation with the token at each call.
type CancellableTask = CancellationToken -> Task

/// A function that starts an operation with the token at each call.
type CancellableTask<'T> = CancellationToken -> Task<'T>

/// A function that starts an operation with the token at each call.
type CancellableValueTask = CancellationToken -> ValueTask

/// A function that starts an operation with the token at each call.
type CancellableValueTask<'T> = CancellationToken -> ValueTask<'T>

/// The base of the builders of cold tasks.
type ColdTaskBuilderBase = ColdBuilder<OnCaptured>

/// The type of `coldTask`.
type ColdTaskBuilder = Plait.ColdTaskBuilder

/// The type of `backgroundColdTask`.
type BackgroundColdTaskBuilder = Plait.BackgroundColdTaskBuilder

/// The base of the builders of cancellable operations.
type CancellableTaskBuilderBase = CancellableBuilder<OnCaptured>

/// The type of `cancellableTask`.
type CancellableTaskBuilder = Plait.CancellableTaskBuilder

/// The type of `backgroundCancellableTask`.
type BackgroundCancellableTaskBuilder = Plait.BackgroundCancellableTaskBuilder

/// The type of `cancellablePoolingValueTask`.
type CancellablePoolingValueTaskBuilder = Plait.CancellableValueTaskBuilder

/// `cancellableValueTask`: a function of a token to a ValueTask that may be awaited many times.
type CancellableValueTaskBuilder() =
    inherit CancellableBuilder<OnCaptured>()

    /// The type of an unannotated `let!`.
    member inline _.Source([<InlineIfLambda>] start: CancellationToken -> ValueTask<'a>) =
        (fun (token: CancellationToken) -> start token), StartedValueTask<'a, OnCaptured>()

    /// The function that starts the operation, on the calling thread.
    member inline this.Run([<InlineIfLambda>] code: Deferred<'T, 'T>) : CancellationToken -> ValueTask<'T> =
        this.Cancellable<'T, ValueTask<'T>, AsValueTask<'T>, Safe> code

module internal Pairs =

    /// A struct tuple as a tuple.
    let ofStruct (struct (left: 'T, right: 'U)) : 'T * 'U = left, right

/// Functions over cold tasks. An exception at the start of an operation is an error of its result.
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module ColdTask =

    /// An operation that has the value as its result.
    let singleton (item: 'T) : ColdTask<'T> = Plait.ColdTask.result item

    /// The operation that the binder returns for the result.
    let bind (binder: 'T -> ColdTask<'U>) (operation: ColdTask<'T>) : ColdTask<'U> =
        Plait.ColdTask.bind binder operation

    /// Maps the result.
    let map (mapper: 'T -> 'U) (operation: ColdTask<'T>) : ColdTask<'U> = Plait.ColdTask.map mapper operation

    /// Awaits a function, then its argument, then applies the function.
    let apply (applicable: ColdTask<'T -> 'U>) (operation: ColdTask<'T>) : ColdTask<'U> =
        Plait.ColdTask.apply applicable operation

    /// Both results, one operation after the other.
    let zip (left: ColdTask<'T>) (right: ColdTask<'U>) : ColdTask<'T * 'U> =
        Plait.ColdTask.map Pairs.ofStruct (Plait.ColdTask.zip left right)

    /// Both results of operations that are started together.
    let parallelZip (left: ColdTask<'T>) (right: ColdTask<'U>) : ColdTask<'T * 'U> =
        Plait.ColdTask.map Pairs.ofStruct (Plait.ColdTask.parallelZip left right)

    /// The operation with the value unit.
    let ofUnit (operation: ColdTask) : ColdTask<unit> = Plait.ColdTask.ofUnit operation

    /// The operation without its value.
    let toUnit (operation: ColdTask<'T>) : ColdTask = Plait.ColdTask.toUnit operation

/// Functions over cancellable tasks. An exception at the start of an operation is an error of its result.
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module CancellableTask =

    /// The token of the code that binds this.
    let getCancellationToken () : CancellationToken -> ValueTask<CancellationToken> =
        Plait.CancellableTask.getCancellationToken ()

    /// An operation that has the value as its result.
    let singleton (item: 'T) : CancellableTask<'T> = Plait.CancellableTask.result item

    /// The operation that the binder returns for the result.
    let bind (binder: 'T -> CancellableTask<'U>) (operation: CancellableTask<'T>) : CancellableTask<'U> =
        Plait.CancellableTask.bind binder operation

    /// Maps the result.
    let map (mapper: 'T -> 'U) (operation: CancellableTask<'T>) : CancellableTask<'U> =
        Plait.CancellableTask.map mapper operation

    /// Awaits a function, then its argument, then applies the function.
    let apply (applicable: CancellableTask<'T -> 'U>) (operation: CancellableTask<'T>) : CancellableTask<'U> =
        Plait.CancellableTask.apply applicable operation

    /// Both results, one operation after the other.
    let zip (left: CancellableTask<'T>) (right: CancellableTask<'U>) : CancellableTask<'T * 'U> =
        Plait.CancellableTask.map Pairs.ofStruct (Plait.CancellableTask.zip left right)

    /// Both results of operations that are started together.
    let parallelZip (left: CancellableTask<'T>) (right: CancellableTask<'U>) : CancellableTask<'T * 'U> =
        Plait.CancellableTask.map Pairs.ofStruct (Plait.CancellableTask.parallelZip left right)

    /// The operation with the value unit.
    let ofUnit (operation: CancellableTask) : CancellableTask<unit> = Plait.CancellableTask.ofUnit operation

    /// The operation without its value.
    let toUnit (operation: CancellableTask<'T>) : CancellableTask = Plait.CancellableTask.toUnit operation

    /// All results, of operations that are started together.
    let whenAll (tasks: seq<CancellableTask<'T>>) : CancellableTask<'T[]> =
        Plait.CancellableTask.whenAll tasks

    /// All results, of at most so many operations at a time.
    let whenAllThrottled
        (maxDegreeOfParallelism: int)
        (tasks: seq<CancellableTask<'T>>)
        : CancellableTask<'T[]> =
        Plait.CancellableTask.whenAllThrottled maxDegreeOfParallelism tasks

    /// All results, of one operation after the other.
    let sequential (tasks: seq<CancellableTask<'T>>) : CancellableTask<'T[]> =
        Plait.CancellableTask.sequential tasks

/// Functions over cancellable ValueTasks, whose results are pooled and awaited once. An exception at the start of an
/// operation is an error of its result.
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module CancellableValueTask =

    /// The token of the code that binds this.
    let getCancellationToken () : CancellationToken -> ValueTask<CancellationToken> =
        Plait.CancellableValueTask.getCancellationToken ()

    /// An operation that has the value as its result.
    let singleton (item: 'T) : CancellableValueTask<'T> = Plait.CancellableValueTask.result item

    /// The operation that the binder returns for the result.
    let bind
        (binder: 'T -> CancellableValueTask<'U>)
        (operation: CancellableValueTask<'T>)
        : CancellableValueTask<'U> =
        Plait.CancellableValueTask.bind binder operation

    /// Maps the result.
    let map (mapper: 'T -> 'U) (operation: CancellableValueTask<'T>) : CancellableValueTask<'U> =
        Plait.CancellableValueTask.map mapper operation

    /// Awaits a function, then its argument, then applies the function.
    let apply
        (applicable: CancellableValueTask<'T -> 'U>)
        (operation: CancellableValueTask<'T>)
        : CancellableValueTask<'U> =
        Plait.CancellableValueTask.apply applicable operation

    /// Both results, one operation after the other.
    let zip
        (left: CancellableValueTask<'T>)
        (right: CancellableValueTask<'U>)
        : CancellableValueTask<'T * 'U> =
        Plait.CancellableValueTask.map Pairs.ofStruct (Plait.CancellableValueTask.zip left right)

    /// Both results of operations that are started together.
    let parallelZip
        (left: CancellableValueTask<'T>)
        (right: CancellableValueTask<'U>)
        : CancellableValueTask<'T * 'U> =
        Plait.CancellableValueTask.map Pairs.ofStruct (Plait.CancellableValueTask.parallelZip left right)

    /// The operation with the value unit.
    let ofUnit (operation: CancellableValueTask) : CancellableValueTask<unit> =
        Plait.CancellableValueTask.ofUnit operation

    /// The operation without its value.
    let toUnit (operation: CancellableValueTask<'T>) : CancellableValueTask =
        Plait.CancellableValueTask.toUnit operation
