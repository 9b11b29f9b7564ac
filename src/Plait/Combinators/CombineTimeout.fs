// Layer: combinators. `timeout`: an operation against a timer. Owns the rule that the operation is consumed in each
// case. Not pooled: a pending timeout allocates its timer anyway, and a late timer must not meet another operation.
namespace Plait.Kernel

#nowarn "3511" // the copies that are not inlined are the dynamic ones, on purpose

open System
open System.Runtime.CompilerServices
open System.Runtime.ExceptionServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources

/// The parts of a time limit.
[<Struct; NoEquality; NoComparison>]
type internal TimeLimit =
    {
        Time: TimeSpan
        Clock: TimeProvider
        /// Cancelled when the time is up; null: nothing is.
        Cancels: CancellationTokenSource | null
    }

    /// The longest time of a timer.
    static member Longest = TimeSpan.FromMilliseconds 4294967294.0

    /// F# compares times as objects; their ticks are numbers.
    static member IsInfinite(time: TimeSpan) =
        time.Ticks = Timeout.InfiniteTimeSpan.Ticks

    /// As an error that tells the state of the operation, where it is none that a timer can keep.
    static member Validate(time: TimeSpan, state: string) =
        if time.Ticks < 0L && not (TimeLimit.IsInfinite time) || time.Ticks > TimeLimit.Longest.Ticks then
            raise (
                ArgumentOutOfRangeException(
                    "time",
                    time,
                    $"A timeout must be from zero to 49 days, or Timeout.InfiniteTimeSpan for no limit. {state} \
                      Usual cause: a deadline that had already passed when the time was computed. See \
                      docs/errors/timeout-out-of-range.md in the Plait package."
                )
            )

    /// Cancels, and returns the error of the result.
    member limit.Expire() : exn =
        let message =
            $"The operation did not complete within {limit.Time.ToString()}. It continues in the background, \
              where its result is dropped and its error counts as observed, unless a token that is cancelled \
              now stops it. Allow more time, or pass the operation's CancellationTokenSource to the timeout. \
              See docs/errors/timed-out.md in the Plait package."

        try
            if not (isNull limit.Cancels) then
                limit.Cancels.Cancel()

            TimeoutException message
        with error ->
            TimeoutException(message, error) // a callback of the token has failed

[<Sealed; StackTraceHidden>]
type internal TimeoutRace<'S, 'a when 'S :> ISource<'a>>(limit: TimeLimit) =
    inherit PooledSource<'a>()

    static let expire =
        TimerCallback(fun state -> (Unsafe.As<TimeoutRace<'S, 'a>> state).Expire())

    [<DefaultValue(false)>]
    val mutable private decided: int

    [<DefaultValue(false)>]
    val mutable private timer: ITimer

    override _.Recycle() = ()
    override _.ClearMachine() = ()
    override _.Resume() = ()
    override timed.Action = Action(timed.Resume)

    member private timed.Expire() =
        if Interlocked.Exchange(&timed.decided, 1) = 0 then
            timed.Fail(limit.Expire(), false)

    interface IBranchOwner<'S, 'a> with
        member timed.BranchCompleted branch =
            let value = branch.Value
            let error = branch.Error
            branch.Release()

            if Interlocked.Exchange(&timed.decided, 1) = 0 then
                if isNull error then timed.Complete(value, false) else timed.Fail(error, false)

            timed.timer.Dispose()

    /// The timer first: the branch disposes of it.
    static member Run(source: 'S, limit: TimeLimit) : ValueTask<'a> =
        let timed = TimeoutRace<'S, 'a> limit
        let task = ValueTask<'a>(timed :> IValueTaskSource<'a>, timed.Token)

        try
            timed.timer <- limit.Clock.CreateTimer(expire, timed, limit.Time, Timeout.InfiniteTimeSpan)
        with _ ->
            Branch<'S, 'a>.Discard source // the clock is the caller's and may fail; the operation is consumed all the same
            reraise ()

        Branch<'S, 'a>.Rent(source, timed).Go()
        task

[<AbstractClass; Sealed; StackTraceHidden>]
type internal CombineTimeout =

    /// The operation, or the error of the clock if that is first.
    static member private Limited<'S, 'a when 'S :> ISource<'a>>
        (source: 'S, limit: TimeLimit)
        : ValueTask<'a> =
        let mutable error: exn = null

        try
            TimeLimit.Validate(limit.Time, "The operation continues and its result is dropped.")
        with caught ->
            error <- caught

        if isNull error && limit.Time.Ticks = 0L then
            error <- limit.Expire()

        if isNull error then
            TimeoutRace<'S, 'a>.Run(source, limit)
        else
            Branch<'S, 'a>.Discard source
            ExceptionDispatchInfo.Throw error
            Unchecked.defaultof<_>

    static member Run<'S, 'a, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'a, 'Result>>
        (
            time: TimeSpan,
            clock: TimeProvider,
            cancels: CancellationTokenSource | null,
            source: 'S,
            _shape: 'Shape
        ) : 'Result =
        Machine.Run<'a, 'Result, 'Shape, Safe>(
            combinator {
                if source.IsCompleted || TimeLimit.IsInfinite time then
                    return! source
                else
                    return!
                        ValueTaskSource<'a, Anywhere>(
                            CombineTimeout.Limited<'S, 'a>(
                                source,
                                { Time = time; Clock = clock; Cancels = cancels }
                            )
                        )
            }
        )

    static member Run<'S, 'a, 'Result, 'Shape when 'S :> ISource<'a> and 'Shape :> IShape<'a, 'Result>>
        (time: TimeSpan, source: 'S, shape: 'Shape)
        : 'Result =
        CombineTimeout.Run(time, TimeProvider.System, null, source, shape)
