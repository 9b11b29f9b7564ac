// Layer: combinators. The source of the token that work with a time limit gets. Owns two rules. The first cause counts:
// the time, or the token of the caller. And a source is used again only if it was never cancelled, its work has ended and
// the result is awaited once: see docs/decisions/0086.
namespace Plait.Kernel

open System
open System.Runtime.CompilerServices
open System.Threading

/// The time limit of work, and the tokens that cancel it.
[<Struct; NoEquality; NoComparison>]
type internal WorkLimit =
    {
        Time: TimeSpan
        /// If it has a value, the time is the rest until then.
        Deadline: DateTimeOffset voption
        Clock: TimeProvider
        /// The caller's.
        Token: CancellationToken
    }

    static member Within(time: TimeSpan, token: CancellationToken, clock: TimeProvider) =
        { Time = time; Deadline = ValueNone; Clock = clock; Token = token }

    static member Within(time: TimeSpan, token: CancellationToken) =
        WorkLimit.Within(time, token, TimeProvider.System)

    static member Before(deadline: DateTimeOffset, token: CancellationToken, clock: TimeProvider) =
        { Time = TimeSpan.Zero; Deadline = ValueSome deadline; Clock = clock; Token = token }

    static member Before(deadline: DateTimeOffset, token: CancellationToken) =
        WorkLimit.Before(deadline, token, TimeProvider.System)

    /// The limit in time, from now on. A deadline that is further away than a timer reaches is none.
    member limit.FromNow() : TimeSpan =
        match limit.Deadline with
        | ValueNone -> limit.Time
        | ValueSome deadline ->
            let left = deadline - limit.Clock.GetUtcNow()

            if left.Ticks < 0L then TimeSpan.Zero
            elif left.Ticks > TimeLimit.Longest.Ticks then Timeout.InfiniteTimeSpan
            else left

    /// The error of work that had no more time; `state` is a sentence on the work.
    member limit.TimedOut(state: string, inner: exn) : exn =
        let limit =
            match limit.Deadline with
            | ValueNone -> "within " + limit.Time.ToString()
            | ValueSome deadline -> "before " + deadline.ToString "O"

        let passed = $"The work did not complete {limit}. {state}"

        TimeoutException(
            passed
            + " Usual cause: an operation that is slower than the limit allows for. Allow more time, or make the \
               limit of the operations inside shorter than this one. See docs/errors/timed-out.md in the Plait \
               package.",
            inner
        )

[<AbstractClass; Sealed>]
type internal WorkTokenSettings =
    interface IPoolSettings with
        static member Capacity = 1024
        // itself, its timer, and its memory for registrations
        static member ItemBytes = 400

[<Sealed; AllowNullLiteral>]
type internal WorkTokenSource private (time: TimeSpan, clock: TimeProvider) =
    inherit CancellationTokenSource(time, clock)

    static let cancel =
        Action<obj>(fun state -> (Unsafe.As<WorkTokenSource> state).CancelForCaller())

    [<DefaultValue(false)>]
    val mutable private limit: WorkLimit

    [<DefaultValue(false)>]
    val mutable private registration: CancellationTokenRegistration

    /// The caller's token came first.
    [<DefaultValue(false)>]
    val mutable private isCallers: bool

    [<DefaultValue(false)>]
    val mutable private isPooled: bool

    /// As the BCL's linked sources: an exception of a callback goes to the thread that cancels.
    member private source.CancelForCaller() =
        if not source.IsCancellationRequested then
            Volatile.Write(&source.isCallers, true)
            source.Cancel()

    /// A source for work that starts now; null where nothing can cancel it. Throws where the work must not start.
    static member Open(limit: WorkLimit, isPooled: bool) : WorkTokenSource =
        let time = limit.FromNow()
        let isInfinite = TimeLimit.IsInfinite time
        TimeLimit.Validate(time, "The work was not started.")
        limit.Token.ThrowIfCancellationRequested()

        if time.Ticks = 0L then
            raise (limit.TimedOut("It was not started.", null))

        if isInfinite && not limit.Token.CanBeCanceled then
            null
        else
            // the timer of another clock cannot be reset
            let isPooled = isPooled && obj.ReferenceEquals(limit.Clock, TimeProvider.System)

            let source =
                if isPooled then
                    match ThreadCachedPool<WorkTokenSource, WorkTokenSettings>.Rent() with
                    | null -> new WorkTokenSource(Timeout.InfiniteTimeSpan, TimeProvider.System)
                    | source -> source
                else
                    new WorkTokenSource(time, limit.Clock)

            source.limit <- limit
            source.isPooled <- isPooled

            if isPooled && not isInfinite then
                source.CancelAfter time

            if limit.Token.CanBeCanceled then
                source.registration <- limit.Token.UnsafeRegister(cancel, source)

            source

    /// The error of the cancelled work: its own time limit, or the caller's token. `state` is a sentence on the work.
    member source.Reason(state: string, inner: exn) : exn =
        if Volatile.Read &source.isCallers then
            OperationCanceledException("The operation was canceled.", inner, source.limit.Token)
        else
            source.limit.TimedOut(state, inner)

    /// The error of the result, for an error of the work that has ended.
    member source.Explain(error: exn) : exn =
        match error with
        | :? OperationCanceledException as cancelled when source.IsCancellationRequested ->
            if Volatile.Read &source.isCallers && cancelled.CancellationToken = source.limit.Token then
                error
            else
                source.Reason("Its token was cancelled, and it has ended.", error)
        | _ -> error

    /// The work has ended.
    member source.Close() =
        // false: the callback of the caller's token has begun, and may be about to cancel this source
        let isOurs =
            not source.limit.Token.CanBeCanceled || source.registration.Unregister()

        if isOurs then
            if source.isPooled && source.TryReset() then
                if SecondAwait.isRefused then
                    // code that has kept the token is cancelled now, and not in another use of the source
                    source.Cancel()
                else
                    source.limit <- Unchecked.defaultof<_>
                    source.registration <- Unchecked.defaultof<_>
                    ThreadCachedPool<WorkTokenSource, WorkTokenSettings>.Return source
            else
                source.Dispose()
