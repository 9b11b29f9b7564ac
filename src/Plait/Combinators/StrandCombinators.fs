// Layer: combinators. The combinators over strands for C#; each calls an F# function or `Combine`.
namespace Plait

open System
open System.Collections.Generic
open System.Runtime.CompilerServices
open System.Runtime.InteropServices
open System.Threading
open System.Threading.Tasks
open Plait.Kernel

/// <summary>Combinators over <c>Strand&lt;T&gt;</c>, for C#. A pending strand is handed over: await it once. See the
/// module <c>Strand</c> for how errors are treated.</summary>
[<AbstractClass; Sealed; Extension>]
type StrandCombinators =

    /// Maps the result.
    [<Extension>]
    static member Select(operation: Strand<'T>, selector: Func<'T, 'U>) : Strand<'U> =
        if obj.ReferenceEquals(selector, null) then
            Combine.Refuse("selector", StrandSource<'T, Anywhere> operation, AsStrand<'U>())
        else
            Strand.map selector.Invoke operation

    /// The operation that the selector returns for the result.
    [<Extension>]
    static member SelectMany(operation: Strand<'T>, selector: Func<'T, Strand<'U>>) : Strand<'U> =
        if obj.ReferenceEquals(selector, null) then
            Combine.Refuse("selector", StrandSource<'T, Anywhere> operation, AsStrand<'U>())
        else
            Strand.bind selector.Invoke operation

    /// The operation that the selector returns for the result, and both results combined: a query with two `from`
    /// clauses.
    [<Extension>]
    static member SelectMany
        (operation: Strand<'T>, selector: Func<'T, Strand<'U>>, combiner: Func<'T, 'U, 'V>)
        : Strand<'V> =
        if isNull (box selector) || isNull (box combiner) then
            let missing = if isNull (box selector) then "selector" else "combiner"
            Combine.Refuse(missing, StrandSource<'T, Anywhere> operation, AsStrand<'V>())
        else
            operation
            |> Strand.bind (fun first ->
                selector.Invoke first |> Strand.map (fun second -> combiner.Invoke(first, second)))

    /// Awaits a function and its argument, then applies the function.
    [<Extension>]
    static member Apply(mapping: Strand<Func<'T, 'U>>, operation: Strand<'T>) : Strand<'U> =
        Strand.zip mapping operation
        |> Strand.map (fun struct (mapping, value) -> mapping.Invoke value)

    /// The operation without its result. An error is kept.
    [<Extension>]
    static member Ignore(operation: Strand<'T>) : ValueTask =
        Combine.Map((fun _ -> ()), Awaited.Anywhere operation, AsPooledValueTaskUnit())

    /// The same as `Zip`: operations that have started run in parallel anyway.
    [<Extension>]
    static member ParallelZip(first: Strand<'T>, second: Strand<'U>) : Strand<struct ('T * 'U)> =
        Strand.zip first second

    /// Both results. Both operations are awaited, even if the first fails; then the first error in order is the
    /// result.
    [<Extension>]
    static member Zip(first: Strand<'T>, second: Strand<'U>) : Strand<struct ('T * 'U)> =
        Strand.zip first second

    /// The value, or the handler's result for the exception. A cancellation is such an exception too.
    [<Extension>]
    static member Catch(operation: Strand<'T>, handler: Func<exn, 'T>) : Strand<'T> =
        if obj.ReferenceEquals(handler, null) then
            Combine.Refuse("handler", StrandSource<'T, Anywhere> operation, AsStrand<'T>())
        else
            Strand.catchWith handler.Invoke operation

    /// The results in order. All are awaited, then the first error in order is the result.
    [<Extension>]
    static member WhenAll(operations: IEnumerable<Strand<'T>>) : Strand<'T[]> = Strand.whenAll operations

    /// The result of the first operation to complete, successful or not. The others are awaited in the background.
    [<Extension>]
    static member WhenAny(operations: IEnumerable<Strand<'T>>) : Strand<'T> = Strand.whenAny operations

    /// Starts the operations in order, with at most `limit` in flight. After a failure nothing more is started.
    [<Extension>]
    static member WhenAllThrottled(starts: IEnumerable<Func<Strand<'T>>>, limit: int) : Strand<'T[]> =
        Strand.whenAllThrottled limit (DelegateAdapters.Functions starts)

    /// Starts each operation when the one before has completed. After a failure nothing more is started.
    [<Extension>]
    static member Sequential(starts: IEnumerable<Func<Strand<'T>>>) : Strand<'T[]> =
        Strand.sequential (DelegateAdapters.Functions starts)

    /// <summary>The operation, or a TimeoutException when the time is up. The operation then continues in the
    /// background, unless the token of <paramref name="cancels" /> stops it.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="time">How long it may take.</param>
    /// <param name="clock">The clock; the system clock if it is null.</param>
    /// <param name="cancels">Cancelled when the time is up.</param>
    [<Extension>]
    static member Timeout
        (
            operation: Strand<'T>,
            time: TimeSpan,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional; DefaultParameterValue(null: CancellationTokenSource | null)>] cancels:
                CancellationTokenSource | null
        ) : Strand<'T> =
        CombineTimeout.Run(
            time,
            DelegateAdapters.ClockOrSystem clock,
            cancels,
            Awaited.Anywhere operation,
            AsStrand<'T>()
        )

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
            work: Func<CancellationToken, Strand<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : Strand<'T> =
        Strand.limited
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
            work: Func<CancellationToken, Strand<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : Strand<'T> =
        Strand.limited
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
            work: Func<CancellationToken, Strand<'T>>,
            [<Optional; DefaultParameterValue(null: TimeProvider | null)>] clock: TimeProvider | null,
            [<Optional>] cancellationToken: CancellationToken
        ) : Strand<'T> =
        Strand.abandoned
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
            work: Func<int, CancellationToken, Strand<'T>>,
            [<Optional>] cancellationToken: CancellationToken
        ) : Strand<'T> =
        Strand.retryLinked cancellationToken policy (DelegateAdapters.Function work)

    /// <summary>As <c>Retry</c>; a value that is not accepted is a failure too. If the last attempt gives one, it is the result.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="work">The work.</param>
    /// <param name="accepts">Whether a value is accepted.</param>
    /// <param name="cancellationToken">The caller's token; it ends a delay too.</param>
    static member RetryUntil
        (
            policy: RetryPolicy,
            work: Func<int, CancellationToken, Strand<'T>>,
            accepts: Func<'T, bool>,
            [<Optional>] cancellationToken: CancellationToken
        ) : Strand<'T> =
        Strand.retryUntilLinked
            cancellationToken
            (DelegateAdapters.Function accepts)
            policy
            (DelegateAdapters.Function work)

    /// The results in the order in which the operations complete. The first failure ends the sequence with its error. It can
    /// be enumerated once.
    [<Extension>]
    static member WhenEach(operations: IEnumerable<Strand<'T>>) : IAsyncEnumerable<'T> =
        Strand.whenEach operations

    /// <summary>Runs the mapping for the items in order, with at most <paramref name="limit" /> operations in flight, and returns
    /// the results in order. After a failure nothing more is started.</summary>
    static member MapThrottled
        (items: IEnumerable<'T>, limit: int, mapping: Func<'T, Strand<'U>>)
        : Strand<'U[]> =
        Strand.mapThrottled limit (DelegateAdapters.Function mapping) items

    /// <summary>As the other <c>MapThrottled</c>, of an asynchronous sequence, which gets the token.</summary>
    static member MapThrottled
        (
            items: IAsyncEnumerable<'T>,
            limit: int,
            mapping: Func<'T, Strand<'U>>,
            [<Optional>] cancellationToken: CancellationToken
        ) : Strand<'U[]> =
        Strand.mapThrottledAsyncLinked cancellationToken limit (DelegateAdapters.Function mapping) items
