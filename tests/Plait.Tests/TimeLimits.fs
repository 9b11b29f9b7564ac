// Under test: work with a time limit, over every module: `withTimeout withDeadline abandonAfter` and their linked forms. Who
// cancelled, what is waited for, and which sources of tokens are used again.
module Plait.Tests.TimeLimits

open System
open System.Threading
open System.Threading.Tasks
open Xunit

let families = Families.rowsWithUnits
let private named = Families.named

let private hour = TimeSpan.FromHours 1.
let private noToken = CancellationToken.None

/// Work that hands out its token and ends by hand.
type private ByHand() =
    let source = Counted()
    member val Token = CancellationToken.None with get, set
    member val Starts = 0 with get, set
    member _.Source = source

    member work.Run: LimitedWork =
        fun token ->
            work.Token <- token
            work.Starts <- work.Starts + 1
            source.Operation

let private endsBeforeItsTime (run: LimitedWork -> Task<int>) =
    let at =
        run (fun token -> ValueTask<int>(if token.IsCancellationRequested then 0 else 7))

    Assert.Equal(7, Within.result "work that is done at once" at)
    let work = ByHand()
    let task = run work.Run
    Assert.False task.IsCompleted
    Assert.False work.Token.IsCancellationRequested
    work.Source.Complete 8
    Assert.Equal(8, Within.result "work that is done later" task)
    Assert.Equal(1, work.Source.Taken)
    let error = InvalidOperationException "of the work"
    Assert.Same(error, Within.error "work that throws" (run (fun _ -> raise error)))
    let work = ByHand()
    let task = run work.Run
    work.Source.Fail error
    Assert.Same(error, Within.error "work that fails" task)
    // a cancellation that has nothing to do with the limit
    let cancelled = OperationCanceledException "of the work"
    let work = ByHand()
    let task = run work.Run
    work.Source.Fail cancelled
    Assert.Same(cancelled, Within.error "work that is cancelled by others" task)

[<Theory; MemberData(nameof families)>]
let ``work that ends in time gives its value or its error as it is`` (name: string) =
    let limits = named name
    use caller = new CancellationTokenSource()

    for time in [ hour; Timeout.InfiniteTimeSpan ] do
        endsBeforeItsTime (limits.Within time)
        endsBeforeItsTime (limits.WithinLinked caller.Token time)
        endsBeforeItsTime (limits.Abandon time)
        endsBeforeItsTime (limits.AbandonLinked caller.Token time)

    for deadline in [ DateTimeOffset.UtcNow + hour; DateTimeOffset.MaxValue ] do
        endsBeforeItsTime (limits.Before deadline)
        endsBeforeItsTime (limits.BeforeLinked caller.Token deadline)

[<Theory; MemberData(nameof families)>]
let ``when the time is up the token is cancelled, and a TimeoutException comes when the work has ended``
    (name: string)
    =
    let limits = named name
    use caller = new CancellationTokenSource()

    for token in [ noToken; caller.Token ] do
        let clock = HandClock()
        let work = ByHand()
        let task = limits.Clocked clock token hour work.Run
        Assert.Equal(hour, clock.Due)
        clock.Ring()
        Assert.True work.Token.IsCancellationRequested
        Assert.False task.IsCompleted
        // a token that was linked once more
        let inner = OperationCanceledException(CancellationToken true)
        work.Source.Fail inner
        let error = Assert.IsType<TimeoutException>(Within.error "It" task)
        Assert.Same(inner, error.InnerException)
        Assert.Contains("within 01:00:00. Its token was cancelled, and it has ended.", error.Message)
        Assert.Equal(1, work.Source.Taken)

[<Theory; MemberData(nameof families)>]
let ``a value that comes after the time is the result, and so is an error that is no cancellation``
    (name: string)
    =
    let limits = named name
    let clock = HandClock()
    let work = ByHand()
    let task = limits.Clocked clock noToken hour work.Run
    clock.Ring()
    work.Source.Complete 5
    Assert.Equal(5, Within.result "It" task)
    let work = ByHand()
    let task = limits.Clocked clock noToken hour work.Run
    clock.Ring()
    let error = InvalidOperationException()
    work.Source.Fail error
    Assert.Same(error, Within.error "It" task)

[<Theory; MemberData(nameof families)>]
let ``the caller's cancellation is an OperationCanceledException with the caller's token`` (name: string) =
    let limits = named name

    for linkedAgain in [ false; true ] do
        use caller = new CancellationTokenSource()
        let work = ByHand()
        let task = limits.WithinLinked caller.Token hour work.Run
        caller.Cancel()
        Assert.True work.Token.IsCancellationRequested
        Assert.False task.IsCompleted

        work.Source.Fail(
            OperationCanceledException(if linkedAgain then CancellationToken true else work.Token)
        )

        let error =
            Assert.IsAssignableFrom<OperationCanceledException>(Within.error "It" task)

        Assert.Equal(caller.Token, error.CancellationToken)
        Assert.True task.IsCanceled

    // the token of the caller itself, seen by the work
    use caller = new CancellationTokenSource()
    let own = OperationCanceledException caller.Token
    let work = ByHand()
    let task = limits.WithinLinked caller.Token hour work.Run
    caller.Cancel()
    work.Source.Fail own
    Assert.Same(own, Within.error "It" task)

[<Theory; MemberData(nameof families)>]
let ``of a cancellation and a time limit the first one decides the exception`` (name: string) =
    let limits = named name

    for callerFirst in [ false; true ] do
        use caller = new CancellationTokenSource()
        let clock = HandClock()
        let work = ByHand()
        let task = limits.Clocked clock caller.Token hour work.Run

        if callerFirst then
            caller.Cancel()
            clock.Ring()
        else
            clock.Ring()
            caller.Cancel()

        work.Source.Fail(OperationCanceledException work.Token)
        let error = Within.error "It" task
        Assert.Equal(callerFirst, (error :? OperationCanceledException))
        Assert.Equal(not callerFirst, (error :? TimeoutException))

[<Theory; MemberData(nameof families)>]
let ``work is not started where its time is up, its caller has cancelled, or an argument is wrong``
    (name: string)
    =
    let limits = named name
    let work = ByHand()
    let cancelled = CancellationToken true
    let error (task: Task<int>) = Within.error "It" task

    for task in
        [
            limits.Within TimeSpan.Zero work.Run
            limits.Abandon TimeSpan.Zero work.Run
            limits.Before (DateTimeOffset.UtcNow - hour) work.Run
            limits.Before DateTimeOffset.MinValue work.Run
        ] do
        Assert.Contains("It was not started.", Assert.IsType<TimeoutException>(error task).Message)

    for task in
        [
            limits.WithinLinked cancelled hour work.Run
            limits.WithinLinked cancelled TimeSpan.Zero work.Run
            limits.WithinLinked cancelled Timeout.InfiniteTimeSpan work.Run
            limits.BeforeLinked cancelled DateTimeOffset.MaxValue work.Run
            limits.AbandonLinked cancelled hour work.Run
        ] do
        Assert.Equal(
            cancelled,
            Assert.IsAssignableFrom<OperationCanceledException>(error task).CancellationToken
        )

        Assert.True task.IsCanceled

    for time in [ TimeSpan.FromMilliseconds -2.; TimeSpan.FromDays 50. ] do
        for run in [ limits.Within; limits.Abandon; limits.WithinLinked cancelled ] do
            let refused = Assert.IsType<ArgumentOutOfRangeException>(error (run time work.Run))
            Assert.Contains("The work was not started.", refused.Message)
            Assert.DoesNotContain("continues", refused.Message)

    Assert.Equal(0, work.Starts)

[<Theory; MemberData(nameof families)>]
let ``a deadline is the time that is left by its clock`` (name: string) =
    let limits = named name
    let clock = HandClock()
    let work = ByHand()
    let deadline = clock.GetUtcNow() + TimeSpan.FromMinutes 3.
    let task = limits.ClockedBefore clock noToken deadline work.Run
    Assert.Equal(TimeSpan.FromMinutes 3., clock.Due)
    clock.Ring()
    work.Source.Fail(OperationCanceledException work.Token)

    Assert.Contains(
        "before 2000-01-01T00:03:00",
        Assert.IsType<TimeoutException>(Within.error "It" task).Message
    )

[<Theory; MemberData(nameof families)>]
let ``limits by the system's clock end the work, also one within another`` (name: string) =
    let limits = named name

    let endless (token: CancellationToken) =
        ValueTask<int>(
            task {
                do! Task.Delay(Timeout.Infinite, token)
                return 1
            }
        )

    let soon = TimeSpan.FromMilliseconds 5.

    for run in
        [
            limits.Within soon
            limits.WithinLinked noToken soon
            limits.Abandon soon
            (fun work -> limits.Before (DateTimeOffset.UtcNow + soon) work)
            (fun work ->
                limits.Within hour (fun token -> ValueTask<int>(limits.WithinLinked token soon work)))
        ] do
        Assert.IsType<TimeoutException>(Within.error "It" (run endless)) |> ignore

    let outer =
        limits.Within soon (fun token -> ValueTask<int>(limits.WithinLinked token hour endless))

    Assert.IsType<TimeoutException>(Within.error "It" outer) |> ignore

[<Theory; MemberData(nameof families)>]
let ``abandoned work is cancelled, not waited for, and consumed when it ends`` (name: string) =
    let limits = named name

    for byCaller in [ false; true ] do
        for fails in [ false; true ] do
            use caller = new CancellationTokenSource()
            let clock = HandClock()
            let work = ByHand()
            let task = limits.ClockedAbandon clock caller.Token hour work.Run

            if byCaller then caller.Cancel() else clock.Ring()

            match Within.error "It" task with
            | :? TimeoutException as error when not byCaller ->
                Assert.Contains("it may still run", error.Message)
            | :? OperationCanceledException as error when byCaller ->
                Assert.Equal(caller.Token, error.CancellationToken)
            | error -> Assert.Fail(error.ToString())

            Assert.True work.Token.IsCancellationRequested
            Assert.Equal(0, work.Source.Taken)

            if fails then work.Source.Fail(InvalidOperationException()) else work.Source.Complete 1

            Assert.Equal(1, work.Source.Taken)

let private refusesSecondAwait =
    match AppContext.TryGetSwitch "Plait.RefuseSecondAwait" with
    | true, isOn -> isOn
    | _ -> false

/// The tokens of works, one after another on one thread.
let private tokens (count: int) (run: LimitedWork -> Task<int>) : CancellationToken list =
    Within.thread "the works" 0 (fun () ->
        [
            for _ in 1..count do
                let mutable seen = noToken

                run (fun token ->
                    Assert.False token.IsCancellationRequested
                    seen <- token
                    ValueTask<int> 1)
                |> ignore

                seen
        ])

[<Theory; MemberData(nameof families)>]
let ``a source is used again only in the modules whose results are awaited once`` (name: string) =
    let limits = named name
    use caller = new CancellationTokenSource()

    for run in
        [
            limits.Within hour
            limits.WithinLinked caller.Token hour
            limits.WithinLinked caller.Token Timeout.InfiniteTimeSpan
        ] do
        let seen = tokens 3 run
        let expected = if limits.IsPooled && not refusesSecondAwait then 1 else 3
        Assert.Equal(expected, (List.distinct seen).Length)

        // where pooled values are checked, a kept token is found out
        for token in seen do
            Assert.Equal(limits.IsPooled && refusesSecondAwait, token.IsCancellationRequested)

    Assert.Equal(3, (List.distinct (tokens 3 (limits.Abandon hour))).Length)
    // an hour from now, the last use has no timer and no link left
    caller.Cancel()
    Assert.Equal(2, (tokens 2 (limits.Within hour)).Length)

[<Theory; MemberData(nameof families)>]
let ``a callback that work has left behind is not called by a later use`` (name: string) =
    let limits = named name
    let mutable calls = 0

    Within.thread "the works" 0 (fun () ->
        let left =
            limits.Within hour (fun token ->
                token.Register(fun () -> calls <- calls + 1) |> ignore
                ValueTask<int> 1)

        Within.result "It" left |> ignore
        use caller = new CancellationTokenSource()
        let work = ByHand()
        let task = limits.WithinLinked caller.Token hour work.Run
        caller.Cancel()
        work.Source.Complete 1
        Within.result "It" task |> ignore)

    Assert.Equal(0, calls)

[<Theory; MemberData(nameof families)>]
let ``a caller that cancels while work ends never cancels another work`` (name: string) =
    let limits = named name

    for round in 1..2000 do
        use caller = new CancellationTokenSource()
        let work = ByHand()
        let task = limits.WithinLinked caller.Token hour work.Run
        Assert.False(work.Token.IsCancellationRequested, $"round {round}")
        Parallel.Invoke((fun () -> work.Source.Complete 1), (fun () -> caller.Cancel()))
        Assert.Equal(1, Within.result "It" task)
        let next = ByHand()
        let task = limits.Within hour next.Run
        Assert.False(next.Token.IsCancellationRequested, $"round {round}")
        next.Source.Complete 2
        Assert.Equal(2, Within.result "It" task)
