// Layer: combinators. The functions over cancellable tasks; each calls `CombineStarts` or `CombineMany`.
namespace Plait

open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Functions over <c>CancellationToken -> Task&lt;'T&gt;</c>. Each gives a function: nothing is started before that is
/// called, and each call starts everything anew.</summary>
/// <remarks>Every operation gets the token of the call. Once the token is cancelled, no operation is started, and the result is an
/// OperationCanceledException with the token. The call of the function never throws: an exception of an operation at its
/// start is an error of the result.</remarks>
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module CancellableTask =

    /// The token of the code that binds this.
    let getCancellationToken () : CancellableValueTask<CancellationToken> =
        fun token -> ValueTask<CancellationToken> token

    /// An operation with the value as its result, for every token.
    let result (value: 'T) : CancellableTask<'T> = fun _ -> Task.FromResult value

    /// The same as `result`.
    let singleton (value: 'T) : CancellableTask<'T> = result value

    /// Maps the result. The mapping runs where `let!` would continue.
    let map (mapping: 'T -> 'U) (operation: CancellableTask<'T>) : CancellableTask<'U> =
        fun token -> CombineStarts.Map(mapping, operation, token, TaskStart<'T>(), AsTask<'U>())

    /// The operation that the binder returns for the result. The binder runs where `let!` would continue.
    let bind (binder: 'T -> CancellableTask<'U>) (operation: CancellableTask<'T>) : CancellableTask<'U> =
        fun token ->
            CombineStarts.Bind(binder, operation, token, TaskStart<'T>(), TaskStart<'U>(), AsTask<'U>())

    /// Awaits a function, then its argument, then applies the function.
    let apply (mapping: CancellableTask<'T -> 'U>) (operation: CancellableTask<'T>) : CancellableTask<'U> =
        fun token ->
            CombineStarts.Zip(
                (fun mapping value -> mapping value),
                mapping,
                operation,
                token,
                TaskStart<'T -> 'U>(),
                TaskStart<'T>(),
                AsTask<'U>()
            )

    /// Both results. The second operation is started when the first has succeeded.
    let zip (first: CancellableTask<'T>) (second: CancellableTask<'U>) : CancellableTask<struct ('T * 'U)> =
        fun token ->
            CombineStarts.Zip(
                (fun first second -> struct (first, second)),
                first,
                second,
                token,
                TaskStart<'T>(),
                TaskStart<'U>(),
                AsTask<struct ('T * 'U)>()
            )

    /// Both results. Both operations are started at once and awaited, even if the first fails; then the first error in order is
    /// the result.
    let parallelZip
        (first: CancellableTask<'T>)
        (second: CancellableTask<'U>)
        : CancellableTask<struct ('T * 'U)> =
        fun token ->
            CombineStarts.ParallelZip(
                first,
                second,
                token,
                TaskStart<'T>(),
                TaskStart<'U>(),
                AsTask<struct ('T * 'U)>()
            )

    /// The operation without its value. An error is kept.
    let ignore (operation: CancellableTask<'T>) : CancellableTask<unit> = map ignore operation

    /// Turns an operation without a value into one with the value unit.
    let ofUnit (operation: CancellableTask) : CancellableTask<unit> =
        fun token -> CombineStarts.Map(id, operation, token, UnitTaskStart(), AsTask<unit>())

    /// The operation without its value, as a function to a Task.
    let toUnit (operation: CancellableTask<'T>) : CancellableTask =
        fun token -> CombineStarts.Map(Operators.ignore, operation, token, TaskStart<'T>(), AsTaskUnit())

    /// The results, in the order of the operations. All are started, in order, and awaited; then the first failure in that order
    /// is the result.
    let whenAll (operations: seq<CancellableTask<'T>>) : CancellableTask<'T[]> =
        fun token -> Task.whenAll (Starts.All(operations, token))

    /// Starts the operations in order, with at most `limit` in flight, and returns their results in order. After a failure
    /// nothing more is started; the operations in flight are awaited, then the first error in order is the result.
    let whenAllThrottled (limit: int) (operations: seq<CancellableTask<'T>>) : CancellableTask<'T[]> =
        fun token ->
            CombineMany.MapThrottled(
                limit,
                operations,
                "operations",
                Starts.With token,
                TaskReader<'T, Anywhere>(),
                AsArray<'T>(),
                AsTask<'T[]>()
            )

    /// As `whenAllThrottled` with a limit of one.
    let sequential (operations: seq<CancellableTask<'T>>) : CancellableTask<'T[]> =
        whenAllThrottled 1 operations

    /// The async as a function of a token. A call starts the async with the token, on the calling thread.
    let ofAsync (work: Async<'T>) : CancellableTask<'T> =
        fun token -> Async.StartImmediateAsTask(work, token)

    /// The operation as an async. Each start of the async starts the operation with the async's token. The async raises the
    /// exception of the operation.
    let toAsync (operation: CancellableTask<'T>) : Async<'T> =
        AsyncAwait.Started(operation, AsyncAwait.Task)
