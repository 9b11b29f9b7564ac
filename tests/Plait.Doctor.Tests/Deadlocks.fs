// Under test: threads that can never go on, of the pool too: which of those that wait are stuck, what the doctor says of them with what
// line, by both ways into a process; and that workers which are meant to wait are not called hung.
module Plait.Doctor.Tests.Deadlocks

open System
open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.MadeEvidence

let private waits (edges: (int * int list) list) =
    Map.ofList [ for thread, by in edges -> thread, { WaitsFor = WaitObject.Task; BlockedBy = by } ]

let private stuck edges =
    Deadlocks.stuck (waits edges) |> Map.toList |> List.map fst

[<Fact>]
let ``threads that wait for one another are stuck, and so are the threads that wait for them`` () =
    // for itself, for each other, in a ring
    Assert.Equal<int list>([ 1 ], stuck [ 1, [ 1 ] ])
    Assert.Equal<int list>([ 1; 2 ], stuck [ 1, [ 2 ]; 2, [ 1 ] ])
    Assert.Equal<int list>([ 1; 2; 3; 4 ], stuck [ 1, [ 2 ]; 2, [ 3 ]; 3, [ 1 ]; 4, [ 3 ] ])
    // for one that runs, or waits for something else
    Assert.Empty(stuck [ 1, [ 2 ]; 3, [ 1 ] ])
    // any of several may end it
    Assert.Empty(stuck [ 1, [ 1; 2 ] ])
    Assert.Equal<int list>([ 1; 2 ], stuck [ 1, [ 1; 2 ]; 2, [ 1 ] ])
    // for nobody who is known
    Assert.Empty(stuck [ 1, [] ])

[<Fact>]
let ``a thread at one of several locks is stuck only if all their holders are`` () =
    let behind (held: (string option * int) list) =
        held |> List.map (fun (object, holder) -> object, Some holder) |> LockHolders.behindAny

    let before held = Option.get (behind held)

    let account, ledger = Some "Shop.Account", Some "Shop.Ledger"

    let isStuck (held: (string option * int) list) =
        // thread 2 waits for 1, thread 3 runs
        Deadlocks.stuck (Map [ 1, before held; 2, before [ account, 1 ] ]) |> Map.containsKey 1

    Assert.True(isStuck [ account, 2 ])
    Assert.True(isStuck [ account, 2; ledger, 2 ])
    // whichever stands first on its stack
    Assert.False(isStuck [ account, 2; ledger, 3 ])
    Assert.False(isStuck [ ledger, 3; account, 2 ])
    Assert.Equal(None, LockHolders.behindAny [])
    // its object has a name where there is no doubt which it is
    Assert.Equal(WaitObject.Lock account, (before [ account, 2; account, 4 ]).WaitsFor)
    Assert.Equal(WaitObject.Lock None, (before [ account, 2; ledger, 4 ]).WaitsFor)
    Assert.Equal<int list>([ 2; 4 ], (before [ account, 2; ledger, 4; None, 2 ]).BlockedBy)

[<Fact>]
let ``a thread at a lock whose holder has ended is stuck, unless it may wait for another lock`` () =
    let account, ledger = Some "Shop.Account", Some "Shop.Ledger"
    let before (held: (string option * int option) list) = Option.get (LockHolders.behindAny held)
    let abandoned = before [ account, None ]
    Assert.Equal({ WaitsFor = WaitObject.AbandonedLock account; BlockedBy = [] }, abandoned)
    Assert.Equal(WaitObject.AbandonedLock None, (before [ account, None; ledger, None ]).WaitsFor)

    let stuck (waits: Map<int, Deadlock>) =
        Deadlocks.stuck waits |> Map.toList |> List.map fst

    // and so are the threads behind it
    Assert.Equal<int list>([ 1; 2 ], stuck (Map [ 1, abandoned; 2, before [ ledger, Some 1 ] ]))
    // thread 3 runs
    Assert.Empty(stuck (Map [ 1, before [ account, None; ledger, Some 3 ] ]))

let private thread (number: int) (managed: int) : LockHolders.LivingThread =
    { Thread = number; Managed = managed; Address = uint64 (managed * 4096) }

/// The main thread, and the one that waits.
let private main, private waiting = thread 100 1, thread 120 7

/// A moment with these threads besides, and those of the runtime itself.
let private moment (others: LockHolders.LivingThread list) : LockHolders.Living =
    let threads = main :: waiting :: others

    {
        Threads = threads
        Tasks = set (101 :: 102 :: [ for thread in threads -> thread.Thread ])
    }

let private managed = set [ main.Thread; waiting.Thread ]

let private address (managed: int) =
    LockHolders.HolderName.Address(uint64 (managed * 4096))

[<Fact>]
let ``a holder has ended if no thread has its number, of the runtime or of the system, and the list of threads is whole``
    ()
    =
    let hasEnded = LockHolders.hasEnded managed
    let alone = moment []
    // 9 is the runtime's, 130 the system's number
    let names =
        [ address 9; LockHolders.HolderName.Managed 9; LockHolders.HolderName.System 130 ]

    for name in names do
        Assert.True(hasEnded alone name)
        Assert.Equal(None, LockHolders.find alone.Threads name)
        let lives = moment [ thread 130 9 ]
        Assert.False(hasEnded lives name)
        Assert.Equal(Some 130, LockHolders.find lives.Threads name)
        // a list that lacks a thread which lives, and threads that are not known
        Assert.False(hasEnded { alone with Threads = [ main ] } name)
        Assert.False(hasEnded { alone with Tasks = Set.empty } name)
        // a thread that ran managed code before and has ended is in no list
        Assert.True(LockHolders.hasEnded (managed.Add 140) alone name)

    // the number of the other kind
    Assert.False(hasEnded alone (LockHolders.HolderName.System waiting.Managed))
    Assert.False(hasEnded alone (LockHolders.HolderName.Managed waiting.Thread))
    // a thread without managed code
    Assert.False(hasEnded alone (LockHolders.HolderName.System 101))

/// What is known after a thread waited at several moments for a lock at this address, with this holder, that was not found: the
/// threads of each moment were read after it.
let private known
    (moments: (uint64 * LockHolders.HolderName * LockHolders.Living) list)
    : Map<int, Deadlock> =
    // further ones are read if they differ
    let left = Collections.Generic.Queue(moments @ moments)

    MemoryReading.lasting
        (fun () ->
            let lock, holder, later = left.Dequeue()
            let abandoned = Option.get (LockHolders.behindAny [ None, None ])

            let wait: LockHolders.WaitAt = { Wait = abandoned; Lost = Set [ lock, holder ] }

            LockHolders.confirmed managed (fun () -> later) (Map [ waiting.Thread, wait ]))
        (fun before now -> if before = now then Some now else None)
    |> Map.map (fun _ wait -> wait.Wait)
    |> Deadlocks.stuck

[<Fact>]
let ``a thread is stuck at a lock if the same holder has ended at each moment, and not behind short-lived ones``
    ()
    =
    let alone = moment []

    let stuck (moments: (uint64 * LockHolders.HolderName * LockHolders.Living) list) =
        known moments |> Map.toList |> List.map fst

    Assert.Equal<int list>([ waiting.Thread ], stuck [ for _ in 1..3 -> 8UL, address 9, alone ])
    // each holds it for a moment, and has ended when the threads are read
    Assert.Empty(stuck [ for holder in 9..11 -> 8UL, address holder, alone ])
    Assert.Empty(stuck [ for holder in 130..132 -> 8UL, LockHolders.HolderName.System holder, alone ])
    // another lock of the same type each time
    Assert.Empty(stuck [ for lock in 8UL .. 8UL .. 24UL -> lock, address 9, alone ])
    // it began after the threads before were read
    Assert.Empty(stuck [ for _ in 1..3 -> 8UL, address 9, moment [ thread 130 9 ] ])

[<Fact>]
let ``a thread behind a holder that lives is known without another list of threads`` () =
    let wait: LockHolders.WaitAt =
        { Wait = Option.get (LockHolders.behindAny [ None, Some 130 ]); Lost = Set.empty }

    let waits = Map [ waiting.Thread, wait ]
    let notAsked () : LockHolders.Living = failwith "it was asked"
    Assert.Equal<Map<int, LockHolders.WaitAt>>(waits, LockHolders.confirmed managed notAsked waits)

[<Fact>]
let ``a resumed state machine is named by the frames, and its task by the type`` () =
    let box =
        framework "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1.MoveNext"

    let load = own "Shop.Prices+<Load>d__1`1.MoveNext" 3
    let stack = framework "System.Threading.Thread.Sleep" :: load :: box :: bottom
    Assert.Equal<string list>([ "<Load>d__1" ], ResumedTasks.machines stack)
    // begun by its caller, and an enumerator
    Assert.Empty(ResumedTasks.machines (load :: bottom))
    Assert.Empty(ResumedTasks.machines (box :: load :: bottom))
    // its completion has resumed the method that awaits it; a third one was begun
    let inner = own "Shop.Prices+<Read>d__2.MoveNext" 4
    let begun = own "Shop.Prices+<Save>d__3.MoveNext" 5

    Assert.Equal<string list>(
        [ "<Load>d__1"; "<Read>d__2" ],
        ResumedTasks.machines (begun :: load :: box :: inner :: box :: bottom)
    )

    let task (machine: string) =
        $"System.Runtime.CompilerServices.AsyncTaskMethodBuilder<System.Int32>+AsyncStateMachineBox<{machine}>"

    let isLoad (name: string) = ResumedTasks.isOf name "<Load>d__1"
    Assert.True(isLoad (task "Shop.Prices+<Load>d__1"))
    Assert.True(isLoad (task "Shop.Prices+<Load>d__1<System.Int32>"))
    Assert.False(isLoad (task "Shop.Prices+<Load>d__12"))
    Assert.False(isLoad (task "Shop.Prices+<<Load>d__1"))
    Assert.False(isLoad "System.Func<Shop.Prices+<Load>d__1>")

    let load, other = task "Shop.Prices+<Load>d__1", task "Shop.Prices+<Save>d__3"
    let find = ResumedTasks.find [ "<Load>d__1"; "<Read>d__2" ]
    let one, two = [| 1uy; 0uy |], [| 1uy; 1uy |]
    Assert.Equal<int list>([ 7 ], find [ other, one, 5; load, one, 7 ])
    // which of two is the thread's is not known
    Assert.Empty(find [ load, one, 7; other, one, 5; load, two, 8 ])

    Assert.Equal<int list>([ 9 ], find [ load, one, 7; task "Shop.Prices+<Read>d__2", one, 9; load, two, 8 ])

    // the collector has moved it: the waits for it may refer to either place
    Assert.Equal<int list>([ 7; 8 ], find [ load, one, 7; other, two, 5; load, Array.copy one, 8 ])

let private byPtrace (pid: int) : Diagnosis =
    Look.at { Look.usual with Ptrace = Some PtraceRoute.usualLimit } pid |> Judging.judge

/// What holds the workers of each program up, in which function, and how many.
let private expected (name: string) : WaitObject * string * int =
    match name with
    | "SchedulerDeadlock" ->
        // by the type of the scheduler, as a lock by that of its object
        WaitObject.Scheduler "System.Threading.Tasks.ConcurrentExclusiveSchedulerPair", "Accounts.Book", 1
    | "LockObjectDeadlock" -> WaitObject.Lock None, "Pallets.Carry", 2
    | "LockDeadlock" -> WaitObject.Lock(Some "Sick.Account"), "Transfers.Move", 2
    | "AbandonedLock" -> WaitObject.AbandonedLock(Some "Sick.Till"), "Shifts.Count", 1
    | "TaskDeadlock" -> WaitObject.Task, "Chapters.Follow", 2
    | other -> failwith $"{other} is no program whose workers wait for one another."

let private says (name: string) (examine: int -> Diagnosis) =
    let program = SickProgram.find name
    let what, function', workers = expected name

    let line =
        1
        + (IO.File.ReadAllLines program.File
           |> Array.findIndex _.EndsWith("// hangs", StringComparison.Ordinal))

    use running = RunningProgram.Start program

    let isRight (diagnosis: Diagnosis) =
        diagnosis.Verdict = Verdict.Hung && diagnosis.Waiters.Length = workers

    // as in the gallery
    let diagnosis = SickProgram.lookUntil isRight 2 (fun () -> examine running.Pid)

    Assert.Equal(Verdict.Hung, diagnosis.Verdict)
    Assert.Contains(function', diagnosis.Why)
    Assert.Equal(workers, diagnosis.Waiters.Length)
    let threads = diagnosis.Waiters |> List.map _.Thread |> set

    for waiter in diagnosis.Waiters do
        Assert.True(waiter.IsHung && waiter.IsWorker)
        Assert.Equal(function', waiter.Function)

        // for a lock of the type Lock the place may be the line before its statement
        if name <> "LockObjectDeadlock" then
            Assert.Equal(Some line, Option.map snd waiter.Place)

        let deadlock = Option.get waiter.Deadlock
        Assert.Equal(what, deadlock.WaitsFor)
        Assert.Subset(Collections.Generic.HashSet threads, Collections.Generic.HashSet deadlock.BlockedBy)

    diagnosis

let private saysThroughPort (name: string) =
    let diagnosis = says name SickProgram.examine
    let text = DiagnosisText.lines 200 diagnosis |> List.map snd |> String.concat "\n"
    Assert.StartsWith("HUNG", text)
    Assert.Contains("Threads that can never go on", text)
    Assert.Contains($"worker {diagnosis.Waiters.Head.Thread}", text)
    Assert.DoesNotContain("the pool is well", text)
    Assert.Empty(Json.problems (DiagnosisJson.write diagnosis))

[<Theory>]
[<InlineData "SchedulerDeadlock">]
[<InlineData "LockDeadlock">]
[<InlineData "TaskDeadlock">]
let ``workers that wait for one another are hung, with their lines and the objects that they wait for, through the port``
    (name: string)
    =
    saysThroughPort name

[<Theory; Trait("run", "more")>]
[<InlineData "AbandonedLock">]
[<InlineData "LockObjectDeadlock">]
let ``workers at a lock whose holder has ended, and at locks of the type Lock, are hung, through the port``
    (name: string)
    =
    saysThroughPort name

[<Theory; Trait("run", "more")>]
[<InlineData "SchedulerDeadlock">]
[<InlineData "LockDeadlock">]
[<InlineData "LockObjectDeadlock">]
[<InlineData "AbandonedLock">]
[<InlineData "TaskDeadlock">]
let ``workers that wait for one another are hung, with their lines and the objects that they wait for, by ptrace``
    (name: string)
    =
    says name byPtrace |> ignore

[<Fact>]
let ``consumers, a lock behind slow work and jobs behind a slow one are not hung, and threads that may hang are named``
    ()
    =
    use running = RunningProgram.Start(SickProgram.find "Consumers")
    let diagnosis = SickProgram.examine running.Pid
    Assert.Equal(Verdict.Healthy, diagnosis.Verdict)
    Assert.Empty diagnosis.Waiters
    Assert.True(diagnosis.Numbers.Blocked >= 4, $"{diagnosis.Numbers}")

    Assert.Contains(
        "nothing was completed meanwhile: unless it is meant to wait in Consumers.",
        diagnosis.Why
    )

[<Theory; Trait("run", "more")>]
[<InlineData("ReaderWriterDeadlock", "Routing.Find, Routing.Replace", 2)>]
[<InlineData("InitializerDeadlock", "Tariffs.OfTask", 4)>]
let ``a deadlock of readers and writers, and of static constructors, is found with all of its threads``
    (name: string, functions: string, threads: int)
    =
    use running = RunningProgram.Start(SickProgram.find name)

    let hung (diagnosis: Diagnosis) =
        diagnosis.Waiters |> List.filter _.IsHung

    let diagnosis =
        SickProgram.lookUntil (fun diagnosis -> (hung diagnosis).Length = threads) 2 (fun () ->
            SickProgram.examine running.Pid)

    Assert.Equal(Verdict.Hung, diagnosis.Verdict)
    Assert.Equal(threads, (hung diagnosis).Length)

    for function' in functions.Split ", " do
        Assert.Contains(hung diagnosis, (fun waiter -> waiter.Function = function'))

[<Fact; Trait("run", "more")>]
let ``a finalizer that waits for ever is hung, with its line`` () =
    use running = RunningProgram.Start(SickProgram.find "StuckFinalizer")

    let diagnosis = SickProgram.examine running.Pid

    Assert.Equal(Verdict.Hung, diagnosis.Verdict)
    let waiter = List.exactlyOne diagnosis.Waiters
    Assert.True waiter.IsFinalizer
    Assert.Equal("Handle.Close", waiter.Function)
