// Under test: who makes others wait. The holder of a lock or of a mutex outside of the pool or in another process, who has the place of a
// semaphore, the thread that runs a static constructor, and the finalizer thread.
module Plait.Doctor.Tests.Holders

open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.MadeEvidence

let private start = framework "System.Threading.Thread.StartCallback"

let private sleepsOutside =
    [
        framework "System.Threading.Thread.Sleep"
        own "Shop.Prices.fetch" 20
        own "Shop.Prices.refresh" 25
        start
    ]

/// The finalizer thread, before a lock.
let private finalizes =
    [
        framework "System.Threading.Monitor.Enter_Slowpath"
        own "Shop.Handle.close" 40
        own "Shop.Handle.Finalize" 41
        framework "System.GC.RunFinalizers"
    ]

let private holds (thread: int) : HeldLock =
    { IsMutex = false; Name = None; Holder = Holder.Thread thread }

let private judged stacks queue (held: (int * HeldLock) list) =
    Judging.judge { evidence stacks (ticks queue 0.0 2.0) with Held = Map.ofList held }

let private lines (diagnosis: Diagnosis) =
    diagnosis.BlockingLines
    |> List.map (fun blockingLine -> blockingLine.Kind, blockingLine.Function, blockingLine.Workers)

let private text (diagnosis: Diagnosis) =
    DiagnosisText.lines 300 diagnosis |> List.map snd |> String.concat "\n"

[<Fact>]
let ``a thread outside of the pool that holds the lock and is blocked comes first`` () =
    let diagnosis =
        judged [ locked; locked; locked; sleepsOutside ] 900L [ 0, holds 3; 1, holds 3 ]

    Assert.Equal(Verdict.Starved, diagnosis.Verdict)

    Assert.Equal<(BlockKind * string * int) list>(
        [ BlockKind.Sleep, "Prices.fetch", 0; BlockKind.Lock, "Ledger.post", 3 ],
        lines diagnosis
    )

    Assert.Contains(
        "most stand behind thread 3 outside of the pool, which waits in Prices.fetch",
        diagnosis.Why
    )

    Assert.Contains(
        "1  Thread.Sleep in Prices.fetch (Orders.fs:20), on thread 3 outside of the pool",
        text diagnosis
    )

    Assert.Empty(Json.problems (DiagnosisJson.write diagnosis))

[<Fact>]
let ``if workers hold the lock one after the other, the only line in which others are blocked comes first``
    ()
    =
    let inTurns = { IsMutex = false; Name = None; Holder = Holder.Workers }

    let reads =
        framework "System.Threading.Thread.Sleep" :: own "Shop.Ledger.read" 30 :: bottom

    let first stacks held =
        let diagnosis = judged stacks 900L held
        diagnosis.Verdict, diagnosis.BlockingLines.Head.Function

    Assert.Equal((Verdict.Starved, "Ledger.read"), first [ locked; locked; reads ] [ 0, inTurns ])
    // the holder is not known, or may run, or be blocked elsewhere
    Assert.Equal((Verdict.LockConvoy, "Ledger.post"), first [ locked; locked; reads ] [])

    Assert.Equal(
        (Verdict.LockConvoy, "Ledger.post"),
        first [ locked; locked; locked; reads; computing ] [ 0, inTurns ]
    )

    Assert.Equal(
        (Verdict.LockConvoy, "Ledger.post"),
        first [ locked; locked; reads; sleeping ] [ 0, inTurns ]
    )

[<Fact>]
let ``a line of waits for tasks names their async method, if it is one for most of the workers`` () =
    let awaited (methods: (int * string) list) =
        let diagnosis =
            Judging.judge
                { evidence [ taskWait; taskWait; taskWait ] (ticks 900L 0.0 2.0) with
                    Awaited = Map.ofList methods
                }

        Assert.Empty(Json.problems (DiagnosisJson.write diagnosis))
        (List.exactlyOne diagnosis.BlockingLines).Awaited, text diagnosis

    let load, save =
        "Shop.Prices+<Load>d__1.MoveNext", "Shop.Prices+<Save>d__2.MoveNext"

    let method, said = awaited [ 0, load; 1, load ]
    Assert.Equal(Some "Prices.Load", method)
    Assert.Contains("in Accounts.Book (Orders.fs:31), for the task of Prices.Load", said)
    // workers may have gone on before the memory was read
    Assert.Equal(None, fst (awaited [ 0, load ]))
    Assert.Equal(None, fst (awaited [ 0, load; 1, save ]))

[<Fact>]
let ``the async method of a task is that of its state machine, if the program has written it`` () =
    let box (machine: string) =
        $"System.Runtime.CompilerServices.AsyncTaskMethodBuilder<System.Int32>+AsyncStateMachineBox<{machine}>"

    Assert.Equal(Some "Shop.Prices+<Load>d__1.MoveNext", ResumedTasks.methodOf (box "Shop.Prices+<Load>d__1"))
    Assert.Equal(None, ResumedTasks.methodOf (box "System.Net.Http.HttpClient+<Send>d__1"))
    Assert.Equal(None, ResumedTasks.methodOf "System.Threading.Tasks.Task<System.Int32>")

[<Fact>]
let ``a holder outside of the pool that runs makes a convoy, and one of few workers is not the cause`` () =
    let runs = [ own "Shop.Prices.fetch" 20; start ]
    Assert.Equal(Verdict.LockConvoy, (judged [ locked; locked; locked; runs ] 900L [ 0, holds 3 ]).Verdict)

    let mixed =
        judged [ locked; taskWait; taskWait; taskWait; sleepsOutside ] 900L [ 0, holds 4 ]

    Assert.Equal(Verdict.Starved, mixed.Verdict)
    Assert.Equal(BlockKind.TaskWait, mixed.BlockingLines.Head.Kind)
    Assert.DoesNotContain(mixed.BlockingLines, (fun blockingLine -> blockingLine.Outside.IsSome))

[<Fact>]
let ``a worker that waits itself is not the cause: the lock has changed hands since its stack was read`` () =
    let inside =
        framework "System.Threading.Thread.Sleep" :: own "Shop.Ledger.post" 9 :: bottom

    let diagnosis =
        judged [ locked; locked; locked; inside ] 900L [ 0, holds 1; 2, holds 1 ]

    Assert.Equal<(BlockKind * string * int) list>(
        [ BlockKind.Sleep, "Ledger.post", 1; BlockKind.Lock, "Ledger.post", 3 ],
        lines diagnosis
    )

let private runBy (runners: (int * int list) list) stacks =
    Judging.judge { evidence stacks (ticks 900L 0.0 2.0) with Runners = Map.ofList runners }

[<Fact>]
let ``the thread that runs the task for which most workers wait comes first, in the pool and outside of it``
    ()
    =
    let pooled = runBy [ 0, [ 3 ]; 1, [ 3 ] ] [ taskWait; taskWait; taskWait; sleeping ]

    Assert.Equal<(BlockKind * string * int) list>(
        [ BlockKind.Sleep, "Orders.work", 1; BlockKind.TaskWait, "Accounts.Book", 3 ],
        lines pooled
    )

    Assert.Contains("most stand behind one that waits in Orders.work", pooled.Why)

    let outside = runBy [ 0, [ 2 ]; 1, [ 2 ] ] [ taskWait; taskWait; sleepsOutside ]
    Assert.Contains("most stand behind thread 2 outside of the pool", outside.Why)
    Assert.Equal((BlockKind.Sleep, "Prices.fetch", 0), List.head (lines outside))

[<Fact>]
let ``of several threads that fill a scheduler all must be blocked`` () =
    let both = [ 0, [ 3; 4 ]; 1, [ 3; 4 ]; 2, [ 3; 4 ] ]
    let diagnosis = runBy both [ taskWait; taskWait; taskWait; sleeping; sleeping ]
    Assert.Equal((BlockKind.Sleep, "Orders.work", 2), List.head (lines diagnosis))
    let works = runBy both [ taskWait; taskWait; taskWait; sleeping; computing ]
    Assert.Equal((BlockKind.TaskWait, "Accounts.Book", 3), List.head (lines works))

[<Fact>]
let ``no thread is the cause where each worker waits for a task of its own, or for one that no thread runs``
    ()
    =
    let each =
        runBy [ 0, [ 3 ]; 1, [ 4 ]; 2, [ 5 ] ] [ taskWait; taskWait; taskWait; sleeping; sleeping; sleeping ]

    let few =
        runBy [ 0, [ 3 ]; 1, []; 2, [] ] [ taskWait; taskWait; taskWait; sleeping ]

    for diagnosis in [ each; few ] do
        Assert.DoesNotContain("stand behind", diagnosis.Why)
        Assert.Equal(BlockKind.TaskWait, diagnosis.BlockingLines.Head.Kind)

[<Fact>]
let ``the place of a semaphore whose WaitAsync is waited for is its holder's, and comes first`` () =
    let enters =
        { own "Shop.Accounts.Book" 31 with
            Calls = [ "System.Threading.SemaphoreSlim.WaitAsync"; "System.Threading.Tasks.Task.Wait" ]
        }

    let waits = List.takeWhile _.IsFramework taskWait @ enters :: bottom

    let inside =
        framework "System.Threading.Thread.Sleep" :: own "Shop.Accounts.Book" 32 :: bottom

    Assert.Equal<(BlockKind * string * int) list>(
        [ BlockKind.Sleep, "Accounts.Book", 1; BlockKind.TaskWait, "Accounts.Book", 3 ],
        lines (runBy [] [ waits; waits; waits; inside ])
    )

    // its holder waits for a task, too: after the call that has taken the place, in the function or in one that it calls
    let book (line: int) =
        List.takeWhile _.IsFramework taskWait @ own "Shop.Accounts.Book" line :: bottom

    let fetches =
        List.takeWhile _.IsFramework taskWait
        @ own "Shop.Accounts.Fetch" 20 :: own "Shop.Accounts.Book" 32 :: bottom

    let first (holder: Frame list) =
        let line = (runBy [] [ waits; waits; waits; holder ]).BlockingLines.Head
        line.Kind, line.Function, Option.map snd line.Place

    Assert.Equal((BlockKind.TaskWait, "Accounts.Book", Some 32), first (book 32))
    Assert.Equal((BlockKind.TaskWait, "Accounts.Fetch", Some 20), first fetches)
    // one that waits before that call
    Assert.Equal((BlockKind.TaskWait, "Accounts.Book", Some 31), first (book 30))

    // any other task
    Assert.Equal(
        BlockKind.TaskWait,
        (runBy [] [ taskWait; taskWait; taskWait; inside ]).BlockingLines.Head.Kind
    )

[<Fact>]
let ``a wait for finalizers leads to the thread that the finalizer thread waits for`` () =
    let waits =
        framework "System.GC.WaitForPendingFinalizers" :: own "Shop.Cache.clean" 50 :: bottom

    let diagnosis =
        judged [ waits; waits; finalizes; sleepsOutside ] 900L [ 2, holds 3 ]

    Assert.Equal<(BlockKind * string * int) list>(
        [
            BlockKind.Sleep, "Prices.fetch", 0
            BlockKind.Lock, "Handle.close", 0
            BlockKind.Finalizers, "Cache.clean", 2
        ],
        lines diagnosis
    )

    Assert.Contains("wait for a lock in Handle.close (Orders.fs:40), on the finalizer thread", text diagnosis)

/// Waits for an event, or for a mutex, which a stack does not show.
let private handle =
    framework "System.Threading.WaitHandle.WaitOneNoCheck"
    :: own "Shop.Stock.export" 60
    :: bottom

[<Fact>]
let ``the line of a mutex that another process holds has its name, that process and all workers that wait``
    ()
    =
    let mutex: HeldLock =
        { IsMutex = true; Name = Some "shop"; Holder = Holder.Process(77, "orders") }

    let diagnosis = judged [ handle; handle; handle ] 900L [ 1, mutex ]
    Assert.Equal(Verdict.Starved, diagnosis.Verdict)
    Assert.Equal<(BlockKind * string * int) list>([ BlockKind.Mutex, "Stock.export", 3 ], lines diagnosis)
    Assert.EndsWith("most wait for a mutex that process 77 (orders) holds", diagnosis.Why)

    Assert.Contains(
        "wait for a Mutex in Stock.export (Orders.fs:60), 'shop', held by process 77 (orders)",
        text diagnosis
    )

    Assert.Empty(Json.problems (DiagnosisJson.write diagnosis))

    // nothing is known of the lock
    Assert.Equal(BlockKind.WaitHandle, (judged [ handle; handle ] 900L []).BlockingLines.Head.Kind)

[<Fact>]
let ``the output names a mutex whose holder is not known, and a thread that blocks in the mutex's function comes first``
    ()
    =
    let mutex: HeldLock = { IsMutex = true; Name = None; Holder = Holder.Unknown }
    let unknown = judged [ handle; handle; handle ] 900L [ 0, mutex ]
    Assert.Contains("its holder is not known", text unknown)

    // one worker has got it since its stack was read, and stands there without it
    let named = { mutex with Name = Some "shop"; Holder = Holder.Process(77, "orders") }

    Assert.Contains(
        "'shop', held by process 77",
        text (judged [ handle; handle ] 900L [ 0, mutex; 1, named ])
    )

    let sleeps =
        framework "System.Threading.Thread.Sleep" :: own "Shop.Stock.export" 61 :: bottom

    let known = judged [ handle; handle; sleeps ] 900L [ 0, mutex ]
    Assert.DoesNotContain("its holder is not known", text known)

    Assert.Equal<(BlockKind * string * int) list>(
        [ BlockKind.Sleep, "Stock.export", 1; BlockKind.Mutex, "Stock.export", 2 ],
        lines known
    )

[<Fact>]
let ``a thread that blocks with the permit of a semaphore comes before the threads that wait for a permit``
    ()
    =
    let waits =
        framework "System.Threading.Monitor.Wait"
        :: framework "System.Threading.SemaphoreSlim.Wait"
        :: own "Shop.Printer.print" 70
        :: bottom

    let sends =
        framework "System.Net.Http.HttpClient.Send"
        :: own "Shop.Printer.send" 75
        :: own "Shop.Printer.print" 71
        :: bottom

    let blocked (frames: Frame list) =
        frames |> List.insertAt 0 (framework "Interop+Sys.Receive")

    let diagnosis = judged [ waits; waits; waits; blocked sends ] 900L []

    Assert.Equal<(BlockKind * string * int) list>(
        [ BlockKind.Http, "Printer.send", 1; BlockKind.Semaphore, "Printer.print", 3 ],
        lines diagnosis
    )

[<Fact>]
let ``a wait for a static constructor leads to the thread that runs it, in any function`` () =
    let waits =
        framework "System.Runtime.CompilerServices.InitHelpers.InitClassSlow"
        :: own "Shop.Checkout.check" 80
        :: bottom

    let runs =
        framework "System.Threading.Thread.Sleep"
        :: own "Shop.Rules..cctor" 82
        :: framework "System.Runtime.CompilerServices.InitHelpers.InitClassSlow"
        :: own "Shop.Reload.run" 90
        :: [ start ]

    let diagnosis = judged [ waits; waits; runs ] 900L []
    Assert.Equal(Verdict.Starved, diagnosis.Verdict)

    Assert.Equal(
        (BlockKind.Sleep, Some 82),
        (diagnosis.BlockingLines.Head.Kind, Option.map snd diagnosis.BlockingLines.Head.Place)
    )

    Assert.Equal(BlockKind.Initializer, diagnosis.BlockingLines[1].Kind)

[<Fact>]
let ``a finalizer that stands for long hangs, and one that has just begun to wait is named`` () =
    let standing (seconds: float) =
        let context: ThreadContext =
            {
                Context = None
                HasPosted = None
                HasWork = false
                WaitsForSeconds = Some seconds
                Deadlock = None
                IsRead = true
            }

        Judging.judge
            { evidence [ idle; idle; finalizes ] (ticks 0L 0.0 2.0) with
                Contexts = Map [ 2, context ]
            }

    let long = standing 30.0
    Assert.Equal(Verdict.Hung, long.Verdict)
    Assert.StartsWith("the finalizer thread waits for a lock in Handle.close", long.Why)
    Assert.Empty(Json.problems (DiagnosisJson.write long))

    let short = standing 0.5
    Assert.Equal(Verdict.Healthy, short.Verdict)
    Assert.True((List.exactlyOne short.Waiters).IsFinalizer)

/// Waits for a semaphore.
let private atSemaphore =
    framework "System.Threading.Monitor.Wait"
    :: framework "System.Threading.SemaphoreSlim.Wait"
    :: own "Shop.Printer.print" 70
    :: bottom

let private sendsInside =
    framework "Interop+Sys.Receive"
    :: framework "System.Net.Http.HttpClient.Send"
    :: own "Shop.Printer.send" 75
    :: own "Shop.Printer.print" 71
    :: bottom

[<Fact>]
let ``the lock or semaphore that most workers wait for is the cause, and one that few wait for is not`` () =
    let workers (atLock: int) (atSemaphore': int) =
        let stacks =
            List.replicate atLock locked @ List.replicate atSemaphore' atSemaphore @ [ sendsInside ]

        judged stacks 900L []

    let convoy = workers 6 3
    Assert.Equal(Verdict.LockConvoy, convoy.Verdict)
    Assert.Equal((BlockKind.Lock, 6), (convoy.BlockingLines.Head.Kind, convoy.BlockingLines.Head.Workers))

    let starved = workers 3 6
    Assert.Equal(Verdict.Starved, starved.Verdict)
    Assert.Equal(BlockKind.Http, starved.BlockingLines.Head.Kind)

[<Fact>]
let ``the cause of other waits is not the one of a convoy, though half of the workers wait for it`` () =
    let waits =
        framework "System.GC.WaitForPendingFinalizers" :: own "Shop.Cache.clean" 50 :: bottom

    let stacks =
        List.replicate 3 locked @ List.replicate 3 waits @ [ finalizes; sleepsOutside ]

    Assert.Equal(Verdict.LockConvoy, (judged stacks 900L [ 6, holds 7 ]).Verdict)
    // as many, before a lock whose holder is blocked
    Assert.Equal(Verdict.Starved, (judged stacks 900L [ 0, holds 7; 1, holds 7; 2, holds 7 ]).Verdict)

let private initializerWait =
    framework "System.Runtime.CompilerServices.InitHelpers.InitClassSlow"
    :: own "Shop.Checkout.check" 80
    :: bottom

[<Fact>]
let ``a worker that holds the lock while it waits for anything but a lock is the cause`` () =
    for kind, stack in
        [
            BlockKind.Semaphore, atSemaphore
            BlockKind.WaitHandle, handle
            BlockKind.Initializer, initializerWait
        ] do
        let diagnosis = judged [ locked; locked; locked; stack ] 900L [ 0, holds 3 ]
        Assert.Equal(Verdict.Starved, diagnosis.Verdict)
        Assert.Equal(kind, diagnosis.BlockingLines.Head.Kind)

    // it stands at a lock by now: that may be the same one
    let changed = judged [ locked; locked; locked; locked ] 900L [ 0, holds 3 ]
    Assert.Equal(Verdict.LockConvoy, changed.Verdict)

[<Fact>]
let ``most wait for the mutex of another process only if at least half of the workers do`` () =
    let mutex: HeldLock =
        { IsMutex = true; Name = Some "shop"; Holder = Holder.Process(77, "orders") }

    let diagnosis =
        judged [ handle; handle; sleeping; taskWait; atSemaphore ] 900L [ 0, mutex; 1, mutex ]

    Assert.Equal(BlockKind.Mutex, diagnosis.BlockingLines.Head.Kind)
    Assert.DoesNotContain("most wait for a mutex", diagnosis.Why)

[<Fact>]
let ``JSON has heldBy only for a holder that is known`` () =
    let heldBy (holder: Holder) =
        let mutex: HeldLock = { IsMutex = true; Name = Some "shop"; Holder = holder }
        DiagnosisJson.write(judged [ handle; handle ] 900L [ 0, mutex; 1, mutex ]).Contains "\"heldBy\""

    Assert.True(heldBy (Holder.Process(77, "orders")))
    Assert.False(heldBy Holder.Unknown)

[<Fact>]
let ``every thread that ran a static constructor in the look may end the wait for it`` () =
    let runs = own "Shop.Rules..cctor" 82 :: own "Shop.Reload.run" 90 :: [ start ]

    Assert.Equal<int list>(
        [ 1; 2 ],
        StackWaits.initializing
            [
                sample 1 0 runs
                sample 1 1 runs
                // it began, or ended, meanwhile
                sample 2 0 runs
                sample 2 1 [ own "Shop.Reload.run" 90; start ]
                sample 3 0 initializerWait
            ]
    )

let private maps =
    "7f2b7541e000-7f2b7541f000 rw-s 00000000 fe:00 836305                     /tmp/.dotnet/shm/session19556/shop\n"
    + "7f2b75420000-7f2b75421000 r--p 00000000 fe:00 836306                     /usr/share/dotnet/shm/other.dll\n"
    + "7ffd1000-7ffd2000 rw-p 00000000 00:00 0                                  [stack]\n"

[<Fact>]
let ``a named mutex is found by the address at which its waiter stands in the kernel`` () =
    let waitedFor (call: string) =
        NamedMutexes.waitedFor (NamedMutexes.mapped maps) call
        |> Option.map (fun (address, file) -> address, file.Name)

    Assert.Equal(
        Some(0x7f2b7541e008UL, "shop"),
        waitedFor "202 0x7f2b7541e008 0x189 0x80004c0d 0x0 0x0 0xffffffff 0x7f2ae8 0x7f2b77"
    )

    // outside of the file, in another file, and a thread that runs
    for call in [ "202 0x7f2b7541f000 0x189"; "202 0x7f2b75420008 0x189"; "running"; "" ] do
        Assert.Equal(None, waitedFor call)

/// Threads of made processes, each with its process and its numbers in the namespaces; process 77 maps the file of `maps`, 78 another one.
let private numbering (threads: (int * int * string) list) : NamedMutexes.ProcLookup =
    {
        Status =
            fun thread ->
                threads
                |> List.tryPick (fun (number, leader, numbers) ->
                    if number = thread then
                        Some(ProcFiles.parseStatus $"State:\tS\nTgid:\t{leader}\nNSpid:\t{numbers}\n")
                    else
                        None)
        Tasks =
            fun pid ->
                [
                    for number, leader, _ in threads do
                        if leader = pid then
                            number
                ]
        Files = fun pid -> NamedMutexes.mapped (if pid = 78 then maps.Replace("836305", "836399") else maps)
        Name = fun pid -> $"process {pid}"
    }

let private holder threads owner =
    NamedMutexes.holder (numbering threads) 50 (NamedMutexes.mapped maps).Head owner

[<Fact>]
let ``the number in a mutex is one of the target's namespace, and another process must map the same file``
    ()
    =
    let inOurs =
        [ 50, 50, "50"; 51, 50, "51"; 77, 77, "77"; 79, 77, "79"; 78, 78, "78"; 90, 90, "90\t5" ]

    for owner, expected in
        [
            0, Holder.Unknown
            51, Holder.Thread 51
            79, Holder.Process(77, "process 77")
            // the file of another mutex
            78, Holder.Unknown
            // in a container, where it has another number
            90, Holder.Unknown
            // ended
            99, Holder.Unknown
        ] do
        Assert.Equal(expected, holder inOurs owner)

    // the target is in a container: 7 is its thread 51, and 77 no process of ours
    let inContainer = [ 50, 50, "50\t1"; 51, 50, "51\t7"; 7, 7, "7"; 77, 77, "77" ]
    Assert.Equal(Holder.Thread 51, holder inContainer 7)
    Assert.Equal(Holder.Unknown, holder inContainer 77)

/// Two workers that take turns: one is blocked with a lock, and the other waits for it.
let private turns (held: Frame list) (waiting: Frame list) (queue: int64) =
    let evidence = evidence [] (ticks queue 20.0 4.0)

    Judging.judge
        { evidence with
            Samples =
                [
                    for at in 0..19 do
                        let first, second = if at / 5 % 2 = 0 then held, waiting else waiting, held
                        // each has one of the two stacks in 11 of 20 samples
                        sample 0 at (if at = 19 then held else first)
                        sample 1 at (if at = 19 then waiting else second)
                        sample 2 at idle
                ]
        }

[<Fact>]
let ``of two workers, the one that is blocked in the lock is the cause, in the function itself or in one that it called``
    ()
    =
    let book = own "Shop.TryEnters.Book" 99
    let waits = framework "System.Threading.Monitor.TryEnter_Slowpath" :: book :: bottom
    let sleep = framework "System.Threading.Thread.Sleep"

    for held in [ sleep :: book :: bottom; sleep :: own "Shop.TryEnters.Load" 98 :: book :: bottom ] do
        let diagnosis = turns held waits 500L
        Assert.Equal(Verdict.Starved, diagnosis.Verdict)

        Assert.Equal<BlockKind list>(
            [ BlockKind.Sleep; BlockKind.Lock ],
            diagnosis.BlockingLines |> List.map _.Kind
        )

    // one that is blocked elsewhere does not have the lock
    let elsewhere = turns sleeping waits 500L
    Assert.Equal(Verdict.LockConvoy, elsewhere.Verdict)
    // two that are blocked do not have one lock: they block before they take it
    let before =
        Judging.judge (
            evidence [ waits; waits; sleep :: book :: bottom; sleep :: book :: bottom ] (ticks 500L 20.0 4.0)
        )

    Assert.Equal(Verdict.LockConvoy, before.Verdict)
    // a thread outside of the pool has the lock and runs: the one that is blocked has not taken it yet
    let stacks =
        [ waits; sleep :: book :: bottom; [ own "Shop.Prices.fetch" 20; start ] ]

    Assert.Equal(Verdict.LockConvoy, (judged stacks 500L [ 0, holds 2 ]).Verdict)
    Assert.Equal(Verdict.Starved, (judged stacks 500L [ 0, holds 1 ]).Verdict)

[<Fact>]
let ``a healthy pool in which nothing ends names an agent that waits for a reply`` () =
    let reply =
        framework "Microsoft.FSharp.Control.FSharpMailboxProcessor`1.PostAndReply"
        :: own "Shop.Stock.reserve" 9
        :: bottom

    let waits = framework "System.Threading.Monitor.Wait" :: reply
    let diagnosis = Judging.judge (evidence [ waits; idle ] (ticks 0L 0.0 2.0))
    Assert.Equal(Verdict.Healthy, diagnosis.Verdict)

    Assert.Contains(
        "unless it is meant to wait in Stock.reserve, as a consumer without work is, it hangs there",
        diagnosis.Why
    )
