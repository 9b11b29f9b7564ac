// Layer: combinators. The functions over cold tasks; each calls `CombineStarts` or the function over Tasks.
namespace Plait

open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Functions over <c>unit -> Task&lt;'T&gt;</c>. Each gives a function: nothing is started before that is called, and each
/// call starts everything anew.</summary>
/// <remarks>The call of that function never throws: an exception of an operation at its start is an error of the
/// result.</remarks>
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module ColdTask =

    /// An operation that has the value as its result.
    let result (value: 'T) : ColdTask<'T> = fun () -> Task.FromResult value

    /// The same as `result`.
    let singleton (value: 'T) : ColdTask<'T> = result value

    /// Maps the result. The mapping runs where `let!` would continue.
    let map (mapping: 'T -> 'U) (operation: ColdTask<'T>) : ColdTask<'U> =
        fun () ->
            CombineStarts.Map(mapping, operation, CancellationToken.None, ColdTaskStart<'T>(), AsTask<'U>())

    /// The operation that the binder returns for the result. The binder runs where `let!` would continue.
    let bind (binder: 'T -> ColdTask<'U>) (operation: ColdTask<'T>) : ColdTask<'U> =
        fun () ->
            CombineStarts.Bind(
                binder,
                operation,
                CancellationToken.None,
                ColdTaskStart<'T>(),
                ColdTaskStart<'U>(),
                AsTask<'U>()
            )

    /// Awaits a function, then its argument, then applies the function.
    let apply (mapping: ColdTask<'T -> 'U>) (operation: ColdTask<'T>) : ColdTask<'U> =
        fun () ->
            CombineStarts.Zip(
                (fun mapping value -> mapping value),
                mapping,
                operation,
                CancellationToken.None,
                ColdTaskStart<'T -> 'U>(),
                ColdTaskStart<'T>(),
                AsTask<'U>()
            )

    /// Both results. The second operation is started when the first has succeeded.
    let zip (first: ColdTask<'T>) (second: ColdTask<'U>) : ColdTask<struct ('T * 'U)> =
        fun () ->
            CombineStarts.Zip(
                (fun first second -> struct (first, second)),
                first,
                second,
                CancellationToken.None,
                ColdTaskStart<'T>(),
                ColdTaskStart<'U>(),
                AsTask<struct ('T * 'U)>()
            )

    /// Both results. Both operations are started at once and awaited, even if the first fails; then the first error in order is
    /// the result.
    let parallelZip (first: ColdTask<'T>) (second: ColdTask<'U>) : ColdTask<struct ('T * 'U)> =
        fun () ->
            CombineStarts.ParallelZip(
                first,
                second,
                CancellationToken.None,
                ColdTaskStart<'T>(),
                ColdTaskStart<'U>(),
                AsTask<struct ('T * 'U)>()
            )

    /// The operation without its value. An error is kept.
    let ignore (operation: ColdTask<'T>) : ColdTask<unit> = map ignore operation

    /// Turns an operation without a value into one with the value unit.
    let ofUnit (operation: ColdTask) : ColdTask<unit> =
        fun () ->
            CombineStarts.Map(id, operation, CancellationToken.None, ColdUnitTaskStart(), AsTask<unit>())

    /// The operation without its value, as a function to a Task.
    let toUnit (operation: ColdTask<'T>) : ColdTask =
        fun () ->
            CombineStarts.Map(
                Operators.ignore,
                operation,
                CancellationToken.None,
                ColdTaskStart<'T>(),
                AsTaskUnit()
            )

    /// The results, in the order of the operations. All are started, in order, and awaited; then the first failure in that order
    /// is the result.
    let whenAll (operations: seq<ColdTask<'T>>) : ColdTask<'T[]> =
        fun () -> Task.whenAll (Starts.All operations)

    /// Starts the operations in order, with at most `limit` in flight, and returns their results in order. After a failure
    /// nothing more is started; the operations in flight are awaited, then the first error in order is the result.
    let whenAllThrottled (limit: int) (operations: seq<ColdTask<'T>>) : ColdTask<'T[]> =
        fun () -> Task.whenAllThrottled limit operations

    /// As `whenAllThrottled` with a limit of one.
    let sequential (operations: seq<ColdTask<'T>>) : ColdTask<'T[]> = whenAllThrottled 1 operations

    /// The async as a cold task, which starts it on the calling thread.
    let ofAsync (work: Async<'T>) : ColdTask<'T> =
        fun () -> Async.StartImmediateAsTask work

    /// The operation as an async. Each start of the async starts the operation. The async raises the exception of the
    /// operation.
    let toAsync (operation: ColdTask<'T>) : Async<'T> =
        async.Delay(fun () -> AsyncAwait.Task(operation ()))
