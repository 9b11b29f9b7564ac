// Layer: C# door. The combinators over the results of `async PooledValueTask<T>` methods: those over ValueTasks, without a
// conversion in the caller's code.
namespace Plait

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open Plait.Kernel

/// <summary>Combinators over <c>PooledValueTask&lt;T&gt;</c>, for C#. Their results are pooled too: await them once. See
/// the module <c>PooledValueTask</c> for how errors are treated.</summary>
[<AbstractClass; Sealed; Extension>]
type PooledValueTaskCombinators =

    /// Maps the result.
    [<Extension>]
    static member Select(operation: PooledValueTask<'T>, selector: Func<'T, 'U>) : PooledValueTask<'U> =
        PooledValueTask<'U>(ValueTaskCombinators.Select(operation.AsValueTask(), selector))

    /// The operation that the selector returns for the result.
    [<Extension>]
    static member SelectMany
        (operation: PooledValueTask<'T>, selector: Func<'T, PooledValueTask<'U>>)
        : PooledValueTask<'U> =
        let selector = PooledWork.Delegate selector
        PooledValueTask<'U>(ValueTaskCombinators.SelectMany(operation.AsValueTask(), selector))

    /// The operation that the selector returns for the result, and both results combined: a query with two `from`
    /// clauses.
    [<Extension>]
    static member SelectMany
        (operation: PooledValueTask<'T>, selector: Func<'T, PooledValueTask<'U>>, combiner: Func<'T, 'U, 'V>)
        : PooledValueTask<'V> =
        let selector = PooledWork.Delegate selector
        PooledValueTask<'V>(ValueTaskCombinators.SelectMany(operation.AsValueTask(), selector, combiner))

    /// Awaits a function and its argument, then applies the function.
    [<Extension>]
    static member Apply
        (mapping: PooledValueTask<Func<'T, 'U>>, operation: PooledValueTask<'T>)
        : PooledValueTask<'U> =
        PooledValueTask<'U>(ValueTaskCombinators.Apply(mapping.AsValueTask(), operation.AsValueTask()))

    /// The operation without its result. An error is kept.
    [<Extension>]
    static member Ignore(operation: PooledValueTask<'T>) : PooledValueTask =
        PooledValueTask(ValueTaskCombinators.Ignore(operation.AsValueTask()))

    /// The same as `Zip`: operations that have started run in parallel anyway.
    [<Extension>]
    static member ParallelZip
        (first: PooledValueTask<'T>, second: PooledValueTask<'U>)
        : PooledValueTask<struct ('T * 'U)> =
        PooledValueTaskCombinators.Zip(first, second)

    /// Both results. Both operations are awaited, even if the first fails; then the first error in order is the
    /// result.
    [<Extension>]
    static member Zip
        (first: PooledValueTask<'T>, second: PooledValueTask<'U>)
        : PooledValueTask<struct ('T * 'U)> =
        PooledValueTask<struct ('T * 'U)>(PooledValueTask.zip (first.AsValueTask()) (second.AsValueTask()))

    /// The value, or the handler's result for the exception. A cancellation is such an exception too.
    [<Extension>]
    static member Catch(operation: PooledValueTask<'T>, handler: Func<exn, 'T>) : PooledValueTask<'T> =
        PooledValueTask<'T>(ValueTaskCombinators.Catch(operation.AsValueTask(), handler))

    /// The results in order. All are awaited, then the first error in order is the result.
    [<Extension>]
    static member WhenAll(operations: IEnumerable<PooledValueTask<'T>>) : PooledValueTask<'T[]> =
        PooledValueTask<'T[]>(
            CombineMany.WhenAll(
                operations,
                PooledValueTaskReader<'T>(),
                AsArray<'T>(),
                AsPooledValueTask<'T[]>()
            )
        )

    /// The result of the first operation to complete, successful or not. The others are awaited in the background.
    [<Extension>]
    static member WhenAny(operations: IEnumerable<PooledValueTask<'T>>) : PooledValueTask<'T> =
        PooledValueTask<'T>(
            CombineMany.WhenAny(operations, PooledValueTaskReader<'T>(), AsPooledValueTask<'T>())
        )

    /// Starts the operations in order, with at most `limit` in flight. After a failure nothing more is started.
    [<Extension>]
    static member WhenAllThrottled
        (starts: IEnumerable<Func<PooledValueTask<'T>>>, limit: int)
        : PooledValueTask<'T[]> =
        PooledValueTask<'T[]>(
            CombineMany.WhenAllThrottled(
                limit,
                DelegateAdapters.Functions starts,
                PooledValueTaskReader<'T>(),
                AsArray<'T>(),
                AsPooledValueTask<'T[]>()
            )
        )

    /// Starts each operation when the one before has completed. After a failure nothing more is started.
    [<Extension>]
    static member Sequential(starts: IEnumerable<Func<PooledValueTask<'T>>>) : PooledValueTask<'T[]> =
        PooledValueTaskCombinators.WhenAllThrottled(starts, 1)

    /// <summary>The operation, or a TimeoutException when the time is up. The operation then continues in the
    /// background, unless the token of <paramref name="cancels" /> stops it.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="time">How long it may take.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancels">Cancelled when the time is up.</param>
    [<Extension>]
    static member Timeout
        (
            operation: PooledValueTask<'T>,
            time: TimeSpan,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional; DefaultParameterValue(null: CancellationTokenSource | null)>] cancels:
                CancellationTokenSource | null
        ) : PooledValueTask<'T> =
        PooledValueTask<'T>(ValueTaskCombinators.Timeout(operation.AsValueTask(), time, clock, cancels))

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
            work: Func<CancellationToken, PooledValueTask<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : PooledValueTask<'T> =
        PooledValueTask<'T>(
            PooledValueTask.limited
                (DelegateAdapters.Within(time, clock, cancellationToken))
                (PooledWork.Function work)
        )

    /// <summary>As <c>WithTimeout</c>, until a point in time. If that has passed, the work is not started.</summary>
    /// <param name="deadline">When it must have ended.</param>
    /// <param name="work">The work. It may use the token until its operation has ended: then other work gets the same token.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member WithDeadline
        (
            deadline: DateTimeOffset,
            work: Func<CancellationToken, PooledValueTask<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : PooledValueTask<'T> =
        PooledValueTask<'T>(
            PooledValueTask.limited
                (DelegateAdapters.Before(deadline, clock, cancellationToken))
                (PooledWork.Function work)
        )

    /// <summary>As <c>WithTimeout</c>, but does not wait for the work to end: when the time is up or the caller's token is
    /// cancelled, its result is dropped. For work that does not heed its token.</summary>
    /// <param name="time">How long it may take: from zero, which does not start it, to 49 days, or infinite.</param>
    /// <param name="work">The work.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member AbandonAfter
        (
            time: TimeSpan,
            work: Func<CancellationToken, PooledValueTask<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : PooledValueTask<'T> =
        PooledValueTask<'T>(
            PooledValueTask.abandoned
                (DelegateAdapters.Within(time, clock, cancellationToken))
                (PooledWork.Function work)
        )

    /// <summary>Starts the work with the number of the attempt, from 1, and the token, and again after a failure, by the
    /// policy. The last error is the result.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="work">The work.</param>
    /// <param name="cancellationToken">The caller's token; it ends a delay too.</param>
    static member Retry
        (
            policy: RetryPolicy,
            work: Func<int, CancellationToken, PooledValueTask<'T>>,
            [<Optional>] cancellationToken: CancellationToken
        ) : PooledValueTask<'T> =
        PooledValueTask<'T>(PooledValueTask.retryLinked cancellationToken policy (PooledWork.Function work))

    /// <summary>As <c>Retry</c>; a value that is not accepted is a failure too. If the last attempt gives one, it is the result.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="work">The work.</param>
    /// <param name="accepts">Whether a value is accepted.</param>
    /// <param name="cancellationToken">The caller's token; it ends a delay too.</param>
    static member RetryUntil
        (
            policy: RetryPolicy,
            work: Func<int, CancellationToken, PooledValueTask<'T>>,
            accepts: Func<'T, bool>,
            [<Optional>] cancellationToken: CancellationToken
        ) : PooledValueTask<'T> =
        PooledValueTask<'T>(
            PooledValueTask.retryUntilLinked
                cancellationToken
                (DelegateAdapters.Function accepts)
                policy
                (PooledWork.Function work)
        )

    /// The results in the order in which the operations complete. The first failure ends the sequence with its error. It can
    /// be enumerated once.
    [<Extension>]
    static member WhenEach(operations: IEnumerable<PooledValueTask<'T>>) : IAsyncEnumerable<'T> =
        CombineMany.WhenEach(operations, PooledValueTaskReader<'T>())

    /// <summary>Runs the mapping for the items in order, with at most <paramref name="limit" /> operations in flight, and returns
    /// the results in order. After a failure nothing more is started.</summary>
    static member MapThrottled
        (items: IEnumerable<'T>, limit: int, mapping: Func<'T, PooledValueTask<'U>>)
        : PooledValueTask<'U[]> =
        PooledValueTask<'U[]>(PooledValueTask.mapThrottled limit (PooledWork.Function mapping) items)

    /// <summary>As the other <c>MapThrottled</c>, of an asynchronous sequence, which gets the token.</summary>
    static member MapThrottled
        (
            items: IAsyncEnumerable<'T>,
            limit: int,
            mapping: Func<'T, PooledValueTask<'U>>,
            [<Optional>] cancellationToken: CancellationToken
        ) : PooledValueTask<'U[]> =
        PooledValueTask<'U[]>(
            PooledValueTask.mapThrottledAsyncLinked
                cancellationToken
                limit
                (PooledWork.Function mapping)
                items
        )

    // Operations and work without a result.

    /// The operation; if it fails, the handler gets the exception, and the result has succeeded. A cancellation is such an
    /// exception too.
    [<Extension>]
    static member Catch(operation: PooledValueTask, handler: Action<exn>) : PooledValueTask =
        PooledValueTask(ValueTaskCombinators.Catch(operation.AsValueTask(), handler))

    /// The end of all operations. All are awaited, then the first error in order is the result.
    [<Extension>]
    static member WhenAll(operations: IEnumerable<PooledValueTask>) : PooledValueTask =
        PooledValueTask(
            CombineMany.WhenAll(
                operations,
                PooledValueTaskUnitReader(),
                AsNothing<unit, unit>(),
                AsPooledValueTaskUnit()
            )
        )

    /// The result of the first operation to complete, successful or not. The others are awaited in the background.
    [<Extension>]
    static member WhenAny(operations: IEnumerable<PooledValueTask>) : PooledValueTask =
        PooledValueTask(CombineMany.WhenAny(operations, PooledValueTaskUnitReader(), AsPooledValueTaskUnit()))

    /// The places of the operations, from 0, in the order in which they complete. The first failure ends the sequence with its
    /// error. It can be enumerated once.
    [<Extension>]
    static member WhenEach(operations: IEnumerable<PooledValueTask>) : IAsyncEnumerable<int> =
        CombineMany.WhenEachPlace(operations, PooledValueTaskUnitReader())

    /// Starts the operations in order, with at most `limit` in flight. After a failure nothing more is started.
    [<Extension>]
    static member WhenAllThrottled(starts: IEnumerable<Func<PooledValueTask>>, limit: int) : PooledValueTask =
        PooledValueTask(
            CombineMany.WhenAllThrottled(
                limit,
                DelegateAdapters.Functions starts,
                PooledValueTaskUnitReader(),
                AsNothing<unit, unit>(),
                AsPooledValueTaskUnit()
            )
        )

    /// Starts each operation when the one before has completed. After a failure nothing more is started.
    [<Extension>]
    static member Sequential(starts: IEnumerable<Func<PooledValueTask>>) : PooledValueTask =
        PooledValueTaskCombinators.WhenAllThrottled(starts, 1)

    /// <summary>As the other <c>Timeout</c>, of an operation without a result.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="time">How long it may take.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancels">Cancelled when the time is up.</param>
    [<Extension>]
    static member Timeout
        (
            operation: PooledValueTask,
            time: TimeSpan,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional; DefaultParameterValue(null: CancellationTokenSource | null)>] cancels:
                CancellationTokenSource | null
        ) : PooledValueTask =
        PooledValueTask(ValueTaskCombinators.Timeout(operation.AsValueTask(), time, clock, cancels))

    /// <summary>As the other <c>WithTimeout</c>, of work without a result.</summary>
    /// <param name="time">How long it may take: from zero, which does not start it, to 49 days, or infinite.</param>
    /// <param name="work">The work. It may use the token until its operation has ended: then other work gets the same token.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member WithTimeout
        (
            time: TimeSpan,
            work: Func<CancellationToken, PooledValueTask>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : PooledValueTask =
        PooledValueTask(
            PooledValueTaskUnit.limited
                (DelegateAdapters.Within(time, clock, cancellationToken))
                (PooledWork.Function work)
        )

    /// <summary>As the other <c>WithDeadline</c>, of work without a result.</summary>
    /// <param name="deadline">When it must have ended.</param>
    /// <param name="work">The work. It may use the token until its operation has ended: then other work gets the same token.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member WithDeadline
        (
            deadline: DateTimeOffset,
            work: Func<CancellationToken, PooledValueTask>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : PooledValueTask =
        PooledValueTask(
            PooledValueTaskUnit.limited
                (DelegateAdapters.Before(deadline, clock, cancellationToken))
                (PooledWork.Function work)
        )

    /// <summary>As the other <c>AbandonAfter</c>, of work without a result.</summary>
    /// <param name="time">How long it may take: from zero, which does not start it, to 49 days, or infinite.</param>
    /// <param name="work">The work.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member AbandonAfter
        (
            time: TimeSpan,
            work: Func<CancellationToken, PooledValueTask>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : PooledValueTask =
        PooledValueTask(
            PooledValueTaskUnit.abandoned
                (DelegateAdapters.Within(time, clock, cancellationToken))
                (PooledWork.Function work)
        )

    /// <summary>As the other <c>Retry</c>, of work without a result.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="work">The work.</param>
    /// <param name="cancellationToken">The caller's token; it ends a delay too.</param>
    static member Retry
        (
            policy: RetryPolicy,
            work: Func<int, CancellationToken, PooledValueTask>,
            [<Optional>] cancellationToken: CancellationToken
        ) : PooledValueTask =
        PooledValueTask(PooledValueTaskUnit.retryLinked cancellationToken policy (PooledWork.Function work))

    /// <summary>Runs the action for the items in order, with at most <paramref name="limit" /> operations in flight. After a failure
    /// nothing more is started. Memory does not grow with the number of items.</summary>
    static member ForEachThrottled
        (items: IEnumerable<'T>, limit: int, action: Func<'T, PooledValueTask>)
        : PooledValueTask =
        PooledValueTask(PooledValueTaskUnit.iterThrottled limit (PooledWork.Function action) items)

    /// <summary>As the other <c>ForEachThrottled</c>, of an asynchronous sequence, which gets the token.</summary>
    static member ForEachThrottled
        (
            items: IAsyncEnumerable<'T>,
            limit: int,
            action: Func<'T, PooledValueTask>,
            [<Optional>] cancellationToken: CancellationToken
        ) : PooledValueTask =
        PooledValueTask(
            PooledValueTaskUnit.iterThrottledAsyncLinked
                cancellationToken
                limit
                (PooledWork.Function action)
                items
        )
