// Under test: `retry` and `retryUntil`, linked and not, over every module: which failures are tried again, how often, after
// which delays, and what is the result.
module Plait.Tests.Retries

open System
open System.IO
open System.Threading
open System.Threading.Tasks
open Plait
open Xunit

/// A clock whose time is always up: it keeps what its timers were set to, and goes on by it.
type private QuickClock() =
    inherit TimeProvider()

    let delays = ResizeArray<TimeSpan>()
    let mutable now = 0L

    member _.Delays = List.ofSeq delays
    member _.Pass(time: TimeSpan) = now <- now + time.Ticks
    override _.TimestampFrequency = TimeSpan.TicksPerSecond
    override _.GetTimestamp() = now

    override clock.CreateTimer(callback, state, due, _) =
        delays.Add due
        clock.Pass due
        callback.Invoke state

        { new ITimer with
            member _.Change(_, _) = true
            member _.Dispose() = ()
            member _.DisposeAsync() = ValueTask()
        }

/// A clock whose timers never ring.
type private StillClock() =
    inherit TimeProvider()

    override _.CreateTimer(_, _, _, _) =
        { new ITimer with
            member _.Change(_, _) = true
            member _.Dispose() = ()
            member _.DisposeAsync() = ValueTask()
        }

let families = Families.rowsWithUnits

/// Those with a filter of values.
let filters = Families.rows

let private named = Families.named
let private ms (time: float) = TimeSpan.FromMilliseconds time

/// Work that fails so many times; the attempts that it saw.
type private Failing(times: int, error: int -> exn) =
    let attempts = ResizeArray<int>()
    member _.Attempts = List.ofSeq attempts

    member _.Run: RepeatedWork =
        fun attempt _ ->
            attempts.Add attempt

            if attempt > times then
                ValueTask<int> attempt
            // at once, ended, and later
            elif attempt % 3 = 0 then
                raise (error attempt)
            elif attempt % 3 = 1 then
                ValueTask<int>(Task.FromException<int>(error attempt))
            else
                ValueTask<int>(
                    task {
                        do! Task.Yield()
                        return raise (error attempt)
                    }
                )

let private steady clock =
    RetryPolicy(Clock = clock, Jitter = 0., FirstDelay = ms 100., MaxDelay = ms 300., Attempts = 6)

[<Theory; MemberData(nameof families)>]
let ``work is tried again until it succeeds, after delays that grow up to the longest`` (name: string) =
    let retries = named name

    for run in
        [
            retries.Retry
            retries.RetryLinked CancellationToken.None
            retries.RetryUntil(fun _ -> true)
            (fun policy work -> retries.DoorRetry policy work (fun _ -> true) CancellationToken.None)
        ] do
        let clock = QuickClock()
        let work = Failing(4, fun _ -> IOException())
        Assert.Equal(5, Within.result "retry" (run (steady clock) work.Run))
        Assert.Equal<int list>([ 1..5 ], work.Attempts)
        Assert.Equal<TimeSpan list>([ ms 100.; ms 200.; ms 300.; ms 300. ], clock.Delays)

[<Theory; MemberData(nameof families)>]
let ``the last error is thrown as it was`` (name: string) =
    let retries = named name
    let errors = Array.init 10 (fun index -> IOException $"{index}" :> exn)

    for attempts in 1..6 do
        let clock = QuickClock()
        let policy = steady clock
        policy.Attempts <- attempts
        let work = Failing(100, fun attempt -> errors[attempt])
        Assert.Same(errors[attempts], Within.error "retry" (retries.Retry policy work.Run))
        Assert.Equal<int list>([ 1..attempts ], work.Attempts)
        Assert.Equal(attempts - 1, clock.Delays.Length)

[<Theory; MemberData(nameof families)>]
let ``only failures that the policy handles are tried again`` (name: string) =
    let retries = named name

    let attempts (policy: RetryPolicy) (error: exn) =
        let work = Failing(100, fun _ -> error)
        Assert.Same(error, Within.error "retry" (retries.Retry policy work.Run))
        work.Attempts.Length

    let plain () = steady (QuickClock())
    Assert.Equal(6, attempts (plain ()) (IOException()))
    Assert.Equal(6, attempts (plain ()) (TaskCanceledException("of an HttpClient", TimeoutException())))
    Assert.Equal(1, attempts (plain ()) (OperationCanceledException()))
    Assert.Equal(1, attempts (plain ()) (TaskCanceledException()))
    let policy = plain ()
    policy.Handles <- fun error -> error :? IOException
    Assert.Equal(6, attempts policy (IOException()))
    Assert.Equal(1, attempts policy (InvalidOperationException()))

    // a filter that throws ends it with its own error
    let broken = InvalidOperationException "of the filter"
    policy.Handles <- fun _ -> raise broken
    let work = Failing(100, fun _ -> IOException())
    Assert.Same(broken, Within.error "retry" (retries.Retry policy work.Run))

[<Theory; MemberData(nameof filters)>]
let ``a value that is not accepted is a failure, and if it is the last, the result`` (name: string) =
    let retries = named name

    for run in
        [
            retries.RetryUntil
            retries.RetryUntilLinked CancellationToken.None
            (fun accepts policy work -> retries.DoorRetry policy work accepts CancellationToken.None)
        ] do
        let mutable last = 0

        let work: RepeatedWork =
            fun attempt _ ->
                last <- attempt
                if attempt = 2 then raise (IOException()) else ValueTask<int> attempt

        Assert.Equal(
            4,
            Within.result "retryUntil" (run (fun value -> value > 3) (steady (QuickClock())) work)
        )

        Assert.Equal(4, last)
        Assert.Equal(6, Within.result "retryUntil" (run (fun _ -> false) (steady (QuickClock())) work))
        Assert.Equal(6, last)
        let broken = InvalidOperationException "of the filter"
        Assert.Same(broken, Within.error "It" (run (fun _ -> raise broken) (steady (QuickClock())) work))

[<Theory; MemberData(nameof families)>]
let ``no attempt starts after the budget`` (name: string) =
    let retries = named name

    for budget, expected in [ 0., 1; 99., 1; 100., 2; 299., 2; 300., 3; 100_000., 6 ] do
        let policy = steady (QuickClock())
        policy.Budget <- ms budget
        let work = Failing(100, fun _ -> IOException())
        Within.error "retry" (retries.Retry policy work.Run) |> ignore
        Assert.Equal(expected, work.Attempts.Length)

    // the attempts themselves take time
    let clock = QuickClock()
    let policy = steady clock
    policy.Budget <- ms 1000.
    let mutable attempts = 0

    let slow: RepeatedWork =
        fun _ _ ->
            attempts <- attempts + 1
            clock.Pass(ms 500.)
            raise (IOException())

    Within.error "retry" (retries.Retry policy slow) |> ignore
    Assert.Equal(2, attempts)

[<Theory; MemberData(nameof families)>]
let ``the caller's token reaches the work, ends a delay, and is looked at before each attempt``
    (name: string)
    =
    let retries = named name

    let cancelled (token: CancellationToken) (task: Task<int>) =
        let error =
            Assert.IsAssignableFrom<OperationCanceledException>(Within.error "retry" task)

        Assert.Equal(token, error.CancellationToken)
        Assert.True task.IsCanceled

    for run in [ retries.RetryLinked; (fun token -> retries.RetryUntilLinked token (fun _ -> true)) ] do
        use caller = new CancellationTokenSource()
        let mutable seen = CancellationToken.None
        let mutable attempts = 0

        let work: RepeatedWork =
            fun _ token ->
                seen <- token
                attempts <- attempts + 1
                raise (IOException())

        let task = run caller.Token (steady (StillClock())) work
        Assert.Equal(caller.Token, seen)
        Assert.False task.IsCompleted
        caller.Cancel()
        cancelled caller.Token task
        Assert.Equal(1, attempts)
        // before the start
        cancelled caller.Token (run caller.Token (steady (StillClock())) work)
        Assert.Equal(1, attempts)

    // cancelled by the attempt, with a delay of zero
    use caller = new CancellationTokenSource()
    let policy = RetryPolicy(FirstDelay = TimeSpan.Zero)

    let task =
        retries.RetryLinked caller.Token policy (fun _ _ ->
            caller.Cancel()
            raise (IOException()))

    cancelled caller.Token task

[<Theory; MemberData(nameof families)>]
let ``a cancellation by the caller has the caller's token, also where the work has a token that is linked to it``
    (name: string)
    =
    let retries = named name
    use caller = new CancellationTokenSource()

    let task =
        retries.RetryLinked caller.Token (steady (StillClock())) (fun _ token ->
            ValueTask<int>(
                task {
                    use inner = CancellationTokenSource.CreateLinkedTokenSource token
                    caller.Cancel()
                    do! Task.Delay(Timeout.Infinite, inner.Token)
                    return 1
                }
            ))

    let error =
        Assert.IsAssignableFrom<OperationCanceledException>(Within.error "retry" task)

    Assert.Equal(caller.Token, error.CancellationToken)
    Assert.True task.IsCanceled
    Assert.IsType<TaskCanceledException> error.InnerException |> ignore

    // a cancellation that is not the caller's is as it was
    use other = new CancellationTokenSource()
    other.Cancel()
    let thrown = OperationCanceledException("mine", other.Token)

    Assert.Same(
        thrown,
        Within.error
            "retry"
            (retries.RetryLinked CancellationToken.None (steady (StillClock())) (fun _ _ -> raise thrown))
    )

[<Theory; MemberData(nameof filters)>]
let ``ten thousand attempts without a delay do not grow the stack`` (name: string) =
    let retries = named name
    let policy = RetryPolicy(FirstDelay = TimeSpan.Zero, Attempts = 10_000)

    Assert.Equal(
        10_000,
        Within.result
            "It"
            (retries.RetryUntil (fun value -> value = 10_000) policy (fun attempt _ -> ValueTask<int> attempt))
    )

[<Fact>]
let ``the jitter is the same for the same seed, within its share, and differs otherwise`` () =
    let delays (seed: int64) (jitter: float) =
        let clock = QuickClock()

        let policy =
            RetryPolicy(
                Clock = clock,
                Jitter = jitter,
                Factor = 1.,
                FirstDelay = ms 1000.,
                Attempts = 200,
                Seed = seed
            )

        let work = Failing(1000, fun _ -> IOException())

        Within.error "retry" (Task.retry policy (fun attempt token -> (work.Run attempt token).AsTask()))
        |> ignore

        clock.Delays

    let first = delays 1L 0.5
    Assert.Equal<TimeSpan list>(first, delays 1L 0.5)
    Assert.NotEqual<TimeSpan list>(first, delays 2L 0.5)

    for delay in first do
        Assert.InRange(delay, ms 500., ms 1000.)

    // all of the range is used: 200 evenly random delays miss a fifth of it once in 10^19
    for fifth in 0..4 do
        let from = 500. + 100. * float fifth
        Assert.Contains(first, fun delay -> delay >= ms from && delay <= ms (from + 100.))

    Assert.Contains(delays 1L 1., fun delay -> delay < ms 200.)
    Assert.All(delays 1L 0., fun delay -> Assert.Equal(ms 1000., delay))

[<Fact>]
let ``a policy refuses values that make no sense`` () =
    let refused (make: unit -> RetryPolicy) =
        Assert.Throws<ArgumentOutOfRangeException>(fun () -> make () |> ignore).Message

    Assert.StartsWith(
        "Attempts of a RetryPolicy must be at least 1.",
        refused (fun () -> RetryPolicy(Attempts = 0))
    )

    for make in
        [
            fun () -> RetryPolicy(Factor = 0.9)
            fun () -> RetryPolicy(Factor = nan)
            fun () -> RetryPolicy(Factor = infinity)
            fun () -> RetryPolicy(Jitter = -0.1)
            fun () -> RetryPolicy(Jitter = 1.1)
            fun () -> RetryPolicy(Jitter = nan)
            fun () -> RetryPolicy(FirstDelay = ms -1.)
            fun () -> RetryPolicy(FirstDelay = TimeSpan.MaxValue)
            fun () -> RetryPolicy(MaxDelay = ms -1.)
            fun () -> RetryPolicy(MaxDelay = TimeSpan.FromDays 50.)
            fun () -> RetryPolicy(Budget = ms -2.)
        ] do
        refused make |> ignore

    // the power is beyond every number
    let clock = QuickClock()
    let policy = RetryPolicy(Clock = clock, Jitter = 0., Factor = 1e300, Attempts = 4)

    Within.error "retry" (Task.retry policy (fun _ _ -> Task.FromException<int>(IOException())))
    |> ignore

    Assert.Equal<TimeSpan list>([ ms 200.; TimeSpan.FromSeconds 30.; TimeSpan.FromSeconds 30. ], clock.Delays)
