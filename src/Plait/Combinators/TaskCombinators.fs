// Layer: combinators. The combinators over Tasks for C#, as far as the BCL does not have them.
namespace Plait

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Combinators over <c>Task&lt;T&gt;</c> and over functions that start one, for C#, which the BCL does not
/// have. Task.WhenAll, Task.WhenAny and WaitAsync are there already.</summary>
[<AbstractClass; Sealed; Extension>]
type TaskCombinators =

    /// Maps the result. Throws an ArgumentNullException at the call if an argument is null.
    [<Extension>]
    static member Select(operation: Task<'T>, selector: Func<'T, 'U>) : Task<'U> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(selector, "selector")
        Task.map selector.Invoke operation

    /// The operation that the selector returns for the result. Throws an ArgumentNullException at the call if an
    /// argument is null.
    [<Extension>]
    static member SelectMany(operation: Task<'T>, selector: Func<'T, Task<'U>>) : Task<'U> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(selector, "selector")
        Task.bind selector.Invoke operation

    /// The operation that the selector returns for the result, and both results combined: a query with two `from`
    /// clauses. Throws an ArgumentNullException at the call if an argument is null.
    [<Extension>]
    static member SelectMany
        (operation: Task<'T>, selector: Func<'T, Task<'U>>, combiner: Func<'T, 'U, 'V>)
        : Task<'V> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(selector, "selector")
        ArgumentNullException.ThrowIfNull(combiner, "combiner")

        operation
        |> Task.bind (fun first ->
            selector.Invoke first |> Task.map (fun second -> combiner.Invoke(first, second)))

    /// Both results. Both operations are awaited, even if the first fails; then the first error in order is the
    /// result. An ArgumentNullException at the call for a null.
    [<Extension>]
    static member Zip(first: Task<'T>, second: Task<'U>) : Task<struct ('T * 'U)> =
        ArgumentNullException.ThrowIfNull(first, "first")
        ArgumentNullException.ThrowIfNull(second, "second")
        Task.zip first second

    /// The value, or the handler's result for the exception. A cancellation is such an exception too. An
    /// ArgumentNullException at the call for a null.
    [<Extension>]
    static member Catch(operation: Task<'T>, handler: Func<exn, 'T>) : Task<'T> =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(handler, "handler")
        Task.catchWith handler.Invoke operation

    /// Starts the operations in order, with at most `limit` in flight. After a failure nothing more is started.
    [<Extension>]
    static member WhenAllThrottled(starts: IEnumerable<Func<Task<'T>>>, limit: int) : Task<'T[]> =
        Task.whenAllThrottled limit (DelegateAdapters.Functions starts)

    /// Starts each operation when the one before has completed. After a failure nothing more is started.
    [<Extension>]
    static member Sequential(starts: IEnumerable<Func<Task<'T>>>) : Task<'T[]> =
        Task.sequential (DelegateAdapters.Functions starts)

    /// <summary>Runs the work with a token that is cancelled when the time is up or the caller's token is cancelled, and waits
    /// for the work to end. If it then ends with an OperationCanceledException, the result is a TimeoutException, or an
    /// OperationCanceledException with the caller's token.</summary>
    /// <param name="time">How long it may take: from zero, which does not start it, to 49 days, or infinite.</param>
    /// <param name="work">The work.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member WithTimeout
        (
            time: TimeSpan,
            work: Func<CancellationToken, Task<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : Task<'T> =
        Task.limited
            (DelegateAdapters.Within(time, clock, cancellationToken))
            (DelegateAdapters.Function work)

    /// <summary>As <c>WithTimeout</c>, until a point in time. If that has passed, the work is not started.</summary>
    /// <param name="deadline">When it must have ended.</param>
    /// <param name="work">The work.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member WithDeadline
        (
            deadline: DateTimeOffset,
            work: Func<CancellationToken, Task<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : Task<'T> =
        Task.limited
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
            work: Func<CancellationToken, Task<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : Task<'T> =
        Task.abandoned
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
            work: Func<int, CancellationToken, Task<'T>>,
            [<Optional>] cancellationToken: CancellationToken
        ) : Task<'T> =
        Task.retryLinked cancellationToken policy (DelegateAdapters.Function work)

    /// <summary>As <c>Retry</c>; a value that is not accepted is a failure too. If the last attempt gives one, it is the result.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="work">The work.</param>
    /// <param name="accepts">Whether a value is accepted.</param>
    /// <param name="cancellationToken">The caller's token; it ends a delay too.</param>
    static member RetryUntil
        (
            policy: RetryPolicy,
            work: Func<int, CancellationToken, Task<'T>>,
            accepts: Func<'T, bool>,
            [<Optional>] cancellationToken: CancellationToken
        ) : Task<'T> =
        Task.retryUntilLinked
            cancellationToken
            (DelegateAdapters.Function accepts)
            policy
            (DelegateAdapters.Function work)

    /// <summary>Runs the mapping for the items in order, with at most <paramref name="limit" /> operations in flight, and returns
    /// the results in order. After a failure nothing more is started.</summary>
    static member MapThrottled(items: IEnumerable<'T>, limit: int, mapping: Func<'T, Task<'U>>) : Task<'U[]> =
        Task.mapThrottled limit (DelegateAdapters.Function mapping) items

    /// <summary>As the other <c>MapThrottled</c>, of an asynchronous sequence, which gets the token.</summary>
    static member MapThrottled
        (
            items: IAsyncEnumerable<'T>,
            limit: int,
            mapping: Func<'T, Task<'U>>,
            [<Optional>] cancellationToken: CancellationToken
        ) : Task<'U[]> =
        Task.mapThrottledAsyncLinked cancellationToken limit (DelegateAdapters.Function mapping) items

    // Operations and work without a result.

    /// The operation; if it fails, the handler gets the exception, and the result has succeeded. A cancellation is such an
    /// exception too. An ArgumentNullException at the call for a null.
    [<Extension>]
    static member Catch(operation: Task, handler: Action<exn>) : Task =
        ArgumentNullException.ThrowIfNull(operation, "operation")
        ArgumentNullException.ThrowIfNull(handler, "handler")
        TaskUnit.catchWith handler.Invoke operation

    /// Starts the operations in order, with at most `limit` in flight. After a failure nothing more is started.
    [<Extension>]
    static member WhenAllThrottled(starts: IEnumerable<Func<Task>>, limit: int) : Task =
        TaskUnit.whenAllThrottled limit (DelegateAdapters.Functions starts)

    /// Starts each operation when the one before has completed. After a failure nothing more is started.
    [<Extension>]
    static member Sequential(starts: IEnumerable<Func<Task>>) : Task =
        TaskUnit.sequential (DelegateAdapters.Functions starts)

    /// <summary>As the other <c>WithTimeout</c>, of work without a result.</summary>
    /// <param name="time">How long it may take: from zero, which does not start it, to 49 days, or infinite.</param>
    /// <param name="work">The work.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member WithTimeout
        (
            time: TimeSpan,
            work: Func<CancellationToken, Task>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : Task =
        TaskUnit.limited
            (DelegateAdapters.Within(time, clock, cancellationToken))
            (DelegateAdapters.Function work)

    /// <summary>As the other <c>WithDeadline</c>, of work without a result.</summary>
    /// <param name="deadline">When it must have ended.</param>
    /// <param name="work">The work.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    static member WithDeadline
        (
            deadline: DateTimeOffset,
            work: Func<CancellationToken, Task>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : Task =
        TaskUnit.limited
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
            work: Func<CancellationToken, Task>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : Task =
        TaskUnit.abandoned
            (DelegateAdapters.Within(time, clock, cancellationToken))
            (DelegateAdapters.Function work)

    /// <summary>As the other <c>Retry</c>, of work without a result.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="work">The work.</param>
    /// <param name="cancellationToken">The caller's token; it ends a delay too.</param>
    static member Retry
        (
            policy: RetryPolicy,
            work: Func<int, CancellationToken, Task>,
            [<Optional>] cancellationToken: CancellationToken
        ) : Task =
        TaskUnit.retryLinked cancellationToken policy (DelegateAdapters.Function work)

    /// <summary>Runs the action for the items in order, with at most <paramref name="limit" /> operations in flight. After a failure
    /// nothing more is started. Memory does not grow with the number of items.</summary>
    static member ForEachThrottled(items: IEnumerable<'T>, limit: int, action: Func<'T, Task>) : Task =
        TaskUnit.iterThrottled limit (DelegateAdapters.Function action) items

    /// <summary>As the other <c>ForEachThrottled</c>, of an asynchronous sequence, which gets the token.</summary>
    static member ForEachThrottled
        (
            items: IAsyncEnumerable<'T>,
            limit: int,
            action: Func<'T, Task>,
            [<Optional>] cancellationToken: CancellationToken
        ) : Task =
        TaskUnit.iterThrottledAsyncLinked cancellationToken limit (DelegateAdapters.Function action) items
