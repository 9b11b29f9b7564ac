// Layer: combinators. The functions over ValueTasks without a result; each calls `Combine`. The build makes the modules
// PooledValueTaskUnit and TaskUnit of this text, as those of ValueTask.fs.
namespace Plait

open System
open System.Collections.Generic
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Functions over <c>ValueTask</c>, the operation without a result, and over work that returns one.
/// The results may be awaited many times: one that suspends has a Task inside.</summary>
/// <remarks>Each function consumes every operation that it is given exactly once, also after a failure. The call itself never
/// throws: even a wrong argument is an error of the result.</remarks>
[<RequireQualifiedAccess; CompilationRepresentation(CompilationRepresentationFlags.ModuleSuffix)>]
module ValueTaskUnit =

    /// Ok, or Error with the exception. A cancellation is an OperationCanceledException with its token.
    let catch (operation: ValueTask) : ValueTask<Result<unit, exn>> =
        Combine.Catch(Awaited.Anywhere operation, AsValueTask<Result<unit, exn>>())

    /// The operation; if it fails, the handler gets the exception, and the result has succeeded. A cancellation is such an
    /// exception too; rethrow it to let it pass.
    let catchWith (handler: exn -> unit) (operation: ValueTask) : ValueTask =
        Combine.CatchWith(handler, Awaited.OnCaptured operation, AsValueTaskUnit())

    /// The end of all operations. All are awaited, then the first error in their order is the result; the others count as
    /// observed.
    let whenAll (operations: seq<ValueTask>) : ValueTask =
        CombineMany.WhenAll(
            operations,
            UnitValueTaskReader<Anywhere>(),
            AsNothing<unit, unit>(),
            AsValueTaskUnit()
        )

    /// The result of the first operation to complete, successful or not. If several have completed before the call,
    /// that of the first in order. The others are awaited in the background; their errors are dropped.
    let whenAny (operations: seq<ValueTask>) : ValueTask =
        CombineMany.WhenAny(operations, UnitValueTaskReader<Anywhere>(), AsValueTaskUnit())

    /// The places of the operations, from 0, in the order in which the operations complete; operations that had completed
    /// come first, in their order. The first failure ends the sequence with its error. All operations are consumed, also if
    /// the sequence is enumerated in part or not at all; it can be enumerated once.
    let whenEach (operations: seq<ValueTask>) : IAsyncEnumerable<int> =
        CombineMany.WhenEachPlace(operations, UnitValueTaskReader<Anywhere>())

    /// Starts the operations in order, with at most `limit` in flight. After a failure nothing more is started; the operations
    /// in flight are awaited, then the first error in order is the result.
    let whenAllThrottled (limit: int) (starts: seq<unit -> ValueTask>) : ValueTask =
        CombineMany.WhenAllThrottled(
            limit,
            starts,
            UnitValueTaskReader<Anywhere>(),
            AsNothing<unit, unit>(),
            AsValueTaskUnit()
        )

    /// As `whenAllThrottled` with a limit of one.
    let sequential (starts: seq<unit -> ValueTask>) : ValueTask = whenAllThrottled 1 starts

    /// The operation, or a TimeoutException when the time is up. The operation is not cancelled: it is awaited in the
    /// background, and its error is dropped.
    let timeout (time: TimeSpan) (operation: ValueTask) : ValueTask =
        CombineTimeout.Run(time, Awaited.Anywhere operation, AsValueTaskUnit())

    /// Work with a limit; its end is waited for.
    let internal limited (limit: WorkLimit) (work: CancellationToken -> ValueTask) : ValueTask =
        CombineWork.Run(limit, work, UnitValueTaskReader<Anywhere>(), AsValueTaskUnit())

    /// Work with a limit; its end is not waited for.
    let internal abandoned (limit: WorkLimit) (work: CancellationToken -> ValueTask) : ValueTask =
        CombineWork.Abandon(limit, work, UnitValueTaskReader<Anywhere>(), AsValueTaskUnit())

    /// As `withTimeout`; the caller's token cancels the work too, and the result is then an OperationCanceledException with
    /// the caller's token. The first cause counts.
    let withTimeoutLinked
        (token: CancellationToken)
        (time: TimeSpan)
        (work: CancellationToken -> ValueTask)
        : ValueTask =
        limited (WorkLimit.Within(time, token)) work

    /// Runs the work with a token that is cancelled when the time is up, and waits for the work to end. If it then ends with
    /// an OperationCanceledException, the result is a TimeoutException with that one inside; any other end, a success too, is
    /// the result. The time is from zero (the work is not started) to 49 days, or infinite.
    /// The work may use the token until its operation has ended: if results of this module are awaited once, other work then gets
    /// the same token.
    let withTimeout (time: TimeSpan) (work: CancellationToken -> ValueTask) : ValueTask =
        withTimeoutLinked CancellationToken.None time work

    /// As `withTimeoutLinked`, until a point in time.
    let withDeadlineLinked
        (token: CancellationToken)
        (deadline: DateTimeOffset)
        (work: CancellationToken -> ValueTask)
        : ValueTask =
        limited (WorkLimit.Before(deadline, token)) work

    /// As `withTimeout`, until a point in time. If that has passed, the work is not started.
    let withDeadline (deadline: DateTimeOffset) (work: CancellationToken -> ValueTask) : ValueTask =
        withDeadlineLinked CancellationToken.None deadline work

    /// As `abandonAfter`; the caller's token cancels and abandons the work too, and the result is then an
    /// OperationCanceledException with the caller's token.
    let abandonAfterLinked
        (token: CancellationToken)
        (time: TimeSpan)
        (work: CancellationToken -> ValueTask)
        : ValueTask =
        abandoned (WorkLimit.Within(time, token)) work

    /// Runs the work with a token that is cancelled when the time is up, and does not wait for its end: the result is at
    /// once a TimeoutException, and the result of the work is dropped. For work that does not heed its token.
    let abandonAfter (time: TimeSpan) (work: CancellationToken -> ValueTask) : ValueTask =
        abandonAfterLinked CancellationToken.None time work

    /// As `retry`; the work gets the caller's token, which ends a delay too: with an OperationCanceledException.
    let retryLinked
        (token: CancellationToken)
        (policy: RetryPolicy)
        (work: int -> CancellationToken -> ValueTask)
        : ValueTask =
        CombineRetry.Run(
            policy,
            token,
            Accepting<unit>.All,
            work,
            UnitValueTaskReader<OnCaptured>(),
            AsValueTaskUnit()
        )

    /// Starts the work with the number of the attempt, from 1, and again after a failure, as the policy says; the last
    /// error is the result, the same exception.
    let retry (policy: RetryPolicy) (work: int -> CancellationToken -> ValueTask) : ValueTask =
        retryLinked CancellationToken.None policy work

    /// Runs the action for the items in order, with at most `limit` operations in flight. Failures are treated as by
    /// `whenAllThrottled`. Memory does not grow with the number of items.
    let iterThrottled (limit: int) (action: 'T -> ValueTask) (items: seq<'T>) : ValueTask =
        CombineMany.MapThrottled(
            limit,
            items,
            "items",
            action,
            UnitValueTaskReader<Anywhere>(),
            AsNothing<unit, unit>(),
            AsValueTaskUnit()
        )

    /// As `iterThrottledAsync`, with the token of the sequence.
    let internal iterThrottledAsyncLinked
        (token: CancellationToken)
        (limit: int)
        (action: 'T -> ValueTask)
        (items: IAsyncEnumerable<'T>)
        : ValueTask =
        CombineMany.MapThrottledAsync(
            limit,
            items,
            token,
            action,
            UnitValueTaskReader<Anywhere>(),
            AsNothing<unit, unit>(),
            AsValueTaskUnit()
        )

    /// As `iterThrottled`, of an asynchronous sequence: the next item is asked for when the one before was started. A failure
    /// ends the enumeration, and the sequence is disposed.
    let iterThrottledAsync (limit: int) (action: 'T -> ValueTask) (items: IAsyncEnumerable<'T>) : ValueTask =
        iterThrottledAsyncLinked CancellationToken.None limit action items
