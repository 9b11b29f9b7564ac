// Layer: combinators. The answer to failed work: how often it is tried, and after which delays. Owns the random numbers of the
// jitter, which any number of threads may take at the same time.
namespace Plait

open System
open System.Runtime.CompilerServices
open System.Threading

[<AbstractClass; Sealed>]
type internal RetryErrors =

    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member OutOfRange(name: string, value: obj, rule: string) : unit =
        raise (ArgumentOutOfRangeException(name, value, $"{name} of a RetryPolicy must be {rule}."))

/// <summary>How often work is tried, which failures count, and how long to wait in between: the delay after attempt n is
/// <c>FirstDelay * Factor ** (n - 1)</c>, at most <c>MaxDelay</c>, less a random part of it.</summary>
/// <remarks>Set the properties before the first use; then any number of calls and threads may share the policy. A property
/// throws an ArgumentOutOfRangeException for a value that it does not take.</remarks>
[<Sealed; AllowNullLiteral>]
type RetryPolicy() =
    let mutable attempts = 3
    let mutable firstDelay = TimeSpan.FromMilliseconds 200.
    let mutable factor = 2.
    let mutable maxDelay = TimeSpan.FromSeconds 30.
    let mutable jitter = 0.5
    let mutable budget = Timeout.InfiniteTimeSpan
    let mutable clock = TimeProvider.System
    let mutable random = Random.Shared.NextInt64()

    let mutable handles =
        Func<exn, bool>(fun error ->
            match error with
            | :? OperationCanceledException -> error.InnerException :? TimeoutException
            | _ -> true)

    static let checkTime (name: string) (time: TimeSpan) =
        if time.Ticks < 0L || time.TotalDays > 49. then
            RetryErrors.OutOfRange(name, time, "from zero to 49 days")

    /// The number of attempts, the first one included: from 1. Default: 3.
    member _.Attempts
        with get () = attempts
        and set (value: int) =
            if value < 1 then
                RetryErrors.OutOfRange("Attempts", value, "at least 1")

            attempts <- value

    /// The delay after the first attempt: from zero to 49 days. Default: 200 ms.
    member _.FirstDelay
        with get () = firstDelay
        and set (value: TimeSpan) =
            checkTime "FirstDelay" value
            firstDelay <- value

    /// The growth of the delay from attempt to attempt: from 1, which keeps it constant. Default: 2.
    member _.Factor
        with get () = factor
        and set (value: float) =
            if not (value >= 1. && Double.IsFinite value) then
                RetryErrors.OutOfRange("Factor", value, "at least 1, and finite")

            factor <- value

    /// The longest delay: from zero to 49 days. Default: 30 s.
    member _.MaxDelay
        with get () = maxDelay
        and set (value: TimeSpan) =
            checkTime "MaxDelay" value
            maxDelay <- value

    /// The share of a delay that is random, from 0 to 1: a delay is spread evenly from <c>1 - Jitter</c> of it to all of it.
    /// Default: 0.5.
    member _.Jitter
        with get () = jitter
        and set (value: float) =
            if not (value >= 0. && value <= 1.) then
                RetryErrors.OutOfRange("Jitter", value, "from 0 to 1")

            jitter <- value

    /// The time from the start of the first attempt in which a further one may start; it ends no attempt. From zero to
    /// 49 days, or Timeout.InfiniteTimeSpan for no limit. Default: no limit.
    member _.Budget
        with get () = budget
        and set (value: TimeSpan) =
            if value.Ticks <> Timeout.InfiniteTimeSpan.Ticks then
                checkTime "Budget" value

            budget <- value

    /// Whether an exception is worth another attempt. Default: every exception but an OperationCanceledException without a
    /// TimeoutException inside; HttpClient throws one with it when its time is up. Throws an ArgumentNullException for null.
    member _.Handles
        with get () = handles
        and set (value: Func<exn, bool>) =
            ArgumentNullException.ThrowIfNull(value, nameof value)
            handles <- value

    /// The clock of delays and budget. Default: that of the system. Throws an ArgumentNullException for null.
    member _.Clock
        with get () = clock
        and set (value: TimeProvider) =
            ArgumentNullException.ThrowIfNull(value, nameof value)
            clock <- value

    /// Begins the random numbers of the jitter anew: policies with the same seed give the same delays in the same order.
    /// Without a seed each policy has its own.
    member _.Seed
        with set (value: int64) = Volatile.Write(&random, value)

    /// From 0 to 1, without 1: SplitMix64.
    member private _.NextRandom() : float =
        let mutable next = uint64 (Interlocked.Add(&random, 0x9E3779B97F4A7C15UL |> int64))

        next <- (next ^^^ (next >>> 30)) * 0xBF58476D1CE4E5B9UL
        next <- (next ^^^ (next >>> 27)) * 0x94D049BB133111EBUL
        float ((next ^^^ (next >>> 31)) >>> 11) / 9007199254740992.

    /// The delay after an attempt, counted from 1.
    member internal policy.DelayAfter(attempt: int) : TimeSpan =
        let longest = float maxDelay.Ticks

        let delay =
            if firstDelay.Ticks = 0L then
                0.
            else
                min longest (float firstDelay.Ticks * Math.Pow(factor, float (attempt - 1)))

        let part = if jitter > 0. then 1. - jitter * policy.NextRandom() else 1.

        TimeSpan(int64 (delay * part))
