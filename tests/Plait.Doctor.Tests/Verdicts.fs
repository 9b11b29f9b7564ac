// Under test: what the stacks and counters of a process say of its pool, and what the verdict carries.
module Plait.Doctor.Tests.Verdicts

open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.MadeEvidence

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
let ``a process counts as idle when no work waits, ends or computes at five readings in a row`` () =
    let still at = reading 0L 2.0 0.4 (1000 * at)
    let stills = List.map still [ 1..5 ]
    Assert.True(CounterJudging.isStill stills)
    Assert.True(CounterJudging.isStill (reading 900L 800.0 90.0 0 :: stills))
    Assert.False(CounterJudging.isStill stills.Tail)

    for other in
        [
            reading 1L 2.0 0.4 3000
            reading 0L 10.0 0.4 3000
            reading 0L 2.0 1.0 3000
            { still 3 with CompletedPerSecond = None }
        ] do
        for at in 0..4 do
            Assert.False(CounterJudging.isStill (List.updateAt at other stills), $"{other}")

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
    Assert.Empty diagnosis.BlockingLines

[<Fact>]
let ``beside others that take the processors it is CPU-bound by the processors that its workers want`` () =
    let beside waiting =
        Judging.judge
            { evidence (List.replicate 4 computing) (ticks 900L 8.0 12.0) with
                Threads = osThreads waiting 4
            }

    let bound = beside 0.1
    Assert.Equal(Verdict.CpuBound, bound.Verdict)

    Assert.Contains(
        "2 processors, of which the process gets 12 % during the look: other processes and the look itself use the rest, or a container limits it; more",
        bound.Why
    )

    // in between: their stacks say that they run, and nobody has measured it
    let late = beside 0.8
    Assert.Equal(Verdict.Late, late.Verdict)
    Assert.Contains("at 12 % CPU", late.Why)

[<Fact>]
let ``blocked workers that wait by the operating system starve the pool, also while other programs take the processors``
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
let ``an unknown CPU is neither high nor low`` () =
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
    Assert.Contains("compute on 8 processors; more threads would not help", (on 8 eight 96.0 Map.empty).Why)
    Assert.Contains("1 worker computes on 1 processor; more", (on 1 [ computing ] 96.0 Map.empty).Why)
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
let ``the cost is the wait of an item that is queued now`` () =
    let diagnosis = judged (List.replicate 4 sleeping) (ticks 240L 8.0 2.0)
    Assert.Equal(Some 30.0, diagnosis.Numbers.WaitSeconds)
    Assert.Contains("30.0 s", Option.get diagnosis.Cost)
    Assert.Equal(None, (judged [ idle ] (ticks 0L 8.0 2.0)).Cost)
    Assert.Contains("nothing at all", Option.get (judged [ sleeping ] (ticks 240L 0.0 2.0)).Cost)

[<Fact>]
let ``counters make a watch look only when work waits longer than a second, twice in a row`` () =
    let waits = reading 100L 10.0 2.0 0
    let flows = reading 100L 1000.0 2.0 0
    Assert.True(CounterJudging.isDue [ flows; waits; waits ])
    Assert.False(CounterJudging.isDue [ waits; flows ])
    Assert.False(CounterJudging.isDue [ waits ])
    Assert.False(CounterJudging.isDue [ waits; reading 0L 0.0 2.0 0 ])
    Assert.False(CounterJudging.isDue [])

[<Fact>]
let ``a queue that workers do not explain, because they were idle by then, is not healthy, and the sentence says so``
    ()
    =
    let diagnosis = judged (List.replicate 49 idle) (ticks 44L 20.0 2.0)
    Assert.Equal(Verdict.Late, diagnosis.Verdict)

    Assert.Equal(
        "44 work items wait, and 49 workers were idle when the stacks were read: this look does not explain it, and the work may come in bursts; look again, or with --watch",
        diagnosis.Why
    )

    // it is soon done
    Assert.Equal(Verdict.Healthy, (judged (List.replicate 49 idle) (ticks 44L 400.0 2.0)).Verdict)

[<Fact>]
let ``the sentence of a healthy pool has the length of a queue that is not empty, and says if it has grown``
    ()
    =
    let why (readings: PoolReading list) =
        let diagnosis = judged [ computing; idle ] readings
        Assert.Equal(Verdict.Healthy, diagnosis.Verdict)
        diagnosis.Why

    let at (queue: int64) (milliseconds: int) = reading queue 4000.0 60.0 milliseconds

    Assert.Equal("work is taken up as it comes", why [ at 900L 200; at 0L 400 ])

    Assert.Equal(
        "400 work items wait at the last reading, and each waits about 100 ms for a thread",
        why [ at 400L 200; at 400L 400 ]
    )

    Assert.Equal(
        "2,000 work items wait at the last reading (3 at the first); look again to see whether the queue grows",
        why [ at 3L 200; at 0L 400; at 2000L 600 ]
    )
