// Under test: pools for blocking calls: how many run at once, who waits, what is refused, cancelled, flowed and counted, where
// the caller goes on, and every builder that takes the result.
namespace Plait.ThreadPool.Tests

open System
open System.Collections.Concurrent
open System.Collections.Generic
open System.Diagnostics.Metrics
open System.Threading
open System.Threading.Tasks
open Xunit

open Plait
open Plait.Tests

module BlockingPools =
    let private pool (threads: int) (limit: int) =
        new BlockingPool(
            $"pool {Guid.NewGuid()}",
            BlockingPoolSettings(MaxThreads = threads, QueueLimit = limit)
        )

    let private never = CancellationToken.None

    /// A call that holds its thread until the gate opens, and tells that it runs.
    let private hold (pool: BlockingPool) (gate: ManualResetEventSlim) =
        let running =
            TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)

        let ended =
            (Blocking.runOn pool never (fun () ->
                running.SetResult()
                gate.Wait()))
                .AsTask()

        Within.ended "The call" running.Task
        ended

    [<Fact>]
    let ``a call runs on a background thread with the pool's name, which is not the thread pool's`` () =
        use pool = pool 2 10

        let name, isOurs =
            (Blocking.runOn pool never (fun () ->
                let thread = Thread.CurrentThread
                thread.Name, thread.IsBackground && not thread.IsThreadPoolThread))
                .AsTask()
            |> Within.result "The call"

        Assert.Equal(pool.Name, name)
        Assert.True isOurs

    [<Fact>]
    let ``as many calls run at once as there may be threads, and never more`` () =
        use pool = pool 8 1_000
        let mutable running = 0
        let mutable most = 0
        use together = new Barrier(8)

        let call () =
            let now = Interlocked.Increment &running
            let mutable seen = Volatile.Read &most

            while now > seen && Interlocked.CompareExchange(&most, now, seen) <> seen do
                seen <- Volatile.Read &most

            // eight must meet here to get on
            together.SignalAndWait()
            Interlocked.Decrement &running |> ignore

        [ for _ in 1..80 -> (Blocking.runOn pool never call).AsTask() :> Task ]
        |> Task.WhenAll
        |> Within.ended "All calls"

        Assert.Equal(8, most)
        Assert.Equal(8, pool.Threads)
        Within.comes "all are counted" (fun () -> pool.Completed = 80L && pool.Running = 0)

    [<Fact>]
    let ``calls beyond the threads run in the order in which they came`` () =
        use pool = pool 1 100
        use gate = new ManualResetEventSlim(false)
        let first = hold pool gate
        let order = ConcurrentQueue<int>()

        let calls =
            [ for i in 1..50 -> (Blocking.runOn pool never (fun () -> order.Enqueue i)).AsTask() :> Task ]

        Assert.Equal(50, pool.Queued)
        gate.Set()
        Within.ended "All calls" (Task.WhenAll(first :> Task :: calls))
        Assert.Equal<int>(seq { 1..50 }, order)

    [<Fact>]
    let ``a call beyond the queue's limit is refused in its result, with name, threads and limit`` () =
        use pool = pool 1 1
        use gate = new ManualResetEventSlim(false)
        let first = hold pool gate
        let second = (Blocking.runOn pool never ignore).AsTask()

        let error =
            Within.error "The third call" ((Blocking.runOn pool never ignore).AsTask())

        let full = Assert.IsType<BlockingPoolFullException> error
        Assert.Contains(pool.Name, full.Message)
        Assert.Contains("all of its 1 threads", full.Message)
        Assert.Contains("1 calls wait", full.Message)
        Assert.Equal(1L, pool.Rejected)
        gate.Set()
        Within.ended "The others" (Task.WhenAll(first, second))

    [<Fact>]
    let ``a cancellation takes a call out of the queue, and makes room`` () =
        use pool = pool 1 1
        use gate = new ManualResetEventSlim(false)
        use cancel = new CancellationTokenSource()
        let first = hold pool gate
        let mutable hasRun = false
        let second = (Blocking.runOn pool cancel.Token (fun () -> hasRun <- true)).AsTask()
        cancel.Cancel()
        let error = Within.error "The cancelled call" second
        let cancelled = Assert.IsAssignableFrom<OperationCanceledException> error
        Assert.Equal(cancel.Token, cancelled.CancellationToken)
        Assert.True second.IsCanceled
        Assert.Equal(0, pool.Queued)
        let third = (Blocking.runOn pool never ignore).AsTask()
        gate.Set()
        Within.ended "The others" (Task.WhenAll(first, third))
        Assert.False hasRun

    [<Fact>]
    let ``a call with a cancelled token is never made`` () =
        use pool = pool 1 1
        let mutable hasRun = false

        let error =
            Within.error
                "The call"
                ((Blocking.runOn pool (CancellationToken true) (fun () -> hasRun <- true)).AsTask())

        Assert.IsAssignableFrom<OperationCanceledException> error |> ignore
        Assert.False hasRun
        Assert.Equal(0, pool.Threads)

    [<Fact>]
    let ``a call that runs is not stopped by its token`` () =
        use pool = pool 1 1
        use gate = new ManualResetEventSlim(false)
        use cancel = new CancellationTokenSource()
        let running = TaskCompletionSource()

        let call =
            (Blocking.runOn pool cancel.Token (fun () ->
                running.SetResult()
                gate.Wait()
                1))
                .AsTask()

        Within.ended "The beginning" running.Task
        cancel.Cancel()
        gate.Set()
        Assert.Equal(1, Within.result "The call" call)

    [<Fact>]
    let ``cancellations that race with free threads neither lose a call nor end one twice`` () =
        use pool = pool 2 10_000
        let mutable runs = 0

        let calls =
            [
                for _ in 1..2_000 do
                    let cancel = new CancellationTokenSource()

                    let call =
                        (Blocking.runOn pool cancel.Token (fun () -> Interlocked.Increment &runs |> ignore))
                            .AsTask()

                    ThreadPool.QueueUserWorkItem(fun _ -> cancel.Cancel()) |> ignore
                    call
            ]

        for call in calls do
            (call :> Task).ContinueWith(ignore, TaskContinuationOptions.ExecuteSynchronously)
            |> Within.ended "A call"

        Assert.Equal(runs, calls |> List.filter _.IsCompletedSuccessfully |> List.length)
        Assert.Equal(2_000 - runs, calls |> List.filter _.IsCanceled |> List.length)
        Assert.Equal(0, pool.Queued)

    let private flowing = AsyncLocal<string>()

    [<Fact>]
    let ``a call reads the caller's AsyncLocals, and its writes do not reach the caller`` () =
        use pool = pool 1 10
        flowing.Value <- "caller"

        let read () =
            let seen = flowing.Value
            flowing.Value <- "call"
            seen

        Assert.Equal("caller", Within.result "The first" ((Blocking.runOn pool never read).AsTask()))
        Assert.Equal("caller", Within.result "The second" ((Blocking.runOn pool never read).AsTask()))
        Assert.Equal("caller", flowing.Value)

    [<Fact>]
    let ``a call with suppressed flow does not change the AsyncLocals of the next one on its thread`` () =
        use pool = pool 1 10
        flowing.Value <- "caller"

        let suppressed (work: unit -> 'T) =
            let flow = ExecutionContext.SuppressFlow()

            try
                (Blocking.runOn pool never work).AsTask()
            finally
                flow.Undo()

        let swap () =
            let seen = flowing.Value
            flowing.Value <- "call"
            seen

        for _ in 1..2 do
            Assert.Null(Within.result "The call" (suppressed swap))

        // nor that a call has suppressed the flow of its thread for good
        suppressed (fun () -> ExecutionContext.SuppressFlow() |> ignore)
        |> Within.ended "The call that suppresses"

        Assert.False(Within.result "The last" (suppressed ExecutionContext.IsFlowSuppressed))
        Assert.Equal(1, pool.Threads)

    [<Fact>]
    let ``a default client fails with an explanation, in every way of calling`` () =
        let none = Unchecked.defaultof<BlockingClient<string>>

        for call in
            [
                fun () -> Blocking.call String.length none |> ignore
                fun () -> none.Run(fun (text: string) -> text.Length) |> ignore
                fun () -> none.Run(Action<string>(ignore)) |> ignore
            ] do
            let error = Assert.Throws<InvalidOperationException>(fun () -> call ())
            Assert.Contains("BlockingClient is a default value", error.Message)

    [<System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)>]
    let private throws () : int =
        raise (InvalidOperationException "its own")

    [<Fact>]
    let ``an exception reaches the awaiting code, with its stack trace`` () =
        use pool = pool 1 10
        let error = Within.error "The call" ((Blocking.runOn pool never throws).AsTask())
        Assert.Equal("its own", error.Message)
        Assert.Contains("throws", string error.StackTrace)

    /// Calls that fail, and whose results nobody has when this returns.
    [<System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)>]
    let private lose (message: string) =
        let pool = pool 1 10

        let fail (way: string) : int =
            raise (InvalidOperationException $"{message} {way}")

        Blocking.runOn pool never (fun () -> fail "strand") |> ignore
        pool.Run(Func<int>(fun () -> fail "result")) |> ignore
        pool.Run(Action(fun () -> fail "none" |> ignore)) |> ignore
        Within.ended "The pool" (pool.DisposeAsync().AsTask())

    [<Fact>]
    let ``an unawaited failure is reported once, in every way of calling`` () =
        let message = $"lost {Guid.NewGuid()}"
        let reports = ConcurrentQueue<string>()

        let handler =
            EventHandler<exn>(fun _ error ->
                if error.Message.StartsWith message then
                    reports.Enqueue error.Message)

        Diagnostics.Unobserved.AddHandler handler

        try
            lose message

            Within.comes "three reports" (fun () ->
                GC.Collect()
                GC.WaitForPendingFinalizers()
                reports.Count >= 3)
        finally
            Diagnostics.Unobserved.RemoveHandler handler

        Assert.Equal<string>(
            [ for way in [ "none"; "result"; "strand" ] -> $"{message} {way}" ],
            Seq.sort reports
        )

    [<Fact>]
    let ``the awaiting code continues off the pool's threads, so that a long continuation holds none`` () =
        use pool = pool 1 10
        use gate = new ManualResetEventSlim(false)

        let isThere =
            TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)

        // the call ends when who awaits it has gone away: at once it would go on here
        use isAwaited = new ManualResetEventSlim(false)

        let waiting: Strand<string | null> =
            strand {
                do! Blocking.runOn pool never isAwaited.Wait
                isThere.SetResult()
                let name = Thread.CurrentThread.Name
                gate.Wait()
                return name
            }

        let waiting = waiting.AsTask()
        isAwaited.Set()
        Within.ended "The continuation" isThere.Task
        // the only thread is free for another call meanwhile
        Assert.Equal(2, Within.result "The other call" ((Blocking.runOn pool never (fun () -> 2)).AsTask()))
        gate.Set()
        Assert.NotEqual<string | null>(pool.Name, Within.result "The first" waiting)

    [<Fact>]
    let ``code after a call in an async reads the AsyncLocals from before the call`` () =
        use pool = pool 1 10
        let local = AsyncLocal<string>()

        let after =
            async {
                local.Value <- "outer"

                let! within =
                    Blocking.runAsync pool (fun () ->
                        Thread.Sleep 20
                        local.Value)

                return within, local.Value
            }

        Assert.Equal(("outer", "outer"), Within.result "The call" (Async.StartAsTask after))

    [<Fact>]
    let ``a keep-alive without end keeps threads and ends nothing`` () =
        use pool =
            new BlockingPool("for-ever", BlockingPoolSettings(KeepAlive = TimeSpan.MaxValue))

        for _ in 1..2 do
            Assert.Equal(1, Within.result "A call" ((Blocking.runOn pool never (fun () -> 1)).AsTask()))
            // A call has its result a moment before its thread can take the next one.
            Within.comes "its thread waits" (fun () -> pool.Running = 0)

        Assert.Equal(1, pool.Threads)

    [<Fact>]
    let ``threads without work end after the keep-alive, and come back`` () =
        use pool =
            new BlockingPool("brief", BlockingPoolSettings(KeepAlive = TimeSpan.FromMilliseconds 20.))

        for _ in 1..3 do
            Assert.Equal(1, Within.result "A call" ((Blocking.runOn pool never (fun () -> 1)).AsTask()))
            Within.comes "no thread is left" (fun () -> pool.Threads = 0)

    [<Fact>]
    let ``a disposed pool finishes its calls, refuses new ones and ends its threads`` () =
        let pool = pool 1 10
        use gate = new ManualResetEventSlim(false)
        let first = hold pool gate
        let second = (Blocking.runOn pool never (fun () -> 2)).AsTask()
        let drained = pool.DisposeAsync().AsTask()

        let error =
            Within.error "The late call" ((Blocking.runOn pool never ignore).AsTask())

        Assert.IsType<ObjectDisposedException> error |> ignore
        Assert.False drained.IsCompleted
        gate.Set()
        Within.ended "The end" drained
        Within.ended "The first" first
        Assert.Equal(2, Within.result "The second" second)
        Assert.Equal(0, pool.Threads)
        pool.Dispose()

    [<Fact>]
    let ``the shared pool cannot be disposed`` () =
        BlockingPool.Shared.Dispose()
        Assert.Equal(1, Within.result "The call" ((Blocking.run (fun () -> 1)).AsTask()))

    [<Fact>]
    let ``settings that no pool can have are refused`` () =
        let refused (settings: BlockingPoolSettings) =
            Assert.Throws<ArgumentOutOfRangeException>(fun () -> new BlockingPool("none", settings) |> ignore)
            |> ignore

        refused (BlockingPoolSettings(MaxThreads = 0))
        refused (BlockingPoolSettings(QueueLimit = -1))
        refused (BlockingPoolSettings(KeepAlive = TimeSpan.FromSeconds -1.))

    [<Fact>]
    let ``the result binds in every builder, and in async`` () =
        use pool = pool 2 10
        let one () = Blocking.runOn pool never (fun () -> 1)
        let client = "four" |> Blocking.adaptOn pool

        let inStrand: Strand<int> =
            strand {
                let! x = one ()
                let! length = client.Run(fun text -> text.Length)
                return x + length
            }

        let inPooled: ValueTask<int> =
            pooledValueTask {
                let! x = one ()
                let! length = client |> Blocking.call _.Length
                return x + length
            }

        let inTask: Task<int> =
            pooledTask {
                let! x = one ()
                let! length = client.Run(fun text -> text.Length)
                return x + length
            }

        let inValueTask: ValueTask<int> =
            valueTask {
                let! x = one ()
                let! length = client.Run(fun text -> text.Length)
                return x + length
            }

        let inCore: Task<int> =
            task {
                let! x = one ()
                let! length = client.Run(fun text -> text.Length)
                return x + length
            }

        let inAsync =
            async {
                let! x = Blocking.runAsync pool (fun () -> 1)
                let! length = client |> Blocking.call _.Length |> _.AsTask() |> Async.AwaitTask
                return x + length
            }

        for task in
            [
                inStrand.AsTask()
                inPooled.AsTask()
                inTask
                inValueTask.AsTask()
                inCore
                Async.StartAsTask inAsync
            ] do
            Assert.Equal(5, Within.result "The builder" task)

    [<Fact>]
    let ``an async that is cancelled leaves the queue, and is cancelled itself`` () =
        use pool = pool 1 10
        use gate = new ManualResetEventSlim(false)
        use cancel = new CancellationTokenSource()
        let first = hold pool gate
        let mutable hasRun = false

        let waiting =
            Async.StartAsTask(
                Blocking.runAsync pool (fun () -> hasRun <- true),
                cancellationToken = cancel.Token
            )

        Within.comes "it is queued" (fun () -> pool.Queued = 1)
        cancel.Cancel()
        Within.error "The async" waiting |> ignore
        Assert.True waiting.IsCanceled
        gate.Set()
        Within.ended "The first" first
        Assert.False hasRun

    [<Fact>]
    let ``an async gets the error of its call`` () =
        use pool = pool 1 10

        let error =
            Within.error "The async" (Async.StartAsTask(Blocking.runAsync pool throws))

        Assert.Equal("its own", error.Message)

    [<Fact>]
    let ``the meter has the figures of each pool by its name`` () =
        let figures = Dictionary<string, float>()
        let pool = pool 1 1
        use meters = new MeterListener()

        meters.InstrumentPublished <-
            fun instrument listener ->
                if instrument.Name.StartsWith "plait.blocking." then
                    listener.EnableMeasurementEvents(instrument, null)

        let take (name: string) (value: float) (tags: KeyValuePair<string, obj | null>[]) =
            if tags |> Array.exists (fun tag -> tag.Key = "pool" && Object.Equals(tag.Value, pool.Name)) then
                lock figures (fun () -> figures[name] <- value)

        meters.SetMeasurementEventCallback<int64>(fun instrument value tags _ ->
            take instrument.Name (float value) (tags.ToArray()))

        meters.SetMeasurementEventCallback<float>(fun instrument value tags _ ->
            take instrument.Name value (tags.ToArray()))

        meters.Start()
        use gate = new ManualResetEventSlim(false)
        let first = hold pool gate
        let second = (Blocking.runOn pool never ignore).AsTask()
        Within.error "The third" ((Blocking.runOn pool never ignore).AsTask()) |> ignore
        meters.RecordObservableInstruments()

        let figure (name: string) =
            lock figures (fun () -> figures[$"plait.blocking.{name}"])

        Assert.Equal(1., figure "threads")
        Assert.Equal(1., figure "queued")
        Assert.Equal(1., figure "running")
        Assert.Equal(0., figure "completed")
        Assert.Equal(1., figure "rejected")
        gate.Set()
        Within.ended "The calls" (Task.WhenAll(first, second))
        Within.comes "both are counted" (fun () -> pool.Completed = 2L)
        meters.RecordObservableInstruments()
        Assert.Equal(2., figure "completed")
        Assert.True(figure "wait" > 0.)
        pool.Dispose()
