// Under test: what a stack says of its thread, with what the operating system says of it.
module Plait.Doctor.Tests.States

open System
open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.MadeEvidence

let private blocked kind = WorkerState.Blocked kind

let states: TheoryData<string, Frame list, WorkerState> =
    let data = TheoryData<string, Frame list, WorkerState>()
    let add name frames state = data.Add(name, frames, state)
    add "idle" idle WorkerState.Idle

    add
        "between two items"
        [ framework "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart" ]
        WorkerState.Idle

    add
        "about to take its first item"
        (framework "System.Threading.ThreadPoolWorkQueueThreadLocals..ctor"
         :: framework "System.Threading.ThreadPoolWorkQueue.GetOrCreateThreadLocals"
         :: bottom)
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
        "at the next item of an asynchronous stream"
        (waiting
            [ "System.Threading.Tasks.TaskAsyncEnumerableExtensions+<ToBlockingEnumerable>d__3`1.MoveNext" ])
        (blocked BlockKind.TaskWait)

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

    add
        "before a SpinLock"
        (framework "System.Threading.Thread.Sleep"
         :: framework "System.Threading.SpinWait.SpinOnceCore"
         :: framework "System.Threading.SpinLock.ContinueTryEnter"
         :: own "Shop.Stock.take" 7
         :: bottom)
        (blocked BlockKind.SpinLock)

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

    let waiting = "System.Threading.Monitor.Wait"
    let task = "System.Threading.Tasks.Task.SpinThenBlockingWait"

    for loop in
        [
            "System.Threading.Tasks.TaskReplicator.Run", "System.Threading.Tasks.Parallel.ForWorker"
            "System.Linq.Parallel.QueryTaskGroupState.QueryEnd", "System.Linq.ParallelEnumerable.ToList"
        ] do
        add
            $"the caller of {snd loop}"
            (through [ waiting; task; fst loop; snd loop ] (snd loop))
            (blocked BlockKind.ParallelLoop)

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

[<Theory; MemberData(nameof states)>]
let ``the innermost frames decide between blocked, running and idle``
    (_: string, frames: Frame list, state: WorkerState)
    =
    Assert.Equal(state, WorkerStates.state None (sample 1 0 frames))

/// The JIT has put the framework's frames into the user's.
let private hidden (calls: string list) : Sample =
    { sample 1 0 ({ own "Shop.Exports.export" 16 with Calls = calls } :: bottom) with
        IsManaged = false
    }

[<Fact>]
let ``a call without a frame is found by the wait of the operating system and the statement of the line`` () =
    let join = hidden [ "System.String.Concat"; "System.Threading.Thread.Join" ]
    Assert.Equal(blocked BlockKind.Join, WorkerStates.state (Some 1.0) join)
    Assert.Equal(blocked BlockKind.Other, WorkerStates.state (Some 1.0) (hidden []))
    // a saved trace says nothing of the operating system: native code below a call that blocks is taken for waiting
    Assert.Equal(blocked BlockKind.Join, WorkerStates.state None join)
    Assert.Equal(WorkerState.Running, WorkerStates.state None (hidden []))

/// Workers that take a lock in turns: the one that has it now waited for it at nearly all other moments.
[<Fact>]
let ``a thread in code of the program works, although it waited at the moments around that`` () =
    let holder = sample 1 0 computing
    Assert.Equal(WorkerState.Running, WorkerStates.state (Some 1.0) holder)
    Assert.Equal(blocked BlockKind.Other, WorkerStates.state (Some 1.0) { holder with IsManaged = false })

[<Fact>]
let ``a thread that takes processor time is never called blocked, with any stack`` () =
    Assert.Equal(
        WorkerState.Running,
        WorkerStates.state (Some 0.1) (hidden [ "System.Threading.Thread.Join" ])
    )

    Assert.Equal(WorkerState.Running, WorkerStates.state (Some 0.1) (sample 1 0 sleeping))

    // a SpinLock is no monitor: who waits for it uses a processor most of the time
    let spins =
        framework "System.Threading.SpinWait.SpinOnceCore"
        :: framework "System.Threading.SpinLock.ContinueTryEnter"
        :: own "Shop.Stock.take" 7
        :: bottom

    Assert.Equal(WorkerState.Running, WorkerStates.state (Some 0.1) (sample 1 0 spins))
    Assert.Equal(blocked BlockKind.SpinLock, WorkerStates.state (Some 0.95) (sample 1 0 spins))
    Assert.Equal(None, StackWaits.kind spins)
    // a file may be read from memory
    let reading =
        framework "Interop+Sys.<Read>g____PInvoke|1_0"
        :: framework "System.IO.RandomAccess.ReadAtOffset"
        :: own "Shop.Orders.load" 7
        :: bottom

    Assert.Equal(WorkerState.Running, WorkerStates.state (Some 0.1) (sample 1 0 reading))
    Assert.Equal(blocked BlockKind.File, WorkerStates.state (Some 0.95) (sample 1 0 reading))
    // neither here nor there: its stack decides
    Assert.Equal(blocked BlockKind.Sleep, WorkerStates.state (Some 0.7) (sample 1 0 sleeping))
    Assert.Equal(WorkerState.Running, WorkerStates.state (Some 0.7) (sample 1 0 computing))

[<Fact>]
let ``a call that only waits is blocked with any native frame on top, also while it spins or was just woken``
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
                        WorkerStates.state share { sample 1 0 stack with IsManaged = isManaged }
                    )

    // what a wait for a task runs itself is work
    let inlined (inner: Frame) =
        inner
        :: framework "System.Threading.Tasks.Task.InnerInvoke"
        :: within [] "System.Threading.Tasks.Task.InternalWaitCore"

    let running (inner: Frame) (share: float option) =
        Assert.Equal(WorkerState.Running, WorkerStates.state share (sample 1 0 (inlined inner)))

    running (own "Shop.Orders.sum" 3) (Some 0.0)
    // whoever has written it
    running (framework "System.Text.Json.JsonSerializer.Serialize") (Some 0.0)
    running (framework "System.Text.Json.JsonSerializer.Serialize") None
    // and where that waits, it is judged like any other: a sleep may be a loop that waits busily
    running (framework "System.Threading.Thread.Sleep") (Some 0.1)

    Assert.Equal(
        blocked BlockKind.Sleep,
        WorkerStates.state (Some 0.7) (sample 1 0 (inlined (framework "System.Threading.Thread.Sleep")))
    )

    Assert.Equal(
        blocked BlockKind.WaitHandle,
        WorkerStates.state (Some 0.1) (sample 1 0 (inlined (framework "System.Threading.WaitHandle.WaitOne")))
    )

[<Fact>]
let ``of the extensions of asynchronous streams only those that block are waits for tasks`` () =
    let kind (name: string) =
        BlockingCalls.ofCall $"System.Threading.Tasks.TaskAsyncEnumerableExtensions{name}"

    Assert.Equal(Some BlockKind.TaskWait, kind ".ToBlockingEnumerable")
    Assert.Equal(Some BlockKind.TaskWait, kind "+<ToBlockingEnumerable>d__3`1.MoveNext")
    Assert.Equal(None, kind ".WithCancellation")
    Assert.Equal(None, kind ".ConfigureAwait")

/// A parallel loop with these frames within, called by this statement of the program.
let private inLoop (inner: string list) (statement: string) =
    [
        for name in inner do
            framework name
        framework "System.Threading.Tasks.Parallel.For"
        { own "Shop.Meters.read" 4 with Calls = [ statement ] }
        yield! bottom
    ]
    |> sample 1 0
    |> WorkerStates.state None

/// The frames of a loop whose part runs on its caller.
let private part =
    [
        "System.Threading.Tasks.Parallel+<>c__DisplayClass19_0`2.<ForWorker>b__1"
        "System.Threading.Tasks.TaskReplicator+Replica.Execute"
        "System.Threading.ExecutionContext.RunInternal"
        "System.Threading.Tasks.Task.ExecuteWithThreadLocal"
        "System.Threading.Tasks.TaskReplicator.Run"
    ]

let private taskWaits =
    [ "System.Threading.Monitor.Wait"; "System.Threading.Tasks.Task.SpinThenBlockingWait" ]

[<Theory>]
[<InlineData "System.Threading.Tasks.Parallel.For">]
[<InlineData "Microsoft.FSharp.Collections.ArrayModule+Parallel.Map">]
let ``a wait in an item of a parallel loop is the item's own, even if the item's frame is not on the stack``
    (statement: string)
    =
    let sleep = "System.Threading.Thread.Sleep"
    Assert.Equal(blocked BlockKind.Sleep, inLoop (sleep :: part) statement)
    Assert.Equal(blocked BlockKind.TaskWait, inLoop (taskWaits @ part) statement)
    // parts of a query are no tasks of the loop's own
    let query = "System.Linq.Parallel.ForAllOperator`1+ForAllEnumerator`1.MoveNext"
    Assert.Equal(blocked BlockKind.Sleep, inLoop [ sleep; query ] statement)

    // the loop waits for its parts, or spins until it does
    let wait = taskWaits @ [ "System.Threading.Tasks.TaskReplicator.Run" ]
    Assert.Equal(blocked BlockKind.ParallelLoop, inLoop wait statement)

    let events =
        [ "System.Threading.Monitor.Wait"; "System.Threading.ManualResetEventSlim.Wait" ]

    Assert.Equal(
        blocked BlockKind.ParallelLoop,
        inLoop (events @ [ "System.Linq.Parallel.AsynchronousChannel`1.WaitUntilNonFull" ]) statement
    )

[<Fact>]
let ``the code of an item that computes is running, also where its frame is not on the stack`` () =
    let stack =
        (framework "System.Text.Json.JsonSerializer.Serialize" :: List.map framework part)
        @ own "Shop.Meters.read" 4 :: bottom

    Assert.Equal(WorkerState.Running, WorkerStates.state None { sample 1 0 stack with IsManaged = false })

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
                WorkerStates.state share { sample 1 0 stack with IsManaged = isManaged }
            )

    match WorkerStates.state (Some 1.0) (sample 1 0 stack) with
    | WorkerState.Blocked _ -> ()
    | state -> failwith $"{state}"

/// Moments at which two threads were looked at, a second apart: the one waited at all of them, the other at every other one.
let private moments: ThreadStates.StateReading list =
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
let ``samples during a stop of the collector do not count`` () =
    let waiting = ThreadStates.waiting (stoppedFor 4) moments
    Assert.Equal(1.0, waiting["waits"])
    Assert.Equal(0.5, waiting["works"])

[<Fact>]
let ``a thread with most samples during stops of the collector is unknown`` () =
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

    Assert.Equal(blocked BlockKind.Collection, WorkerStates.state None (sample 1 0 inner))

/// Calls a static constructor, or waits until another thread has run it.
let private initializes =
    framework "System.Runtime.CompilerServices.InitHelpers.InitClassSlow"

[<Fact>]
let ``a thread that runs a static constructor of the framework does not wait for one`` () =
    let constructs = framework "System.Text.Encodings..cctor"
    let below = [ initializes; own "Shop.Orders.load" 7; yield! bottom ]

    let work =
        framework "System.Collections.Generic.Dictionary`2.Add" :: constructs :: below

    for share in [ None; Some 0.0; Some 0.7 ] do
        Assert.Equal(WorkerState.Running, WorkerStates.state share (sample 1 0 work))

    Assert.Equal(None, StackWaits.kind work)

    // it waits inside of it
    let atLock =
        framework "System.Threading.Monitor.Enter_Slowpath" :: constructs :: below

    Assert.Equal(blocked BlockKind.Lock, WorkerStates.state None (sample 1 0 atLock))
    Assert.Equal(Some BlockKind.Lock, StackWaits.kind atLock)

    // for the constructor of another class, as a thread that runs none
    for waits in [ below; initializes :: constructs :: below ] do
        Assert.Equal(blocked BlockKind.Initializer, WorkerStates.state (Some 0.0) (sample 1 0 waits))
        Assert.Equal(Some BlockKind.Initializer, StackWaits.kind waits)

/// What a thread does before a lock, innermost first, the call in its statement, and whether it may give up.
let locks: TheoryData<string list, string list, bool> =
    let data = TheoryData<string list, string list, bool>()
    let add (inner: string list) (statement: string list) gives = data.Add(inner, statement, gives)

    let monitor, readers, lock' =
        "System.Threading.Monitor", "System.Threading.ReaderWriterLockSlim", "System.Threading.Lock"

    add [ $"{monitor}.TryEnter_Timeout_Slowpath"; $"{monitor}.TryEnter" ] [ $"{monitor}.TryEnter" ] true
    add [ $"{monitor}.<TryEnter>g__Slow|1_0" ] [ $"{monitor}.TryEnter" ] true
    add [ $"{readers}.WaitOnEvent"; $"{readers}.TryEnterReadLockCore" ] [ $"{readers}.TryEnterReadLock" ] true
    // no frame says which
    add [ $"{readers}.WaitOnEvent" ] [] true
    add [] [ $"{lock'}.TryEnter" ] true
    add [ $"{monitor}.Enter_Slowpath" ] [ $"{monitor}.Enter" ] false
    add [ $"{monitor}.Enter_Slowpath" ] [] false
    add [] [ $"{monitor}.Enter" ] false
    add [ $"{lock'}.TryEnterSlow"; $"{lock'}.Enter" ] [] false
    add [ $"{lock'}.TryEnterSlow" ] [ $"{lock'}.EnterScope" ] false

    add
        [ $"{readers}.TryEnterWriteLockCore"; $"{readers}.TryEnterWriteLock" ]
        [ $"{readers}.EnterWriteLock" ]
        false

    add [ $"{readers}.TryEnterReadLock"; $"{readers}.EnterReadLock" ] [] false
    data

[<Theory; MemberData(nameof locks)>]
let ``a thread that may give up before a lock is no part of a deadlock``
    (inner: string list, statement: string list, gives: bool)
    =
    let stack =
        [
            for name in inner do
                framework name
            { own "Shop.Ledger.post" 8 with Calls = statement }
            yield! bottom
        ]

    Assert.Equal(Some BlockKind.Lock, StackWaits.kind stack)
    Assert.Equal(gives, StackWaits.mayGiveUp stack)
