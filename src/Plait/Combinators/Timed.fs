// Layer: combinators. `timeout`: an operation or a clock, whichever is first. Not pooled: a pending timeout allocates its
// timer anyway, and a late timer must not meet another operation.
namespace Plait.Kernel

#nowarn "3261" // null is a state of the protocol here: no error, no token source, no timer yet

open System
open System.Runtime.CompilerServices
open System.Threading
open System.Threading.Tasks
open System.Threading.Tasks.Sources
open FSharp.Core // its DefaultValue

/// What a time limit consists of.
[<Struct; NoEquality; NoComparison>]
type internal Limit =
    {
        Time: TimeSpan
        Clock: TimeProvider
        /// Cancelled when the time is up; null: nothing is.
        Cancels: CancellationTokenSource | null
    }

    /// As an error, where it is none that a timer can keep.
    member limit.Validate() =
        if
            limit.Time < TimeSpan.Zero && limit.Time <> Timeout.InfiniteTimeSpan
            || limit.Time.TotalMilliseconds > 4294967294.0
        then
            raise (
                ArgumentOutOfRangeException(
                    "time",
                    limit.Time,
                    "A timeout takes a time from zero to 49 days, or Timeout.InfiniteTimeSpan for none. The operation \
                     goes on and its result is dropped. Usual cause: a deadline that had passed when it was subtracted. See \
                     docs/errors/timeout-out-of-range.md."
                )
            )

    /// Cancels, and tells what to answer.
    member limit.Expire() : exn =
        let message =
            $"The operation did not end within {limit.Time.ToString()}. It goes on in the background, where its result is dropped and \
              its error counts as observed, unless it heeds a token that is cancelled now. Give it more time, or give \
              the timeout the CancellationTokenSource of the operation. See docs/errors/timed-out.md."

        try
            if not (isNull limit.Cancels) then
                limit.Cancels.Cancel()

            TimeoutException message
        with error ->
            TimeoutException(message, error) // a callback of the token has failed

[<Sealed>]
type internal Timed<'S, 'a when 'S :> ISource<'a>>(limit: Limit) =
    inherit PooledSource<'a>()

    static let expire = TimerCallback(fun state -> (Unsafe.As<Timed<'S, 'a>> state).Expire())

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
            timed.Fail(limit.Expire())

    interface ILegOwner<'S, 'a> with
        member timed.Arrived leg =
            let value = leg.Value
            let error = leg.Error
            leg.Release()

            if Interlocked.Exchange(&timed.decided, 1) = 0 then
                if isNull error then timed.Complete value else timed.Fail error

            timed.timer.Dispose()

    /// The timer first: the leg disposes of it.
    static member Run(source: 'S, limit: Limit) : ValueTask<'a> =
        let timed = Timed<'S, 'a> limit
        let task = ValueTask<'a>(timed :> IValueTaskSource<'a>, timed.Token)

        try
            timed.timer <- limit.Clock.CreateTimer(expire, timed, limit.Time, Timeout.InfiniteTimeSpan)
        with _ ->
            Leg<'S, 'a>.Discard source // the clock is the caller's and may fail; the operation is consumed all the same
            reraise ()

        Leg<'S, 'a>.Rent(source, timed).Go()
        task
