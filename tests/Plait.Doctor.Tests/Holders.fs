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
    diagnosis.Blames |> List.map (fun blame -> blame.Kind, blame.Function, blame.Workers)

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
let ``a holder outside of the pool that runs makes a convoy, and one of few workers is not the cause`` () =
    let runs = [ own "Shop.Prices.fetch" 20; start ]
    Assert.Equal(Verdict.LockConvoy, (judged [ locked; locked; locked; runs ] 900L [ 0, holds 3 ]).Verdict)

    let mixed =
        judged [ locked; taskWait; taskWait; taskWait; sleepsOutside ] 900L [ 0, holds 4 ]

    Assert.Equal(Verdict.Starved, mixed.Verdict)
    Assert.Equal(BlockKind.TaskWait, mixed.Blames.Head.Kind)
    Assert.DoesNotContain(mixed.Blames, (fun blame -> blame.Outside.IsSome))

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

[<Fact>]
let ``who waits for finalizers waits for whom their thread waits for`` () =
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
let ``a mutex that another process holds is told with its name and that process, in all workers of its line``
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
    Assert.Equal(BlockKind.WaitHandle, (judged [ handle; handle ] 900L []).Blames.Head.Kind)

[<Fact>]
let ``of a mutex without a known holder the output says so, and who holds it in its own function comes first``
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
let ``who is blocked with the place of a semaphore comes before those that wait for it`` () =
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
let ``who waits for a static constructor waits for the thread that runs it, wherever that stands`` () =
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
        (diagnosis.Blames.Head.Kind, Option.map snd diagnosis.Blames.Head.Place)
    )

    Assert.Equal(BlockKind.Initializer, diagnosis.Blames[1].Kind)

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

[<Fact>]
let ``a named mutex is found by the address at which its waiter stands in the kernel`` () =
    let maps =
        "7f2b7541e000-7f2b7541f000 rw-s 00000000 fe:00 836305                     /tmp/.dotnet/shm/session19556/shop\n"
        + "7f2b75420000-7f2b75421000 r--p 00000000 fe:00 836306                     /usr/share/dotnet/shm/other.dll\n"
        + "7ffd1000-7ffd2000 rw-p 00000000 00:00 0                                  [stack]\n"

    Assert.Equal(
        Some(0x7f2b7541e008UL, "shop"),
        NamedMutexes.waitedFor maps "202 0x7f2b7541e008 0x189 0x80004c0d 0x0 0x0 0xffffffff 0x7f2ae8 0x7f2b77"
    )

    // outside of the file, in another file, and a thread that runs
    for call in [ "202 0x7f2b7541f000 0x189"; "202 0x7f2b75420008 0x189"; "running"; "" ] do
        Assert.Equal(None, NamedMutexes.waitedFor maps call)
