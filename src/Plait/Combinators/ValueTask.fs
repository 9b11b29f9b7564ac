// Layer: combinators. The functions over ValueTasks; each calls `Combine`. The build makes the modules PooledValueTask, Strand and
// Task of this text, with other words for the type of an operation and for its shape: see Plait.fsproj.
namespace Plait

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Functions over <c>ValueTask&lt;'T&gt;</c>.
/// The results may be awaited many times: one that suspends has a Task inside.</summary>
/// <remarks>Each function consumes every operation that it is given exactly once, also after a failure. The call itself never
/// throws: even a wrong argument is an error of the result.</remarks>
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module ValueTask =

    /// A completed operation.
    let result (value: 'T) : ValueTask<'T> = ValueTask.FromResult value

    /// Maps the result. The mapping runs where `let!` would continue.
    let map (mapping: 'T -> 'U) (operation: ValueTask<'T>) : ValueTask<'U> =
        Combine.Map(mapping, Awaited.OnCaptured operation, AsValueTask<'U>())

    /// The operation that the binder returns for the result. The binder runs where `let!` would continue.
    let bind (binder: 'T -> ValueTask<'U>) (operation: ValueTask<'T>) : ValueTask<'U> =
        Combine.Bind(binder, Awaited.OnCaptured operation, ValueTaskReader<'U, Anywhere>(), AsValueTask<'U>())

    /// Awaits a function and its argument, then applies the function.
    let apply (mapping: ValueTask<'T -> 'U>) (operation: ValueTask<'T>) : ValueTask<'U> =
        Combine.Apply(Awaited.OnCaptured mapping, Awaited.OnCaptured operation, AsValueTask<'U>())

    /// Both results. Both operations are awaited, even if the first fails; then the first error in order is the
    /// result.
    let zip (first: ValueTask<'T>) (second: ValueTask<'U>) : ValueTask<struct ('T * 'U)> =
        Combine.Zip(Awaited.Anywhere first, Awaited.Anywhere second, AsValueTask<struct ('T * 'U)>())

    /// The same as `zip`: operations that have started run in parallel anyway.
    let parallelZip (first: ValueTask<'T>) (second: ValueTask<'U>) : ValueTask<struct ('T * 'U)> =
        zip first second

    /// The operation without its value. An error is kept.
    let ignore (operation: ValueTask<'T>) : ValueTask<unit> =
        Combine.Map((fun _ -> ()), Awaited.Anywhere operation, AsValueTask<unit>())

    /// Ok with the value, or Error with the exception. A cancellation is an OperationCanceledException with its
    /// token.
    let catch (operation: ValueTask<'T>) : ValueTask<Result<'T, exn>> =
        Combine.Catch(Awaited.Anywhere operation, AsValueTask<Result<'T, exn>>())

    /// The value, or the handler's result for the exception. A cancellation is such an exception too; rethrow it to
    /// let it pass.
    let catchWith (handler: exn -> 'T) (operation: ValueTask<'T>) : ValueTask<'T> =
        Combine.CatchWith(handler, Awaited.OnCaptured operation, AsValueTask<'T>())

    /// Turns an operation without a value into one with the value unit.
    let ofUnit (operation: ValueTask) : ValueTask<unit> =
        Combine.Convert(Awaited.Anywhere operation, AsValueTask<unit>())

    /// Turns an operation with the value unit into one without a value.
    let toUnit (operation: ValueTask<unit>) : ValueTask =
        Combine.Convert(Awaited.Anywhere operation, AsValueTaskUnit())

    /// The results, in the order of the operations. All are awaited, then the first error in that order is the result;
    /// the others count as observed. Of Tasks it is the BCL's `Task.WhenAll`: a cancellation is the result only if nothing failed,
    /// and the Task holds the other failures too.
    let whenAll (operations: seq<ValueTask<'T>>) : ValueTask<'T[]> =
        CombineMany.WhenAll(operations, ValueTaskReader<'T, Anywhere>(), AsArray<'T>(), AsValueTask<'T[]>())

    /// The result of the first operation to complete, successful or not. If several have completed before the call,
    /// that of the first in order. The others are awaited in the background; their results and errors are dropped.
    let whenAny (operations: seq<ValueTask<'T>>) : ValueTask<'T> =
        CombineMany.WhenAny(operations, ValueTaskReader<'T, Anywhere>(), AsValueTask<'T>())

    /// Starts the operations in order, with at most `limit` in flight, and returns their results in order. After a
    /// failure nothing more is started; the operations in flight are awaited, then the first error in order is the
    /// result.
    let whenAllThrottled (limit: int) (starts: seq<unit -> ValueTask<'T>>) : ValueTask<'T[]> =
        CombineMany.WhenAllThrottled(
            limit,
            starts,
            ValueTaskReader<'T, Anywhere>(),
            AsArray<'T>(),
            AsValueTask<'T[]>()
        )

    /// As `whenAllThrottled` with a limit of one.
    let sequential (starts: seq<unit -> ValueTask<'T>>) : ValueTask<'T[]> = whenAllThrottled 1 starts

    /// The operation, or a TimeoutException when the time is up. The operation is not cancelled: it is awaited in the
    /// background, and its result or error is dropped.
    let timeout (time: TimeSpan) (operation: ValueTask<'T>) : ValueTask<'T> =
        CombineTimeout.Run(time, Awaited.Anywhere operation, AsValueTask<'T>())

    /// Work with a limit; its end is waited for.
    let internal limited (limit: WorkLimit) (work: CancellationToken -> ValueTask<'T>) : ValueTask<'T> =
        CombineWork.Run(limit, work, ValueTaskReader<'T, Anywhere>(), AsValueTask<'T>())

    /// Work with a limit; its end is not waited for.
    let internal abandoned (limit: WorkLimit) (work: CancellationToken -> ValueTask<'T>) : ValueTask<'T> =
        CombineWork.Abandon(limit, work, ValueTaskReader<'T, Anywhere>(), AsValueTask<'T>())

    /// As `withTimeout`; the caller's token cancels the work too, and the result is then an OperationCanceledException with
    /// the caller's token. The first cause counts.
    let withTimeoutLinked
        (token: CancellationToken)
        (time: TimeSpan)
        (work: CancellationToken -> ValueTask<'T>)
        : ValueTask<'T> =
        limited (WorkLimit.Within(time, token)) work

    /// Runs the work with a token that is cancelled when the time is up, and waits for the work to end. If it then ends with
    /// an OperationCanceledException, the result is a TimeoutException with that one inside; any other end, a value too, is the
    /// result. The time is from zero (the work is not started) to 49 days, or infinite.
    /// The work may use the token until its operation has ended: if results of this module are awaited once, other work then gets
    /// the same token.
    let withTimeout (time: TimeSpan) (work: CancellationToken -> ValueTask<'T>) : ValueTask<'T> =
        withTimeoutLinked CancellationToken.None time work

    /// As `withTimeoutLinked`, until a point in time.
    let withDeadlineLinked
        (token: CancellationToken)
        (deadline: DateTimeOffset)
        (work: CancellationToken -> ValueTask<'T>)
        : ValueTask<'T> =
        limited (WorkLimit.Before(deadline, token)) work

    /// As `withTimeout`, until a point in time. If that has passed, the work is not started.
    let withDeadline (deadline: DateTimeOffset) (work: CancellationToken -> ValueTask<'T>) : ValueTask<'T> =
        withDeadlineLinked CancellationToken.None deadline work

    /// As `abandonAfter`; the caller's token cancels and abandons the work too, and the result is then an
    /// OperationCanceledException with the caller's token.
    let abandonAfterLinked
        (token: CancellationToken)
        (time: TimeSpan)
        (work: CancellationToken -> ValueTask<'T>)
        : ValueTask<'T> =
        abandoned (WorkLimit.Within(time, token)) work

    /// Runs the work with a token that is cancelled when the time is up, and does not wait for its end: the result is at
    /// once a TimeoutException, and the result of the work is dropped. For work that does not heed its token.
    let abandonAfter (time: TimeSpan) (work: CancellationToken -> ValueTask<'T>) : ValueTask<'T> =
        abandonAfterLinked CancellationToken.None time work

    /// As `retryUntil`, with the caller's token as `retryLinked`.
    let retryUntilLinked
        (token: CancellationToken)
        (accepts: 'T -> bool)
        (policy: RetryPolicy)
        (work: int -> CancellationToken -> ValueTask<'T>)
        : ValueTask<'T> =
        CombineRetry.Run(policy, token, accepts, work, ValueTaskReader<'T, OnCaptured>(), AsValueTask<'T>())

    /// As `retry`; a value that is not accepted, such as an Error, is a failure too. If the last attempt gives one, it is the
    /// result.
    let retryUntil
        (accepts: 'T -> bool)
        (policy: RetryPolicy)
        (work: int -> CancellationToken -> ValueTask<'T>)
        : ValueTask<'T> =
        retryUntilLinked CancellationToken.None accepts policy work

    /// As `retry`; the work gets the caller's token, which ends a delay too: with an OperationCanceledException.
    let retryLinked
        (token: CancellationToken)
        (policy: RetryPolicy)
        (work: int -> CancellationToken -> ValueTask<'T>)
        : ValueTask<'T> =
        retryUntilLinked token Accepting<'T>.All policy work

    /// Starts the work with the number of the attempt, from 1, and again after a failure, as the policy says; the last
    /// error is the result, the same exception.
    let retry (policy: RetryPolicy) (work: int -> CancellationToken -> ValueTask<'T>) : ValueTask<'T> =
        retryLinked CancellationToken.None policy work

    /// The results in the order in which the operations complete; operations that had completed come first, in their order.
    /// The first failure ends the sequence with its error. To get every result, `catch` the operations. All operations are
    /// consumed, also if the sequence is enumerated in part or not at all; it can be enumerated once.
    let whenEach (operations: seq<ValueTask<'T>>) : IAsyncEnumerable<'T> =
        CombineMany.WhenEach(operations, ValueTaskReader<'T, Anywhere>())

    /// Runs the mapping for the items in order, with at most `limit` operations in flight, and returns their results in
    /// order. Failures are treated as by `whenAllThrottled`.
    let mapThrottled (limit: int) (mapping: 'T -> ValueTask<'U>) (items: seq<'T>) : ValueTask<'U[]> =
        CombineMany.MapThrottled(
            limit,
            items,
            "items",
            mapping,
            ValueTaskReader<'U, Anywhere>(),
            AsArray<'U>(),
            AsValueTask<'U[]>()
        )

    /// As `mapThrottledAsync`, with the token of the sequence.
    let internal mapThrottledAsyncLinked
        (token: CancellationToken)
        (limit: int)
        (mapping: 'T -> ValueTask<'U>)
        (items: IAsyncEnumerable<'T>)
        : ValueTask<'U[]> =
        CombineMany.MapThrottledAsync(
            limit,
            items,
            token,
            mapping,
            ValueTaskReader<'U, Anywhere>(),
            AsArray<'U>(),
            AsValueTask<'U[]>()
        )

    /// As `mapThrottled`, of an asynchronous sequence: the next item is asked for when the one before was started. A failure
    /// ends the enumeration, and the sequence is disposed.
    let mapThrottledAsync
        (limit: int)
        (mapping: 'T -> ValueTask<'U>)
        (items: IAsyncEnumerable<'T>)
        : ValueTask<'U[]> =
        mapThrottledAsyncLinked CancellationToken.None limit mapping items
