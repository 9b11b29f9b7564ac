// Under test: threads that wait for others, outside of the pool or for ever: who is named, and who is hung.
module Plait.Doctor.Tests.Waiters

open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.MadeEvidence

/// A thread outside of the pool that waits for a task.
let private waitsOutside (outer: Frame list) =
    framework "System.Threading.Monitor.Wait"
    :: framework "System.Threading.Tasks.Task.SpinThenBlockingWait"
    :: framework "System.Threading.Tasks.Task`1.GetResultCore"
    :: outer
    @ [ framework "System.Threading.Thread.StartCallback" ]

/// A context with work that waits for its thread.
let private posted =
    {
        Context = Some "C"
        HasPosted = Some true
        HasWork = true
        WaitsForSeconds = None
        Deadlock = None
        IsRead = true
    }

let private outside (outer: Frame list) (contexts: (int * ThreadContext) list) : Diagnosis =
    Judging.judge
        { evidence [ waitsOutside outer; idle ] (ticks 0L 8.0 2.0) with
            Contexts = Map.ofList contexts
        }

[<Fact>]
let ``the main thread is the one with the number that the process has in its own namespace`` () =
    let names (mainThread: int) (pid: int) =
        let made =
            evidence [ waitsOutside [ own "Shop.Window.clicked" 31 ]; idle ] (ticks 0L 8.0 2.0)

        Judging.judge
            { made with
                Process = { made.Process with Pid = pid }
                MainThread = mainThread
                Contexts = Map [ 0, posted ]
            }
        |> _.Waiters
        |> List.map (fun waiter -> waiter.Thread, waiter.IsMain)

    // seen from outside of its container
    Assert.Equal<(int * bool) list>([ 0, true ], names 0 4711)
    Assert.Equal<(int * bool) list>([ 0, false ], names 1 0)

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
            IsRead = true
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
let ``the reason of the verdict names posted work that may wait`` () =
    let context posted =
        {
            Context = Some "Shop.WindowContext"
            HasPosted = posted
            HasWork = false
            WaitsForSeconds = None
            Deadlock = None
            IsRead = true
        }

    let why posted =
        (outside [ own "Shop.Window.clicked" 31 ] [ 0, context posted ]).Why

    Assert.EndsWith("in Window.clicked, and work that was posted to it may wait", why None)

    Assert.EndsWith("in Window.clicked", why (Some false))

[<Fact>]
let ``a main that runs a server, and the compiler's code around an async main, wait by design`` () =
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
let ``a thread that waits for a task of a server's libraries may hang`` () =
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
            let diagnosis = outside outer [ 0, posted ]
            Assert.Equal(Verdict.Hung, diagnosis.Verdict)
            Assert.Equal("Startup.seed", (List.exactlyOne diagnosis.Waiters).Function)

[<Fact>]
let ``a starving pool has the verdict STARVED, also while a thread outside hangs`` () =
    let diagnosis =
        Judging.judge
            { evidence
                  (waitsOutside [ own "Shop.Window.clicked" 31 ] :: List.replicate 4 sleeping)
                  (ticks 900L 8.0 2.0) with
                Contexts = Map [ 0, posted ]
            }

    Assert.Equal(Verdict.Starved, diagnosis.Verdict)
    Assert.True diagnosis.Waiters.Head.IsHung

/// A worker that waits for a task which another one, or itself, holds up for ever.
let private heldUp (what: WaitObject) (by: int list) : ThreadContext =
    {
        Context = None
        HasPosted = None
        HasWork = false
        WaitsForSeconds = Some 3.0
        Deadlock = Some { WaitsFor = what; BlockedBy = by }
        IsRead = true
    }

[<Fact>]
let ``a worker that can never go on is hung, and the reason names the object that holds it up`` () =
    let judged stacks contexts =
        Judging.judge { evidence stacks (ticks 0L 0.0 2.0) with Contexts = Map.ofList contexts }

    // without that it may be meant to wait
    let may = judged [ taskWait; idle ] []
    Assert.Equal(Verdict.Healthy, may.Verdict)
    Assert.Empty may.Waiters

    Assert.Contains(
        "unless it is meant to wait in Accounts.Book, as a consumer without work is, it hangs there",
        may.Why
    )

    // two that took two semaphores in opposite order: nobody owns a semaphore
    let takes =
        framework "System.Threading.Monitor.Wait"
        :: framework "System.Threading.SemaphoreSlim.Wait"
        :: own "Shop.Stock.move" 12
        :: bottom

    let both = judged [ takes; takes; idle ] []
    Assert.Equal(Verdict.Healthy, both.Verdict)
    Assert.Contains("unless it is meant to wait in Stock.move, as a consumer without work is", both.Why)

    let pair = "System.Threading.Tasks.ConcurrentExclusiveSchedulerPair"

    for what, by, says in
        [
            WaitObject.Scheduler pair, [ 0 ], $"waits in {pair} for this thread to be done: neither goes on"
            WaitObject.Scheduler pair, [ 1; 7 ], $"waits in {pair}, which threads 1, 7 will not leave"
            WaitObject.Task, [ 0 ], "for the task that it runs itself: it never goes on"
            WaitObject.Task, [ 1 ], "for a task of thread 1, which waits as well"
            WaitObject.Lock(Some "Shop.Ledger"), [ 1 ], "for a lock on Shop.Ledger that thread 1 holds"
            WaitObject.Lock None, [ 1 ], "for a lock that thread 1 holds, which waits as well"
            WaitObject.AbandonedLock(Some "Shop.Till"),
            [],
            "for a lock on Shop.Till whose holder has ended without releasing it: it never goes on"
            WaitObject.Lock None, [ 1; 7 ], "for a lock that threads 1, 7 hold, which wait as well"
        ] do
        let diagnosis = judged [ taskWait; idle ] [ 0, heldUp what by ]
        Assert.Equal(Verdict.Hung, diagnosis.Verdict)
        Assert.StartsWith("worker 0 of the pool waits", diagnosis.Why)
        Assert.Contains(says, diagnosis.Why)
        let waiter = List.exactlyOne diagnosis.Waiters
        Assert.True(waiter.IsHung && waiter.IsWorker)
        Assert.Equal(Some("Orders.fs", 31), waiter.Place)

[<Fact>]
let ``workers at locks that hold each other up are a deadlock`` () =
    let diagnosis =
        Judging.judge
            { evidence [ locked; locked; locked ] (ticks 900L 0.0 2.0) with
                Contexts =
                    Map [ 0, heldUp (WaitObject.Lock None) [ 1 ]; 1, heldUp (WaitObject.Lock None) [ 0 ] ]
            }

    Assert.Equal(Verdict.LockConvoy, diagnosis.Verdict)
    Assert.Contains("it is a deadlock", diagnosis.Why)
    Assert.Equal(2, diagnosis.Waiters.Length)
    // it does not help to hold a lock for less
    let remedy (diagnosis: Diagnosis) =
        (List.exactlyOne diagnosis.BlockingLines).Remedy

    Assert.StartsWith("take locks in the same order everywhere", remedy diagnosis)

    let abandoned =
        Judging.judge
            { evidence [ locked; locked ] (ticks 900L 0.0 2.0) with
                Contexts = Map [ 0, heldUp (WaitObject.AbandonedLock None) [] ]
            }

    Assert.StartsWith("release a lock in a finally", remedy abandoned)
    let convoy = judged [ locked; locked ] (ticks 900L 0.0 2.0)
    Assert.StartsWith("hold the lock for less", remedy convoy)

[<Fact>]
let ``threads outside of the pool that wait at one source line share a line of the report; threads of the framework have none``
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
