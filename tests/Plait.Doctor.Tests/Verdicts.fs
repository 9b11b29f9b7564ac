// Under test: what a stack says of its thread, what the stacks and counters of a process say of its pool, and what a verdict
// carries. Everything is made by hand: no process runs.
module Plait.Doctor.Tests.Verdicts

open System
open Xunit

open Plait.Doctor

let private framework (name: string) : Frame =
    {
        Module = "System.Private.CoreLib"
        IsFramework = true
        Method = name
        File = None
        Line = None
        Calls = []
        WrittenIn = None
    }

let private own (name: string) (line: int) : Frame =
    {
        Module = "Shop"
        IsFramework = false
        Method = name
        File = Some "Orders.fs"
        Line = Some line
        Calls = []
        WrittenIn = None
    }

/// What is below everything that a worker does.
let private bottom =
    [
        framework "System.Threading.ThreadPoolWorkQueue.Dispatch"
        framework "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart"
    ]

let private sleeping =
    framework "System.Threading.Thread.Sleep" :: own "Shop.Orders+work@12.Invoke" 12 :: bottom

let private idle =
    [
        framework "System.Threading.LowLevelLifoSemaphore.WaitNative"
        framework "System.Threading.LowLevelLifoSemaphore.Wait"
        framework "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart"
    ]

let private computing = own "Shop.Routes.shortest" 30 :: bottom

let private locked =
    framework "System.Threading.Monitor.Enter_Slowpath" :: own "Shop.Ledger.post" 8 :: bottom

let private blocked kind = WorkerState.Blocked kind

let states: TheoryData<string, Frame list, WorkerState> =
    let data = TheoryData<string, Frame list, WorkerState>()
    let add name frames state = data.Add(name, frames, state)
    add "idle" idle WorkerState.Idle

    add
        "between two items"
        [ framework "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart" ]
        WorkerState.Idle

    add "computing" computing WorkerState.Running

    add
        "computing in the framework"
        (framework "System.Text.Json.JsonSerializer.Serialize" :: computing)
        WorkerState.Running

    add
        "polled by the collector"
        (framework "System.Threading.Thread.PollGC" :: computing)
        WorkerState.Running

    add "sleeping" sleeping (blocked BlockKind.Sleep)

    add
        "sleeping, as a debugger sees it"
        (framework "System.Threading.Thread.SleepInternal" :: sleeping)
        (blocked BlockKind.Sleep)

    add "behind a native frame without a name" (framework "" :: sleeping) (blocked BlockKind.Sleep)
    add "before a lock" locked (blocked BlockKind.Lock)

    let waiting (calls: string list) =
        [
            framework "System.Threading.Monitor.Wait"
            framework "System.Threading.ManualResetEventSlim.Wait"
            for call in calls do
                framework call
            own "Shop.Orders.Handle" 5
            yield! bottom
        ]

    add
        "reading a result"
        (waiting
            [
                "System.Threading.Tasks.Task.SpinThenBlockingWait"
                "System.Threading.Tasks.Task`1.GetResultCore"
            ])
        (blocked BlockKind.TaskWait)

    add "at an event" (waiting []) (blocked BlockKind.WaitHandle)

    add
        "running an async"
        (framework "System.Threading.WaitHandle.WaitOneNoCheck"
         :: framework "Microsoft.FSharp.Control.AsyncPrimitives.QueueAsyncAndWaitForResultSynchronously"
         :: own "Shop.Prices.quote" 9
         :: bottom)
        (blocked BlockKind.RunSynchronously)

    add
        "in a collection"
        (waiting
            [
                "System.Threading.SemaphoreSlim.Wait"
                "System.Collections.Concurrent.BlockingCollection`1.Take"
            ])
        (blocked BlockKind.Collection)

    // by the stream that is read or written through another one
    let through (calls: string list) (statement: string) =
        [
            for call in calls do
                framework call
            { own "Shop.Orders.Handle" 5 with Calls = [ statement ] }
            yield! bottom
        ]

    let reader = "System.IO.StreamReader.ReadToEnd"

    let body =
        "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpRequestStream.Read"

    add
        "reading the body of a request"
        (through [ "System.Threading.Monitor.Wait"; "System.Threading.Tasks.Task.Wait"; body; reader ] reader)
        (blocked BlockKind.HttpBody)

    add
        "reading a socket through a reader"
        (through [ "Interop+Sys.Receive"; "System.Net.Sockets.NetworkStream.Read"; reader ] reader)
        (blocked BlockKind.Socket)

    add "reading what is not known" (through [ "Interop+Sys.Read"; reader ] reader) (blocked BlockKind.File)

    let write = "System.IO.TextWriter+SyncTextWriter.WriteLine"

    add
        "writing to the console"
        (through
            [
                "Interop+Sys.<Write>g____PInvoke|1_0"
                "System.ConsolePal+UnixConsoleStream.Write"
                "System.IO.StreamWriter.Flush"
                write
            ]
            "System.IO.TextWriter.WriteLine")
        (blocked BlockKind.ConsoleOutput)

    add
        "writing to the console by its class"
        (through
            [ "System.Threading.Monitor.Enter_Slowpath"; write; "System.Console.WriteLine" ]
            "System.Console.WriteLine")
        (blocked BlockKind.ConsoleOutput)

    add
        "reading the console"
        (through
            [
                "Interop+Sys.Read"
                "System.ConsolePal.Read"
                "System.IO.StreamReader.ReadLine"
                "System.Console.ReadLine"
            ]
            "System.Console.ReadLine")
        (blocked BlockKind.Console)

    add
        "sending a request"
        (framework "Interop+Sys.Receive"
         :: framework "System.Net.Sockets.Socket.Receive"
         :: framework "System.Net.Http.HttpClient.Send"
         :: own "Shop.Rates.fetch" 4
         :: bottom)
        (blocked BlockKind.Http)

    data

let private sample thread at frames : Sample =
    { Thread = thread; AtMilliseconds = float at; IsManaged = true; Frames = frames }

[<Theory; MemberData(nameof states)>]
let ``the innermost frames say what a worker does`` (_: string, frames: Frame list, state: WorkerState) =
    Assert.Equal(state, Leaves.state None (sample 1 0 frames))

/// The JIT has put the framework's frames into the user's.
let private hidden (calls: string list) : Sample =
    { sample 1 0 ({ own "Shop.Exports.export" 16 with Calls = calls } :: bottom) with
        IsManaged = false
    }

[<Fact>]
let ``where the call has no frame of its own, the operating system says that it waits and the statement for what``
    ()
    =
    let join = hidden [ "System.String.Concat"; "System.Threading.Thread.Join" ]
    Assert.Equal(blocked BlockKind.Join, Leaves.state (Some 1.0) join)
    Assert.Equal(blocked BlockKind.Other, Leaves.state (Some 1.0) (hidden []))
    // a saved trace says nothing of the operating system: native code below a call that blocks is taken for waiting
    Assert.Equal(blocked BlockKind.Join, Leaves.state None join)
    Assert.Equal(WorkerState.Running, Leaves.state None (hidden []))

[<Fact>]
let ``a thread that works is never called blocked, whatever its stack says`` () =
    Assert.Equal(WorkerState.Running, Leaves.state (Some 0.1) (hidden [ "System.Threading.Thread.Join" ]))
    Assert.Equal(WorkerState.Running, Leaves.state (Some 0.1) (sample 1 0 sleeping))
    // a file may be read from memory
    let reading =
        framework "Interop+Sys.<Read>g____PInvoke|1_0"
        :: framework "System.IO.RandomAccess.ReadAtOffset"
        :: own "Shop.Orders.load" 7
        :: bottom

    Assert.Equal(WorkerState.Running, Leaves.state (Some 0.1) (sample 1 0 reading))
    Assert.Equal(blocked BlockKind.File, Leaves.state (Some 0.95) (sample 1 0 reading))
    // neither here nor there: its stack decides
    Assert.Equal(blocked BlockKind.Sleep, Leaves.state (Some 0.7) (sample 1 0 sleeping))
    Assert.Equal(WorkerState.Running, Leaves.state (Some 0.7) (sample 1 0 computing))

[<Fact>]
let ``a call that does nothing but wait is blocked whatever native frame is on top, and where it spins or was just woken``
    ()
    =
    let within (leaf: string list) (call: string) =
        [
            for name in leaf @ [ call ] do
                framework name
            own "Shop.Log.write" 7
            yield! bottom
        ]

    for leaf in
        [
            [ "" ]
            [ ""; "IL_STUB_PInvoke" ]
            [ "System.Threading.Monitor.Wait" ]
            [ "System.Threading.Thread.Yield"; "System.Threading.SpinWait.SpinOnceCore" ]
            [ "System.Threading.Thread.SleepInternal"; "System.Threading.SpinWait.SpinOnceCore" ]
            [ "Interop+Sys.LowLevelMonitor_TimedWait" ]
        ] do
        for call, kind in
            [
                "System.Collections.Concurrent.BlockingCollection`1.TryAddWithNoTimeValidation",
                BlockKind.Collection
                "System.Threading.SemaphoreSlim.WaitCore", BlockKind.Semaphore
                "System.Threading.WaitHandle.WaitOneNoCheck", BlockKind.WaitHandle
                "System.Threading.Tasks.Task.InternalWaitCore", BlockKind.TaskWait
            ] do
            let stack = within leaf call

            for isManaged in [ true; false ] do
                for share in [ Some 0.0; Some 0.4; Some 1.0 ] do
                    Assert.Equal(
                        blocked kind,
                        Leaves.state share { sample 1 0 stack with IsManaged = isManaged }
                    )

    // what a wait for a task runs itself is work
    let inlined (inner: Frame) =
        inner
        :: framework "System.Threading.Tasks.Task.InnerInvoke"
        :: within [] "System.Threading.Tasks.Task.InternalWaitCore"

    let running (inner: Frame) (share: float option) =
        Assert.Equal(WorkerState.Running, Leaves.state share (sample 1 0 (inlined inner)))

    running (own "Shop.Orders.sum" 3) (Some 0.0)
    // whoever has written it
    running (framework "System.Text.Json.JsonSerializer.Serialize") (Some 0.0)
    running (framework "System.Text.Json.JsonSerializer.Serialize") None
    // and where that waits, it is judged like any other: a sleep may be a loop that waits busily
    running (framework "System.Threading.Thread.Sleep") (Some 0.1)

    Assert.Equal(
        blocked BlockKind.TaskWait,
        Leaves.state (Some 0.7) (sample 1 0 (inlined (framework "System.Threading.Thread.Sleep")))
    )

    Assert.Equal(
        blocked BlockKind.TaskWait,
        Leaves.state (Some 0.1) (sample 1 0 (inlined (framework "System.Threading.WaitHandle.WaitOne")))
    )

/// What a thread does that throws, innermost first, up to a call which waits.
let throws: TheoryData<string list> =
    let data = TheoryData<string list>()

    for inner in
        [
            [
                "System.Runtime.EH.RhThrowEx"
                "System.Runtime.CompilerServices.TaskAwaiter.ThrowForNonSuccess"
                "System.Runtime.CompilerServices.TaskAwaiter.HandleNonSuccessAndDebuggerNotification"
                "System.Runtime.CompilerServices.TaskAwaiter.GetResult"
            ]
            [
                "System.Runtime.StackFrameIterator.Next"
                "System.Runtime.EH.FindFirstPassHandler"
                "System.Runtime.EH.DispatchEx"
                "System.Runtime.EH.RhThrowEx"
                "System.Threading.Tasks.ValueTask.ThrowIfCompletedUnsuccessfully"
                "System.Runtime.CompilerServices.ValueTaskAwaiter.GetResult"
            ]
            [
                "System.Exception.RestoreDispatchState"
                "System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw"
                "System.Runtime.CompilerServices.TaskAwaiter.ThrowForNonSuccess"
                "System.Runtime.CompilerServices.TaskAwaiter`1.GetResult"
            ]
            // an AggregateException is made
            [
                "System.Threading.Tasks.TaskExceptionHolder.CreateExceptionObject"
                "System.Threading.Tasks.Task.GetExceptions"
                "System.Threading.Tasks.Task.ThrowIfExceptional"
                "System.Threading.Tasks.Task`1.GetResultCore"
            ]
            [ "System.Runtime.EH.RhThrowEx"; "System.Threading.SemaphoreSlim.WaitCore" ]
        ] do
        data.Add inner

    data

[<Theory; MemberData(nameof throws)>]
let ``a thread that throws from within a call that waits works, where the operating system does not say otherwise``
    (inner: string list)
    =
    let stack =
        [
            for name in inner do
                framework name
            { own "Shop.Orders.load" 7 with
                Calls = [ "System.Runtime.CompilerServices.TaskAwaiter.GetResult" ]
            }
            yield! bottom
        ]

    for isManaged in [ true; false ] do
        for share in [ None; Some 0.0; Some 0.4; Some 0.7 ] do
            Assert.Equal(
                WorkerState.Running,
                Leaves.state share { sample 1 0 stack with IsManaged = isManaged }
            )

    match Leaves.state (Some 1.0) (sample 1 0 stack) with
    | WorkerState.Blocked _ -> ()
    | state -> failwith $"{state}"

/// Moments at which two threads were looked at, a second apart: the one waited at all of them, the other at every other one.
let private moments: ThreadStates.Moment list =
    [
        for second in 0..9 ->
            let at = DateTime.UnixEpoch.AddSeconds(float second)

            {
                From = at
                Until = at.AddMilliseconds 1.0
                Waits = [ "waits", true; "works", second % 2 = 0 ]
            }
    ]

/// Whether the collector had stopped all threads, where it did so in the first seconds.
let private stoppedFor (seconds: int) (from: DateTime, _: DateTime) : bool =
    from < DateTime.UnixEpoch.AddSeconds(float seconds)

[<Fact>]
let ``moments at which the collector had all threads stand still say nothing of a thread`` () =
    let waiting = ThreadStates.waiting (stoppedFor 4) moments
    Assert.Equal(1.0, waiting["waits"])
    Assert.Equal(0.5, waiting["works"])

[<Fact>]
let ``what a thread does between collections is not known where the collector had most of the moments`` () =
    Assert.Equal(2, (ThreadStates.waiting (stoppedFor 5) moments).Count)
    Assert.Empty(ThreadStates.waiting (stoppedFor 6) moments)
    Assert.Empty(ThreadStates.waiting (stoppedFor 10) moments)

[<Fact>]
let ``the statement's own call goes before frames that it led to`` () =
    let inner =
        framework "System.Threading.Monitor.Wait"
        :: framework "System.Threading.SemaphoreSlim.WaitUntilCountOrTimeout"
        :: { own "Shop.Deliveries.next" 18 with
               Calls = [ "System.Collections.Concurrent.BlockingCollection`1.Take" ]
           }
        :: bottom

    Assert.Equal(blocked BlockKind.Collection, Leaves.state None (sample 1 0 inner))

/// Workers with a stack each, ten samples of each.
let private samples (stacks: Frame list list) : Sample list =
    [
        for thread, frames in List.indexed stacks do
            for at in 0..9 do
                sample thread at frames
    ]

let private reading (queue: int64) (completed: float) (cpu: float) (at: int) : PoolReading =
    {
        AtMilliseconds = float at
        Threads = 4
        Queue = queue
        CompletedPerSecond = Some completed
        CpuPercent = Some cpu
        ContentionsPerSecond = Some 0.0
    }

let private evidence (stacks: Frame list list) (readings: PoolReading list) : Evidence =
    {
        Process =
            {
                Pid = 1
                Name = "Shop"
                CommandLine = "dotnet Shop.dll"
                Processors = 2
                Runtime = Some "10.0.0"
            }
        Route = Route.EventPipe
        At = DateTime.UnixEpoch
        Milliseconds = 1000.0
        Readings = readings
        CpuPercent = None
        MaxThreads = None
        Adjustments = []
        Samples = samples stacks
        Threads = Map.empty
        Contexts = Map.empty
        Stops = None
        Ended = None
        Notes = []
    }

let private judged stacks readings =
    Judging.judge (evidence stacks readings)

let private ticks (queue: int64) (completed: float) (cpu: float) =
    [ 200..200..1000 ] |> List.map (reading queue completed cpu)

let verdicts: TheoryData<string, Frame list list, PoolReading list, Verdict> =
    let data = TheoryData<string, Frame list list, PoolReading list, Verdict>()

    let add name stacks readings verdict =
        data.Add(name, stacks, readings, verdict)

    add "all sleep, work waits" (List.replicate 4 sleeping) (ticks 900L 8.0 2.0) Verdict.Starved
    add "all sleep, nothing is completed" (List.replicate 4 sleeping) (ticks 900L 0.0 2.0) Verdict.Starved
    add "all sleep, nothing waits" (List.replicate 4 sleeping) (ticks 0L 8.0 2.0) Verdict.Healthy
    // no more than the one that computes explains
    add "one of five computes" (computing :: List.replicate 4 sleeping) (ticks 900L 8.0 50.0) Verdict.Starved

    add
        "the queue is empty in between"
        (List.replicate 4 sleeping)
        (ticks 900L 8.0 2.0 @ [ reading 0L 900.0 2.0 1200 ])
        Verdict.Healthy

    add "idle, nothing waits" (List.replicate 4 idle) (ticks 0L 0.0 0.0) Verdict.Healthy
    add "all compute, work waits" (List.replicate 2 computing) (ticks 900L 8.0 99.0) Verdict.CpuBound

    add
        "all compute by their stacks, and the processors are idle"
        (List.replicate 2 computing)
        (ticks 900L 8.0 5.9)
        Verdict.Late

    add "half before a lock" [ locked; locked; locked; sleeping ] (ticks 900L 8.0 2.0) Verdict.LockConvoy

    add
        "one of three wakes, and the processors are idle"
        [ computing; sleeping; sleeping ]
        (ticks 900L 8.0 5.0)
        Verdict.Starved

    add
        "one of three computes, and the processors are busy"
        [ computing; sleeping; sleeping ]
        (ticks 900L 8.0 60.0)
        Verdict.Late

    add
        "blocked, but the queue goes on quickly"
        (List.replicate 4 sleeping)
        (ticks 3L 400.0 2.0)
        Verdict.Healthy

    add
        "all wait by their stacks, and the processors are busy"
        (List.replicate 4 sleeping)
        (ticks 900L 8.0 97.0)
        Verdict.Late

    add
        "one of five computes, and the process takes more than one processor"
        (computing :: List.replicate 4 sleeping)
        (ticks 900L 8.0 51.0)
        Verdict.Late

    // a debugger's look without counters
    add "no counters, all compute by their stacks" (List.replicate 4 computing) [] Verdict.Late
    add "no counters, no worker is free" (List.replicate 2 sleeping) [] Verdict.Starved
    add "no counters, one is idle" [ sleeping; idle ] [] Verdict.Healthy
    data

[<Theory; MemberData(nameof verdicts)>]
let ``stacks and counters give the verdict``
    (_: string, stacks: Frame list list, readings: PoolReading list, verdict: Verdict)
    =
    Assert.Equal(verdict, (judged stacks readings).Verdict)

[<Fact>]
let ``hardly anything is done when nothing waits, ends or computes at five readings in a row`` () =
    let still at = reading 0L 2.0 0.4 (1000 * at)
    let stills = List.map still [ 1..5 ]
    Assert.True(Suspicion.isStill stills)
    Assert.True(Suspicion.isStill (reading 900L 800.0 90.0 0 :: stills))
    Assert.False(Suspicion.isStill stills.Tail)

    for other in
        [
            reading 1L 2.0 0.4 3000
            reading 0L 10.0 0.4 3000
            reading 0L 2.0 1.0 3000
            { still 3 with CompletedPerSecond = None }
        ] do
        for at in 0..4 do
            Assert.False(Suspicion.isStill (List.updateAt at other stills), $"{other}")

[<Fact>]
let ``a worker that computes between short waits is not called blocked`` () =
    let mixed =
        [
            for at in 0..9 do
                sample 7 at (if at < 6 then sleeping else computing)
        ]

    let diagnosis =
        Judging.judge { evidence [] (ticks 900L 8.0 50.0) with Samples = mixed }

    Assert.Equal(0, diagnosis.Numbers.Blocked)
    Assert.Equal(1, diagnosis.Numbers.Running)
    Assert.Empty diagnosis.Blames

/// What the operating system says of workers.
let private osThreads (waiting: float) (count: int) =
    Map.ofList [ for thread in 0 .. count - 1 -> thread, { Waiting = Some waiting; IsWorker = true } ]

[<Fact>]
let ``beside others that take the processors it is CPU-bound by the processors that its workers want`` () =
    let beside waiting =
        Judging.judge
            { evidence (List.replicate 4 computing) (ticks 900L 8.0 12.0) with
                Threads = osThreads waiting 4
            }

    Assert.Equal(Verdict.CpuBound, (beside 0.1).Verdict)
    // in between: their stacks say that they run, and nobody has measured it
    let late = beside 0.8
    Assert.Equal(Verdict.Late, late.Verdict)
    Assert.Contains("at 12 % CPU", late.Why)

[<Fact>]
let ``blocked workers that the operating system has waiting starve the pool, whoever takes the processors``
    ()
    =
    let with' waiting =
        Judging.judge
            { evidence (List.replicate 4 sleeping) (ticks 900L 8.0 97.0) with
                Threads = osThreads waiting 4
            }

    Assert.Equal(Verdict.Starved, (with' 1.0).Verdict)
    Assert.Equal(Verdict.Starved, (with' 0.6).Verdict)

    let unknown = judged (List.replicate 4 sleeping) (ticks 900L 8.0 97.0)
    Assert.Equal(Verdict.Late, unknown.Verdict)
    Assert.Contains("4 of 4 busy workers stand in calls that block, at 97 % CPU", unknown.Why)
    Assert.DoesNotContain("only", unknown.Why)

[<Fact>]
let ``a CPU that is not known is neither high nor low`` () =
    let looked threads cpu =
        Judging.judge { evidence (List.replicate 4 computing) [] with Threads = threads; CpuPercent = cpu }

    let late = looked Map.empty None
    Assert.Equal(Verdict.Late, late.Verdict)
    Assert.Equal(None, late.Numbers.CpuPercent)
    Assert.Contains("4 run, CPU not known", late.Why)
    // its workers want both processors, or less than that
    Assert.Equal(Verdict.CpuBound, (looked (osThreads 0.1 4) None).Verdict)
    Assert.Equal(Verdict.Late, (looked (osThreads 0.8 4) None).Verdict)
    // measured beside the readings, and in readings that do not have it
    Assert.Equal(Verdict.CpuBound, (looked Map.empty (Some 90.0)).Verdict)
    Assert.Equal(Verdict.Late, (looked Map.empty (Some 10.0)).Verdict)

    let unread =
        ticks 900L 8.0 0.0 |> List.map (fun reading -> { reading with CpuPercent = None })

    Assert.Equal(None, (judged (List.replicate 4 computing) unread).Numbers.CpuPercent)
    Assert.Equal(Verdict.Late, (judged (List.replicate 4 computing) unread).Verdict)

[<Fact>]
let ``a pool that has fewer threads than processors is CPU-bound when nearly all of them compute`` () =
    let on processors stacks cpu threads =
        let found = evidence stacks (ticks 900L 8.0 cpu)

        let readings =
            found.Readings |> List.map (fun reading -> { reading with Threads = stacks.Length })

        Judging.judge
            { found with
                Process = { found.Process with Processors = processors }
                Readings = readings
                Threads = threads
            }

    let eight = List.replicate 8 computing
    let bound = on 16 eight 48.0 Map.empty
    Assert.Equal(Verdict.CpuBound, bound.Verdict)
    Assert.Contains("8 workers compute, and the pool has 8 threads for 16 processors", bound.Why)
    Assert.DoesNotContain("would not help", bound.Why)
    // the same pool on as many processors as it has threads
    Assert.Contains("more threads would not help", (on 8 eight 96.0 Map.empty).Why)
    Assert.Equal(Verdict.CpuBound, (on 16 (sleeping :: eight) 48.0 Map.empty).Verdict)
    // beside others that take the processors, it is told by what its workers want
    Assert.Equal(Verdict.Late, (on 16 eight 10.0 Map.empty).Verdict)
    Assert.Equal(Verdict.CpuBound, (on 16 eight 10.0 (osThreads 0.1 8)).Verdict)
    // one is free, or too many are blocked
    Assert.Equal(Verdict.Late, (on 16 (idle :: eight) 48.0 Map.empty).Verdict)
    Assert.Equal(Verdict.Late, (on 16 (eight @ List.replicate 3 sleeping) 50.0 Map.empty).Verdict)

[<Fact>]
let ``a worker that is blocked, and idle for moments between its items, does not run`` () =
    let mixed =
        [
            for thread in 0..2 do
                for at in 0..9 do
                    sample thread at (if at < 6 then sleeping else idle)
        ]

    let diagnosis =
        Judging.judge { evidence [] (ticks 400L 10.0 5.9) with Samples = mixed }

    Assert.Equal(Verdict.Starved, diagnosis.Verdict)
    Assert.Equal(3, diagnosis.Numbers.Blocked)
    Assert.Equal(0, diagnosis.Numbers.Running)

/// A thread outside of the pool that waits for a task.
let private waitsOutside (outer: Frame list) =
    framework "System.Threading.Monitor.Wait"
    :: framework "System.Threading.Tasks.Task.SpinThenBlockingWait"
    :: framework "System.Threading.Tasks.Task`1.GetResultCore"
    :: outer
    @ [ framework "System.Threading.Thread.StartCallback" ]

let private outside (outer: Frame list) (contexts: (int * ThreadContext) list) : Diagnosis =
    Judging.judge
        { evidence [ waitsOutside outer; idle ] (ticks 0L 8.0 2.0) with
            Contexts = Map.ofList contexts
        }

[<Fact>]
let ``a thread outside of the pool that waits for a task is named, and is hung where its context has work``
    ()
    =
    let clicked = [ own "Shop.Window.clicked" 31 ]

    let context hasWork =
        {
            Context = Some "Shop.WindowContext"
            HasPosted = Some hasWork
            HasWork = hasWork
            WaitsForSeconds = Some 4.0
            Deadlock = None
        }

    for contexts, verdict in
        [ [], Verdict.Healthy; [ 0, context false ], Verdict.Healthy; [ 0, context true ], Verdict.Hung ] do
        let diagnosis = outside clicked contexts
        Assert.Equal(verdict, diagnosis.Verdict)
        let waiter = List.exactlyOne diagnosis.Waiters
        Assert.Equal("Window.clicked", waiter.Function)
        Assert.Equal(Some("Orders.fs", 31), waiter.Place)
        Assert.Equal((verdict = Verdict.Hung), waiter.IsHung)
        Assert.Contains("waits for a task in Window.clicked", diagnosis.Why)
        Assert.Equal(1, diagnosis.Numbers.Others)

[<Fact>]
let ``of posted work that may wait the sentence says that it is not known`` () =
    let context posted =
        {
            Context = Some "Shop.WindowContext"
            HasPosted = posted
            HasWork = false
            WaitsForSeconds = None
            Deadlock = None
        }

    let why posted =
        (outside [ own "Shop.Window.clicked" 31 ] [ 0, context posted ]).Why

    Assert.EndsWith("in Window.clicked, and whether work that was posted to it waits is not known", why None)

    Assert.EndsWith("in Window.clicked", why (Some false))

[<Fact>]
let ``a main that runs a server, and what the compiler writes around an async main, wait by design`` () =
    let host = "Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.RunAsync"

    for outer in
        [
            [ framework "Microsoft.AspNetCore.Builder.WebApplication.Run"; own "Program.<Main>$" 9 ]
            [ { own "Program.Main" 9 with Calls = [ host; "System.Threading.Tasks.Task.Wait" ] } ]
            [ own "Shop.Program.<Main>" 1 ]
            [
                framework "Microsoft.AspNetCore.Hosting.WebHostExtensions.WaitForShutdown"
                own "Shop.Program.main" 9
            ]
            [
                { own "Shop.Program.main" 9 with
                    Calls = [ "Microsoft.Extensions.Hosting.HostingHostBuilderExtensions.RunConsoleAsync" ]
                }
            ]
        ] do
        let diagnosis = outside outer []
        Assert.Equal(Verdict.Healthy, diagnosis.Verdict)
        Assert.Empty diagnosis.Waiters

[<Fact>]
let ``who waits for another task of a server's libraries may hang`` () =
    for call in
        [
            "Microsoft.AspNetCore.Identity.RoleManager`1.CreateAsync"
            "Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.StartAsync"
            "Microsoft.Extensions.Hosting.IHost.StopAsync"
            "Microsoft.AspNetCore.Builder.WebApplication.StartAsync"
        ] do
        for outer in
            [
                [ { own "Shop.Startup.seed" 31 with Calls = [ call ] } ]
                [ framework call; own "Shop.Startup.seed" 31 ]
            ] do
            let context =
                {
                    Context = Some "C"
                    HasPosted = Some true
                    HasWork = true
                    WaitsForSeconds = None
                    Deadlock = None
                }

            let diagnosis = outside outer [ 0, context ]
            Assert.Equal(Verdict.Hung, diagnosis.Verdict)
            Assert.Equal("Startup.seed", (List.exactlyOne diagnosis.Waiters).Function)

[<Fact>]
let ``a pool that starves is said to starve, whoever hangs beside it`` () =
    let diagnosis =
        Judging.judge
            { evidence
                  (waitsOutside [ own "Shop.Window.clicked" 31 ] :: List.replicate 4 sleeping)
                  (ticks 900L 8.0 2.0) with
                Contexts =
                    Map
                        [
                            0,
                            {
                                Context = Some "C"
                                HasPosted = Some true
                                HasWork = true
                                WaitsForSeconds = None
                                Deadlock = None
                            }
                        ]
            }

    Assert.Equal(Verdict.Starved, diagnosis.Verdict)
    Assert.True diagnosis.Waiters.Head.IsHung

/// A worker that waits for a task which another one, or itself, holds up for ever.
let private heldUp (what: Obstruction) (by: int list) : ThreadContext =
    {
        Context = None
        HasPosted = None
        HasWork = false
        WaitsForSeconds = Some 3.0
        Deadlock = Some { What = what; By = by }
    }

let private taskWait =
    framework "System.Threading.Monitor.Wait"
    :: framework "System.Threading.Tasks.Task.SpinThenBlockingWait"
    :: framework "System.Threading.Tasks.Task`1.GetResultCore"
    :: own "Shop.Accounts.Book" 31
    :: bottom

[<Fact>]
let ``a worker that can never go on is hung, and the sentence says what holds it up`` () =
    let judged stacks contexts =
        Judging.judge { evidence stacks (ticks 0L 0.0 2.0) with Contexts = Map.ofList contexts }

    // without that it may be meant to wait
    let may = judged [ taskWait; idle ] []
    Assert.Equal(Verdict.Healthy, may.Verdict)
    Assert.Empty may.Waiters
    Assert.Contains("unless it is meant to wait in Accounts.Book, it hangs there", may.Why)

    let pair = "System.Threading.Tasks.ConcurrentExclusiveSchedulerPair"

    for what, by, says in
        [
            Obstruction.Scheduler pair, [ 0 ], $"waits in {pair} for this worker to be done: neither goes on"
            Obstruction.Scheduler pair, [ 1; 7 ], $"waits in {pair}, which threads 1, 7 will not leave"
            Obstruction.Task, [ 0 ], "for the task that it runs itself: it never goes on"
            Obstruction.Task, [ 1 ], "for a task of thread 1, which waits as well"
            Obstruction.Lock(Some "Shop.Ledger"), [ 1 ], "for a lock on Shop.Ledger that thread 1 holds"
            Obstruction.Lock None, [ 1 ], "for a lock that thread 1 holds, which waits as well"
            Obstruction.Lock None, [ 1; 7 ], "for a lock that threads 1, 7 hold, which wait as well"
        ] do
        let diagnosis = judged [ taskWait; idle ] [ 0, heldUp what by ]
        Assert.Equal(Verdict.Hung, diagnosis.Verdict)
        Assert.StartsWith("worker 0 of the pool waits", diagnosis.Why)
        Assert.Contains(says, diagnosis.Why)
        let waiter = List.exactlyOne diagnosis.Waiters
        Assert.True(waiter.IsHung && waiter.IsWorker)
        Assert.Equal(Some("Orders.fs", 31), waiter.Place)

[<Fact>]
let ``workers that wait while others complete work are not suspected`` () =
    let diagnosis = judged [ taskWait; idle ] (ticks 0L 8.0 2.0)
    Assert.Equal(Verdict.Healthy, diagnosis.Verdict)
    Assert.DoesNotContain("hangs", diagnosis.Why)
    // nor are those that wait for what others give them
    let taking =
        framework "System.Threading.Monitor.Wait"
        :: framework "System.Collections.Concurrent.BlockingCollection`1.Take"
        :: own "Shop.Deliveries.next" 18
        :: bottom

    Assert.DoesNotContain("hangs", (judged [ taking; idle ] (ticks 0L 0.0 2.0)).Why)

[<Fact>]
let ``before locks that hold each other up it is a deadlock`` () =
    let diagnosis =
        Judging.judge
            { evidence [ locked; locked; locked ] (ticks 900L 0.0 2.0) with
                Contexts =
                    Map [ 0, heldUp (Obstruction.Lock None) [ 1 ]; 1, heldUp (Obstruction.Lock None) [ 0 ] ]
            }

    Assert.Equal(Verdict.LockConvoy, diagnosis.Verdict)
    Assert.Contains("it is a deadlock", diagnosis.Why)
    Assert.Equal(2, diagnosis.Waiters.Length)

[<Fact>]
let ``what the runtime makes to resume an async method is nobody's code`` () =
    let resumed =
        framework "System.Threading.Thread.Sleep"
        :: framework "System.Net.Http.HttpConnection.FillAsync"
        :: framework "dynamicClass.IL_STUB_AsyncResume"
        :: framework "System.Runtime.CompilerServices.AsyncHelpers+RuntimeAsyncTask`1.DispatchContinuations"
        :: bottom

    Assert.True(FrameworkModules.isStub "dynamicClass.IL_STUB_AsyncResume")
    Assert.False(FrameworkModules.isStub "Shop.IL_STUB_Orders.load")
    let diagnosis = judged [ resumed; resumed ] (ticks 900L 8.0 2.0)
    Assert.Equal("HttpConnection.FillAsync", diagnosis.Blames.Head.Function)

[<Fact>]
let ``a program that failed is not healthy, and one that starved until then still starved`` () =
    let ending =
        { Command = "shop"; ExitCode = 139; Signal = Some "SIGSEGV"; Seconds = 2.0 }

    let after verdict =
        Judging.ended { judged [ idle ] (ticks 0L 8.0 2.0) with Verdict = verdict } ending

    for verdict in [ Verdict.Healthy; Verdict.CpuBound; Verdict.Late; Verdict.NoAnswer ] do
        Assert.Equal(Verdict.Failed, (after verdict).Verdict)

    for verdict in [ Verdict.Starved; Verdict.LockConvoy; Verdict.Hung ] do
        Assert.Equal(verdict, (after verdict).Verdict)
        Assert.Contains("exit code 139 (SIGSEGV, if a signal ended it)", (after verdict).Why)

    let fine =
        Judging.ended (judged [ idle ] (ticks 0L 8.0 2.0)) { ending with ExitCode = 0; Signal = None }

    Assert.Equal(Verdict.Healthy, fine.Verdict)

[<Fact>]
let ``lines are ranked by the workers that they hold, with what to do`` () =
    let diagnosis =
        judged [ sleeping; sleeping; sleeping; locked; idle ] (ticks 900L 8.0 2.0)

    let shown =
        diagnosis.Blames
        |> List.map (fun blame -> blame.Workers, blame.Kind, blame.Function, blame.Place)

    Assert.Equal<(int * BlockKind * string * (string * int) option) list>(
        [
            3, BlockKind.Sleep, "Orders.work", Some("Orders.fs", 12)
            1, BlockKind.Lock, "Ledger.post", Some("Orders.fs", 8)
        ],
        shown
    )

    Assert.Equal(4, diagnosis.Numbers.Blocked)
    Assert.Equal(1, diagnosis.Numbers.Idle)
    Assert.Contains("Async.Sleep", diagnosis.Blames.Head.Remedy)
    Assert.Equal(Some "PLT201", diagnosis.Blames.Head.Rule)
    Assert.False diagnosis.Blames.Head.Compensated

[<Fact>]
let ``before a lock the lock comes first, whatever holds others`` () =
    let diagnosis = judged [ sleeping; locked; locked ] (ticks 900L 8.0 2.0)
    Assert.Equal(BlockKind.Lock, diagnosis.Blames.Head.Kind)

[<Fact>]
let ``the holder of a lock that is blocked in what it has called comes first, and the pool starves`` () =
    let uses = own "Shop.Settings.use" 8

    let before =
        framework "System.Threading.Monitor.Enter_Slowpath"
        :: framework "System.Lazy`1.CreateValue"
        :: uses
        :: bottom

    let holder =
        framework "System.Threading.Monitor.Wait"
        :: framework "System.Threading.Tasks.Task`1.GetResultCore"
        :: own "Shop.Settings.load" 4
        :: framework "System.Lazy`1.CreateValue"
        :: uses
        :: bottom

    let diagnosis = judged [ before; before; before; holder ] (ticks 900L 8.0 2.0)
    Assert.Equal(Verdict.Starved, diagnosis.Verdict)

    Assert.Equal<(BlockKind * string) list>(
        [ BlockKind.TaskWait, "Settings.load"; BlockKind.Lock, "Settings.use" ],
        diagnosis.Blames |> List.map (fun blame -> blame.Kind, blame.Function)
    )

    Assert.Contains("most stand behind one that waits for a task in Settings.load", diagnosis.Why)

/// Blocked in the function that others wait in for its lock.
let private inside (call: string) =
    framework call :: own "Shop.Ledger.post" 9 :: bottom

let private sleepsInside = inside "System.Threading.Thread.Sleep"

[<Fact>]
let ``the holder of a lock that is blocked in the function that took it comes first as well`` () =
    let diagnosis = judged [ locked; locked; sleepsInside ] (ticks 900L 8.0 2.0)
    Assert.Equal(Verdict.Starved, diagnosis.Verdict)

    Assert.Equal<(BlockKind * (string * int) option) list>(
        [ BlockKind.Sleep, Some("Orders.fs", 9); BlockKind.Lock, Some("Orders.fs", 8) ],
        diagnosis.Blames |> List.map (fun blame -> blame.Kind, blame.Place)
    )

[<Fact>]
let ``the holder comes first where the lock changes hands many times during the look`` () =
    let turns =
        [
            for thread in 0..3 do
                for at in 0..19 do
                    sample thread at (if at % 4 = thread then sleepsInside else locked)
        ]

    let diagnosis =
        Judging.judge { evidence [] (ticks 900L 8.0 2.0) with Samples = turns }

    Assert.Equal(Verdict.Starved, diagnosis.Verdict)
    Assert.Equal((BlockKind.Sleep, 1), (diagnosis.Blames.Head.Kind, diagnosis.Blames.Head.Workers))

[<Fact>]
let ``a lock whose holder runs, or gives it back while it waits, is a convoy`` () =
    let runs = own "Shop.Ledger.seal" 4 :: own "Shop.Ledger.post" 9 :: bottom

    let convoy stacks =
        (judged stacks (ticks 900L 8.0 2.0)).Verdict

    Assert.Equal(Verdict.LockConvoy, convoy [ locked; locked; locked; runs ])
    // who sleeps in the function of the lock sleeps before it, if another one runs in it
    Assert.Equal(Verdict.LockConvoy, convoy [ locked; locked; locked; sleepsInside; runs ])

    Assert.Equal(
        Verdict.LockConvoy,
        convoy [ locked; locked; locked; inside "System.Threading.Monitor.Wait" ]
    )

[<Fact>]
let ``where workers compute, the functions are named with their shares, and those that throw`` () =
    let throwing =
        framework "System.Runtime.EH.DispatchEx"
        :: framework "System.Runtime.EH.RhThrowEx"
        :: framework "System.Number.ThrowFormatException"
        :: own "Shop.Import.read" 7
        :: bottom

    let diagnosis =
        judged [ computing; computing; computing; throwing ] (ticks 900L 8.0 99.0)

    Assert.Equal(Verdict.CpuBound, diagnosis.Verdict)

    Assert.Equal<(string * (string * int) option * float * bool) list>(
        [
            "Routes.shortest", Some("Orders.fs", 30), 0.75, false
            "Import.read", Some("Orders.fs", 7), 0.25, true
        ],
        diagnosis.Computing
        |> List.map (fun found -> found.Function, found.Place, found.Share, found.IsThrowing)
    )

    let text = DiagnosisText.lines 200 diagnosis |> List.map snd |> String.concat "\n"
    Assert.Contains("75 %  Routes.shortest (Orders.fs:30)", text)
    Assert.Contains("25 %  exceptions thrown in Import.read", text)
    Assert.Empty((judged (List.replicate 4 sleeping) (ticks 900L 8.0 2.0)).Computing)

[<Fact>]
let ``threads outside of the pool are named in any wait for others, those at one line in one, the framework's own not``
    ()
    =
    let waits (call: string) (outer: Frame list) =
        framework "System.Threading.Monitor.Wait" :: framework call :: outer
        @ [ framework "System.Threading.Thread.StartCallback" ]

    let consumer =
        waits "System.Collections.Concurrent.BlockingCollection`1.Take" [ own "Shop.Log.write" 5 ]

    let event =
        waits "System.Threading.ManualResetEventSlim.Wait" [ own "Shop.Server.run" 6 ]

    let own' = waits "System.Threading.ManualResetEventSlim.Wait" []
    let sleeps = framework "System.Threading.Thread.Sleep" :: [ own "Shop.Load.run" 7 ]

    let diagnosis =
        judged [ idle; event; consumer; consumer; consumer; own'; sleeps ] (ticks 0L 8.0 2.0)

    Assert.Equal(Verdict.Healthy, diagnosis.Verdict)
    Assert.Equal(4, diagnosis.Waiters.Length)
    let text = DiagnosisText.lines 200 diagnosis |> List.map snd |> String.concat "\n"
    Assert.Contains("3 threads  wait for a BlockingCollection in Log.write (Orders.fs:5)", text)
    // the process is number 1
    Assert.Contains("main thread  wait for an event or a wait handle in Server.run (Orders.fs:6)", text)
    Assert.Contains("4 wait for others", text)

[<Fact>]
let ``the cost is what an item waits that is queued now`` () =
    let diagnosis = judged (List.replicate 4 sleeping) (ticks 240L 8.0 2.0)
    Assert.Equal(Some 30.0, diagnosis.Numbers.WaitSeconds)
    Assert.Contains("30.0 s", Option.get diagnosis.Cost)
    Assert.Equal(None, (judged [ idle ] (ticks 0L 8.0 2.0)).Cost)
    Assert.Contains("nothing at all", Option.get (judged [ sleeping ] (ticks 240L 0.0 2.0)).Cost)

[<Fact>]
let ``code without a line in C# or without any is blamed as well, and the checker is named for F# alone`` () =
    let csharp = { own "Shop.Orders.Handle" 5 with File = Some "Orders.cs" }
    let unknown = { own "Shop.Orders.Load" 0 with File = None; Line = None }

    let stack frame =
        framework "System.Threading.Thread.Sleep" :: frame :: bottom

    match (judged [ stack csharp; stack csharp; stack unknown ] (ticks 900L 8.0 2.0)).Blames with
    | [ first; second ] ->
        Assert.Equal(None, first.Rule)
        Assert.Equal(None, second.Place)
        Assert.Equal("Orders.Load", second.Function)
    | blames -> failwith $"{blames}"

[<Fact>]
let ``who waits for all of several tasks is not compensated`` () =
    let stack calls =
        framework "System.Threading.Monitor.Wait"
        :: { own "Shop.Search.ask" 22 with Calls = calls }
        :: bottom

    let isCompensated calls =
        (judged [ stack calls; stack calls ] (ticks 900L 8.0 2.0)).Blames.Head.Compensated

    Assert.True(isCompensated [ "System.Threading.Tasks.Task.Wait" ])
    Assert.False(isCompensated [ "System.Threading.Tasks.Task.WaitAll" ])

[<Fact>]
let ``a closure is shown as the function that it was written in`` () =
    let closure =
        { own "Shop.Invoices+prices@16.Invoke" 16 with WrittenIn = Some "Shop.Invoices.total" }

    let stack =
        framework "System.Threading.Thread.Sleep"
        :: closure
        :: own "Shop.Invoices.total" 20
        :: bottom

    let blame = (judged [ stack; stack ] (ticks 900L 8.0 2.0)).Blames.Head
    Assert.Equal("Invoices.total", blame.Function)
    Assert.Equal(1, blame.Stack.Length)
    Assert.Equal(Some("Orders.fs", 16), blame.Place)

[<Fact>]
let ``where nobody's own code is on the stack, what the framework does is named`` () =
    let stack =
        framework "System.Threading.Thread.Sleep"
        :: framework "System.Threading.Timer.Fire"
        :: bottom

    Assert.Equal("Timer.Fire", (judged [ stack; stack ] (ticks 900L 8.0 2.0)).Blames.Head.Function)

[<Fact>]
let ``of code that the JIT has inlined into a dispatcher the dispatcher is named, and a note says how to see it``
    ()
    =
    let blamed (inner: Frame list) (outer: string list) =
        let stack =
            [
                yield! inner
                for name in outer do
                    framework name
                yield! bottom
            ]

        let diagnosis = judged [ stack; stack ] (ticks 900L 8.0 2.0)

        let isNoted =
            diagnosis.Evidence.Notes
            |> List.exists _.Contains("the JIT has inlined code of the program into")

        diagnosis.Blames.Head.Function, isNoted

    let sleep = [ framework "System.Threading.Thread.Sleep" ]
    let inlined name = $"code inlined into {name}", true
    Assert.Equal(inlined "ThreadPoolWorkQueue.Dispatch", blamed sleep [])

    for item, name in
        [
            "System.Threading.QueueUserWorkItemCallbackDefaultContext.Execute",
            "QueueUserWorkItemCallbackDefaultContext.Execute"
            "System.Threading.Tasks.Task.ExecuteWithThreadLocal", "Task.ExecuteWithThreadLocal"
        ] do
        Assert.Equal(inlined name, blamed sleep [ item ])
        // a call that has frames of its own
        Assert.Equal(
            inlined name,
            blamed
                [
                    framework "System.Threading.Monitor.Wait"
                    framework "System.Threading.SemaphoreSlim.WaitCore"
                ]
                [ item ]
        )

        Assert.Equal(("Orders.load", false), blamed (sleep @ [ own "Shop.Orders.load" 5 ]) [ item ])
        // the framework's own work
        Assert.Equal(
            ("HttpConnection.Fill", false),
            blamed (sleep @ [ framework "System.Net.Http.HttpConnection.Fill" ]) [ item ]
        )

    // code that computes has no frame at all
    let computes =
        Judging.judge { evidence (List.replicate 2 bottom) (ticks 900L 8.0 99.0) with Threads = Map.empty }

    Assert.Equal(Verdict.CpuBound, computes.Verdict)
    Assert.Equal("code inlined into ThreadPoolWorkQueue.Dispatch", computes.Computing.Head.Function)

[<Fact>]
let ``code that was made at run time is nobody's: what has called it is blamed`` () =
    let made = framework "dynamicClass.lambda_method1"

    let blamed (outer: Frame list) =
        let stack =
            framework "System.Threading.Thread.Sleep" :: made :: made :: outer @ bottom

        let blame = (judged [ stack; stack ] (ticks 900L 8.0 2.0)).Blames.Head
        Assert.Equal(BlockKind.Sleep, blame.Kind)
        blame.Function

    let middleware = framework "Microsoft.AspNetCore.Routing.EndpointMiddleware.Invoke"

    let server =
        framework "Microsoft.AspNetCore.Server.Kestrel.Core.HttpProtocol.ProcessRequests"

    Assert.Equal("EndpointMiddleware.Invoke", blamed [ middleware; server ])
    Assert.Equal("Orders.rule", blamed [ middleware; own "Shop.Orders.rule" 5; server ])
    Assert.Equal("dynamicClass.lambda_method1", blamed [])

[<Theory>]
[<InlineData("dynamicClass.lambda_method1", true)>]
[<InlineData("DynamicClass.lambda_method1", true)>]
[<InlineData("Shop.dynamicClass.load", false)>]
let ``a method that was made at run time is told by its name`` (name: string, expected: bool) =
    Assert.Equal(expected, FrameworkModules.isMadeAtRunTime name)

[<Fact>]
let ``stacks are folded from the outermost function inwards, idle ones left out`` () =
    let deep =
        framework "System.Threading.Thread.Sleep"
        :: own "Shop.Orders.inner" 3
        :: own "Shop.Orders.outer" 9
        :: bottom

    let other = own "Shop.Orders.compute" 7 :: own "Shop.Orders.outer" 9 :: bottom

    match (judged [ deep; deep; other; idle ] (ticks 0L 0.0 0.0)).Folded with
    | [ outer ] ->
        Assert.Equal("Orders.outer", outer.Function)
        Assert.Equal(30, outer.Samples)

        Assert.Equal<(string * int * BlockKind option) list>(
            [ "Orders.inner", 20, Some BlockKind.Sleep; "Orders.compute", 10, None ],
            outer.Children |> List.map (fun child -> child.Function, child.Samples, child.Kind)
        )
    | folded -> failwith $"{folded}"

let private kinds =
    Plait.Common.Word.all<BlockKind>() |> List.choose Plait.Common.Word.tryFind<BlockKind>

[<Fact>]
let ``every kind of block has a remedy, and only what the runtime sees is compensated`` () =
    for kind in kinds do
        Assert.NotEqual<string>("", Remedy.ofKind kind)

    Assert.Equal<BlockKind list>(
        [ BlockKind.TaskWait; BlockKind.HttpBody ],
        kinds |> List.filter Remedy.isCompensated
    )

[<Fact>]
let ``counters make suspicious only when work waits longer than a second, twice in a row`` () =
    let waits = reading 100L 10.0 2.0 0
    let flows = reading 100L 1000.0 2.0 0
    Assert.True(Suspicion.isDue [ flows; waits; waits ])
    Assert.False(Suspicion.isDue [ waits; flows ])
    Assert.False(Suspicion.isDue [ waits ])
    Assert.False(Suspicion.isDue [ waits; reading 0L 0.0 2.0 0 ])
    Assert.False(Suspicion.isDue [])
