// Layer: combinators. The combinators over ValueTasks for C#; each calls an F# function or `Combine`. The build makes
// PooledValueTaskCombinators of this text, and StrandCombinators of the parts with a result: see Plait.fsproj.
namespace Plait

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Combinators over <c>ValueTask&lt;T&gt;</c>, for C#. Their results are pooled: await them once. See the
/// module <c>PooledValueTask</c> for how errors are treated.</summary>
[<AbstractClass; Sealed; Extension>]
type ValueTaskCombinators =

    // Operations with a result.

    /// Maps the result.
    [<Extension>]
    static member Select(operation: ValueTask<'T>, selector: Func<'T, 'U>) : ValueTask<'U> =
        if obj.ReferenceEquals(selector, null) then
            Combine.Refuse("selector", Awaited.Anywhere operation, AsPooledValueTask<'U>())
        else
            PooledValueTask.map selector.Invoke operation

    /// The operation that the selector returns for the result.
    [<Extension>]
    static member SelectMany(operation: ValueTask<'T>, selector: Func<'T, ValueTask<'U>>) : ValueTask<'U> =
        if obj.ReferenceEquals(selector, null) then
            Combine.Refuse("selector", Awaited.Anywhere operation, AsPooledValueTask<'U>())
        else
            PooledValueTask.bind selector.Invoke operation

    /// The operation that the selector returns for the result, and both results combined: a query with two `from`
    /// clauses.
    [<Extension>]
    static member SelectMany
        (operation: ValueTask<'T>, selector: Func<'T, ValueTask<'U>>, combiner: Func<'T, 'U, 'V>)
        : ValueTask<'V> =
        if isNull (box selector) || isNull (box combiner) then
            let missing = if isNull (box selector) then "selector" else "combiner"
            Combine.Refuse(missing, Awaited.Anywhere operation, AsPooledValueTask<'V>())
        else
            operation
            |> PooledValueTask.bind (fun first ->
                selector.Invoke first
                |> PooledValueTask.map (fun second -> combiner.Invoke(first, second)))

    /// Awaits a function and its argument, then applies the function.
    [<Extension>]
    static member Apply(mapping: ValueTask<Func<'T, 'U>>, operation: ValueTask<'T>) : ValueTask<'U> =
        PooledValueTask.zip mapping operation
        |> PooledValueTask.map (fun struct (mapping, value) -> mapping.Invoke value)

    /// The operation without its result. An error is kept.
    [<Extension>]
    static member Ignore(operation: ValueTask<'T>) : ValueTask =
        Combine.Map((fun _ -> ()), Awaited.Anywhere operation, AsPooledValueTaskUnit())

    /// The same as `Zip`: operations that have started run in parallel anyway.
    [<Extension>]
    static member ParallelZip(first: ValueTask<'T>, second: ValueTask<'U>) : ValueTask<struct ('T * 'U)> =
        PooledValueTask.zip first second

    /// Both results. Both operations are awaited, even if the first fails; then the first error in order is the
    /// result.
    [<Extension>]
    static member Zip(first: ValueTask<'T>, second: ValueTask<'U>) : ValueTask<struct ('T * 'U)> =
        PooledValueTask.zip first second

    /// The value, or the handler's result for the exception. A cancellation is such an exception too.
    [<Extension>]
    static member Catch(operation: ValueTask<'T>, handler: Func<exn, 'T>) : ValueTask<'T> =
        if obj.ReferenceEquals(handler, null) then
            Combine.Refuse("handler", Awaited.Anywhere operation, AsPooledValueTask<'T>())
        else
            PooledValueTask.catchWith handler.Invoke operation

    /// The results in order. All are awaited, then the first error in order is the result.
    [<Extension>]
    static member WhenAll(operations: IEnumerable<ValueTask<'T>>) : ValueTask<'T[]> =
        PooledValueTask.whenAll operations

    /// The result of the first operation to complete, successful or not. The others are awaited in the background.
    [<Extension>]
    static member WhenAny(operations: IEnumerable<ValueTask<'T>>) : ValueTask<'T> =
        PooledValueTask.whenAny operations

    /// <summary>The operation, or a TimeoutException when the time is up. The operation then continues in the
    /// background, unless the token of <paramref name="cancels" /> stops it.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="time">How long it may take.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancels">Cancelled when the time is up.</param>
    [<Extension>]
    static member Timeout
        (
            operation: ValueTask<'T>,
            time: TimeSpan,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional; DefaultParameterValue(null: CancellationTokenSource | null)>] cancels:
                CancellationTokenSource | null
        ) : ValueTask<'T> =
        CombineTimeout.Run(
            time,
            DelegateAdapters.ClockOrSystem clock,
            cancels,
            Awaited.Anywhere operation,
            AsPooledValueTask<'T>()
        )

    /// The results in the order in which the operations complete. The first failure ends the sequence with its error. It can
    /// be enumerated once.
    [<Extension>]
    static member WhenEach(operations: IEnumerable<ValueTask<'T>>) : IAsyncEnumerable<'T> =
        PooledValueTask.whenEach operations

    // Work with a result.

    /// Starts the operations in order, with at most `limit` in flight. After a failure nothing more is started.
    [<Extension>]
    static member WhenAllThrottled(starts: IEnumerable<Func<ValueTask<'T>>>, limit: int) : ValueTask<'T[]> =
        PooledValueTask.whenAllThrottled limit (DelegateAdapters.Functions starts)

    /// Starts each operation when the one before has completed. After a failure nothing more is started.
    [<Extension>]
    static member Sequential(starts: IEnumerable<Func<ValueTask<'T>>>) : ValueTask<'T[]> =
        PooledValueTask.sequential (DelegateAdapters.Functions starts)

    /// <summary>Runs the work with a token that is cancelled when the time is up or the caller's token is cancelled, and waits
    /// for the work to end. If it then ends with an OperationCanceledException, the result is a TimeoutException, or an
    /// OperationCanceledException with the caller's token.</summary>
    /// <param name="time">How long it may take: from zero, which does not start it, to 49 days, or infinite.</param>
    /// <param name="work">The work. It may use the token until its operation has ended: then other work gets the same token.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member WithTimeout
        (
            time: TimeSpan,
            work: Func<CancellationToken, ValueTask<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : ValueTask<'T> =
        PooledValueTask.limited
            (DelegateAdapters.Within(time, clock, cancellationToken))
            (DelegateAdapters.Function work)

    /// <summary>As <c>WithTimeout</c>, until a point in time. If that has passed, the work is not started.</summary>
    /// <param name="deadline">When it must have ended.</param>
    /// <param name="work">The work. It may use the token until its operation has ended: then other work gets the same token.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member WithDeadline
        (
            deadline: DateTimeOffset,
            work: Func<CancellationToken, ValueTask<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : ValueTask<'T> =
        PooledValueTask.limited
            (DelegateAdapters.Before(deadline, clock, cancellationToken))
            (DelegateAdapters.Function work)

    /// <summary>As <c>WithTimeout</c>, but does not wait for the work to end: when the time is up or the caller's token is
    /// cancelled, its result is dropped. For work that does not heed its token.</summary>
    /// <param name="time">How long it may take: from zero, which does not start it, to 49 days, or infinite.</param>
    /// <param name="work">The work.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member AbandonAfter
        (
            time: TimeSpan,
            work: Func<CancellationToken, ValueTask<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : ValueTask<'T> =
        PooledValueTask.abandoned
            (DelegateAdapters.Within(time, clock, cancellationToken))
            (DelegateAdapters.Function work)

    /// <summary>Starts the work with the number of the attempt, from 1, and the token, and again after a failure, as the policy
    /// says. The last error is the result.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="work">The work.</param>
    /// <param name="cancellationToken">The caller's token; it ends a delay too.</param>
    static member Retry
        (
            policy: RetryPolicy,
            work: Func<int, CancellationToken, ValueTask<'T>>,
            [<Optional>] cancellationToken: CancellationToken
        ) : ValueTask<'T> =
        PooledValueTask.retryLinked cancellationToken policy (DelegateAdapters.Function work)

    /// <summary>As <c>Retry</c>; a value that is not accepted is a failure too. If the last attempt gives one, it is the result.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="work">The work.</param>
    /// <param name="accepts">Whether a value is accepted.</param>
    /// <param name="cancellationToken">The caller's token; it ends a delay too.</param>
    static member RetryUntil
        (
            policy: RetryPolicy,
            work: Func<int, CancellationToken, ValueTask<'T>>,
            accepts: Func<'T, bool>,
            [<Optional>] cancellationToken: CancellationToken
        ) : ValueTask<'T> =
        PooledValueTask.retryUntilLinked
            cancellationToken
            (DelegateAdapters.Function accepts)
            policy
            (DelegateAdapters.Function work)

    /// <summary>Runs the mapping for the items in order, with at most <paramref name="limit" /> operations in flight, and returns
    /// the results in order. After a failure nothing more is started.</summary>
    static member MapThrottled
        (items: IEnumerable<'T>, limit: int, mapping: Func<'T, ValueTask<'U>>)
        : ValueTask<'U[]> =
        PooledValueTask.mapThrottled limit (DelegateAdapters.Function mapping) items

    /// <summary>As the other <c>MapThrottled</c>, of an asynchronous sequence, which gets the token.</summary>
    static member MapThrottled
        (
            items: IAsyncEnumerable<'T>,
            limit: int,
            mapping: Func<'T, ValueTask<'U>>,
            [<Optional>] cancellationToken: CancellationToken
        ) : ValueTask<'U[]> =
        PooledValueTask.mapThrottledAsyncLinked
            cancellationToken
            limit
            (DelegateAdapters.Function mapping)
            items

    // Work without a result.

    /// Starts the operations in order, with at most `limit` in flight. After a failure nothing more is started.
    [<Extension>]
    static member WhenAllThrottled(starts: IEnumerable<Func<ValueTask>>, limit: int) : ValueTask =
        PooledValueTaskUnit.whenAllThrottled limit (DelegateAdapters.Functions starts)

    /// Starts each operation when the one before has completed. After a failure nothing more is started.
    [<Extension>]
    static member Sequential(starts: IEnumerable<Func<ValueTask>>) : ValueTask =
        PooledValueTaskUnit.sequential (DelegateAdapters.Functions starts)

    /// <summary>As the other <c>WithTimeout</c>, of work without a result.</summary>
    /// <param name="time">How long it may take: from zero, which does not start it, to 49 days, or infinite.</param>
    /// <param name="work">The work. It may use the token until its operation has ended: then other work gets the same token.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member WithTimeout
        (
            time: TimeSpan,
            work: Func<CancellationToken, ValueTask>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : ValueTask =
        PooledValueTaskUnit.limited
            (DelegateAdapters.Within(time, clock, cancellationToken))
            (DelegateAdapters.Function work)

    /// <summary>As the other <c>WithDeadline</c>, of work without a result.</summary>
    /// <param name="deadline">When it must have ended.</param>
    /// <param name="work">The work. It may use the token until its operation has ended: then other work gets the same token.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member WithDeadline
        (
            deadline: DateTimeOffset,
            work: Func<CancellationToken, ValueTask>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : ValueTask =
        PooledValueTaskUnit.limited
            (DelegateAdapters.Before(deadline, clock, cancellationToken))
            (DelegateAdapters.Function work)

    /// <summary>As the other <c>AbandonAfter</c>, of work without a result.</summary>
    /// <param name="time">How long it may take: from zero, which does not start it, to 49 days, or infinite.</param>
    /// <param name="work">The work.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member AbandonAfter
        (
            time: TimeSpan,
            work: Func<CancellationToken, ValueTask>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : ValueTask =
        PooledValueTaskUnit.abandoned
            (DelegateAdapters.Within(time, clock, cancellationToken))
            (DelegateAdapters.Function work)

    /// <summary>As the other <c>Retry</c>, of work without a result.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="work">The work.</param>
    /// <param name="cancellationToken">The caller's token; it ends a delay too.</param>
    static member Retry
        (
            policy: RetryPolicy,
            work: Func<int, CancellationToken, ValueTask>,
            [<Optional>] cancellationToken: CancellationToken
        ) : ValueTask =
        PooledValueTaskUnit.retryLinked cancellationToken policy (DelegateAdapters.Function work)

    /// <summary>Runs the action for the items in order, with at most <paramref name="limit" /> operations in flight. After a failure
    /// nothing more is started. Memory does not grow with the number of items.</summary>
    static member ForEachThrottled
        (items: IEnumerable<'T>, limit: int, action: Func<'T, ValueTask>)
        : ValueTask =
        PooledValueTaskUnit.iterThrottled limit (DelegateAdapters.Function action) items

    /// <summary>As the other <c>ForEachThrottled</c>, of an asynchronous sequence, which gets the token.</summary>
    static member ForEachThrottled
        (
            items: IAsyncEnumerable<'T>,
            limit: int,
            action: Func<'T, ValueTask>,
            [<Optional>] cancellationToken: CancellationToken
        ) : ValueTask =
        PooledValueTaskUnit.iterThrottledAsyncLinked
            cancellationToken
            limit
            (DelegateAdapters.Function action)
            items

    // Operations without a result.

    /// The operation; if it fails, the handler gets the exception, and the result has succeeded. A cancellation is such an
    /// exception too.
    [<Extension>]
    static member Catch(operation: ValueTask, handler: Action<exn>) : ValueTask =
        if obj.ReferenceEquals(handler, null) then
            Combine.Refuse("handler", Awaited.Anywhere operation, AsPooledValueTaskUnit())
        else
            PooledValueTaskUnit.catchWith handler.Invoke operation

    /// The end of all operations. All are awaited, then the first error in order is the result.
    [<Extension>]
    static member WhenAll(operations: IEnumerable<ValueTask>) : ValueTask =
        PooledValueTaskUnit.whenAll operations

    /// The result of the first operation to complete, successful or not. The others are awaited in the background.
    [<Extension>]
    static member WhenAny(operations: IEnumerable<ValueTask>) : ValueTask =
        PooledValueTaskUnit.whenAny operations

    /// The places of the operations, from 0, in the order in which they complete. The first failure ends the sequence with its
    /// error. It can be enumerated once.
    [<Extension>]
    static member WhenEach(operations: IEnumerable<ValueTask>) : IAsyncEnumerable<int> =
        PooledValueTaskUnit.whenEach operations

    /// <summary>As the other <c>Timeout</c>, of an operation without a result.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="time">How long it may take.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancels">Cancelled when the time is up.</param>
    [<Extension>]
    static member Timeout
        (
            operation: ValueTask,
            time: TimeSpan,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional; DefaultParameterValue(null: CancellationTokenSource | null)>] cancels:
                CancellationTokenSource | null
        ) : ValueTask =
        CombineTimeout.Run(
            time,
            DelegateAdapters.ClockOrSystem clock,
            cancels,
            Awaited.Anywhere operation,
            AsPooledValueTaskUnit()
        )
