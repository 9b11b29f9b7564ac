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

type private Work = int -> CancellationToken -> ValueTask<int>

/// The functions of one module: `Retry` and `Linked`, and those with a filter of values.
type private Retries =
    {
        Name: string
        Retry: RetryPolicy -> Work -> Task<int>
        Linked: CancellationToken -> RetryPolicy -> Work -> Task<int>
        Until: (int -> bool) -> RetryPolicy -> Work -> Task<int>
        UntilLinked: CancellationToken -> (int -> bool) -> RetryPolicy -> Work -> Task<int>
        /// That of C#.
        Door: RetryPolicy -> Work -> (int -> bool) -> CancellationToken -> Task<int>
    }

let private all =
    let enter (work: Work) attempt token = strand { return! work attempt token }

    let asTask (work: Work) attempt token =
        let operation: ValueTask<int> = work attempt token
        operation.AsTask()

    let asPooled (work: Work) attempt token =
        PooledValueTask<int>(work attempt token)

    [
        {
            Name = "Strand"
            Retry = fun policy work -> (Strand.retry policy (enter work)).AsTask()
            Linked = fun token policy work -> (Strand.retryLinked token policy (enter work)).AsTask()
            Until = fun accepts policy work -> (Strand.retryUntil accepts policy (enter work)).AsTask()
            UntilLinked =
                fun token accepts policy work ->
                    (Strand.retryUntilLinked token accepts policy (enter work)).AsTask()
            Door =
                fun policy work accepts token ->
                    StrandCombinators.RetryUntil(policy, enter work, accepts, token).AsTask()
        }
        {
            Name = "PooledValueTask"
            Retry = fun policy work -> (PooledValueTask.retry policy work).AsTask()
            Linked = fun token policy work -> (PooledValueTask.retryLinked token policy work).AsTask()
            Until = fun accepts policy work -> (PooledValueTask.retryUntil accepts policy work).AsTask()
            UntilLinked =
                fun token accepts policy work ->
                    (PooledValueTask.retryUntilLinked token accepts policy work).AsTask()
            Door =
                fun policy work accepts token ->
                    ValueTaskCombinators.RetryUntil(policy, work, accepts, token).AsTask()
        }
        {
            Name = "ValueTask"
            Retry = fun policy work -> (ValueTask.retry policy work).AsTask()
            Linked = fun token policy work -> (ValueTask.retryLinked token policy work).AsTask()
            Until = fun accepts policy work -> (ValueTask.retryUntil accepts policy work).AsTask()
            UntilLinked =
                fun token accepts policy work ->
                    (ValueTask.retryUntilLinked token accepts policy work).AsTask()
            Door =
                fun policy work accepts token ->
                    PooledValueTaskCombinators
                        .RetryUntil(policy, asPooled work, accepts, token)
                        .AsValueTask()
                        .AsTask()
        }
        {
            Name = "Task"
            Retry = fun policy work -> Task.retry policy (asTask work)
            Linked = fun token policy work -> Task.retryLinked token policy (asTask work)
            Until = fun accepts policy work -> Task.retryUntil accepts policy (asTask work)
            UntilLinked =
                fun token accepts policy work -> Task.retryUntilLinked token accepts policy (asTask work)
            Door =
                fun policy work accepts token ->
                    TaskCombinators.RetryUntil(policy, asTask work, accepts, token)
        }
    ]

/// The modules over work without a result: every value is accepted.
let private withoutResult =
    [
        for m in UnitModules.all do
            let entered (keep: ValueTask<int> -> ValueTask) (work: Work) =
                fun attempt token -> keep (work attempt token)

            {
                Name = m.Name
                Retry = fun policy work -> Kept.last (fun keep -> m.Retry policy (entered keep work))
                Linked =
                    fun token policy work ->
                        Kept.last (fun keep -> m.RetryLinked token policy (entered keep work))
                Until = fun _ policy work -> Kept.last (fun keep -> m.Retry policy (entered keep work))
                UntilLinked =
                    fun token _ policy work ->
                        Kept.last (fun keep -> m.RetryLinked token policy (entered keep work))
                Door =
                    fun policy work _ token ->
                        Kept.last (fun keep -> m.DoorRetry token policy (entered keep work))
            }
    ]

let families =
    [| for retries in all @ withoutResult -> TheoryDataRow(box retries.Name) |]

/// Those with a filter of values.
let filters = [| for retries in all -> TheoryDataRow(box retries.Name) |]

let private named name =
    all @ withoutResult |> List.find (fun retries -> retries.Name = name)

let private ms (time: float) = TimeSpan.FromMilliseconds time

/// Work that fails so many times; the attempts that it saw.
type private Failing(times: int, error: int -> exn) =
    let attempts = ResizeArray<int>()
    member _.Attempts = List.ofSeq attempts

    member _.Run: Work =
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
            retries.Linked CancellationToken.None
            retries.Until(fun _ -> true)
            (fun policy work -> retries.Door policy work (fun _ -> true) CancellationToken.None)
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
            retries.Until
            retries.UntilLinked CancellationToken.None
            (fun accepts policy work -> retries.Door policy work accepts CancellationToken.None)
        ] do
        let mutable last = 0

        let work: Work =
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

    let slow: Work =
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

    for run in [ retries.Linked; (fun token -> retries.UntilLinked token (fun _ -> true)) ] do
        use caller = new CancellationTokenSource()
        let mutable seen = CancellationToken.None
        let mutable attempts = 0

        let work: Work =
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
        retries.Linked caller.Token policy (fun _ _ ->
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
        retries.Linked caller.Token (steady (StillClock())) (fun _ token ->
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
            (retries.Linked CancellationToken.None (steady (StillClock())) (fun _ _ -> raise thrown))
    )

[<Theory; MemberData(nameof filters)>]
let ``ten thousand attempts without a delay do not grow the stack`` (name: string) =
    let retries = named name
    let policy = RetryPolicy(FirstDelay = TimeSpan.Zero, Attempts = 10_000)

    Assert.Equal(
        10_000,
        Within.result
            "It"
            (retries.Until (fun value -> value = 10_000) policy (fun attempt _ -> ValueTask<int> attempt))
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
