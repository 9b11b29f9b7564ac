// Under test: the debugger's way into a process. Stacks, lines, the count of the queue, and that the process goes on.
module Plait.Doctor.Tests.Ptrace

open System
open System.IO
open System.Threading
open Microsoft.Diagnostics.Runtime
open Xunit

open Plait.Doctor
open Plait.Doctor.Tests.Targets

let private source = "SleepInAsync.fs"

let private look (pid: int) : Evidence =
    PtraceRoute.look PtraceRoute.usualLimit (Processes.facts pid)

/// Every thread was stopped for no longer than it might be, or a note says that one was: a busy machine may take the processor from
/// the doctor while a thread is stopped. Each was read.
let private keepsTheLimit (evidence: Evidence) =
    let stops = Option.get evidence.Stops
    Assert.Equal(500.0, stops.LimitMilliseconds)
    Assert.InRange(stops.LongestMilliseconds, 0.001, 5000.0)

    Assert.Equal(
        stops.LongestMilliseconds > 500.0,
        evidence.Notes |> List.exists _.StartsWith("the longest stop was over the limit")
    )

    Assert.InRange(stops.TotalMilliseconds, stops.LongestMilliseconds, Double.MaxValue)
    Assert.True(stops.Threads > 0)

let private userFrames (evidence: Evidence) =
    evidence.Samples
    |> List.collect _.Frames
    |> List.filter (fun frame -> not frame.IsFramework)

[<Fact>]
let ``threads that are not taken in time are counted, and those before them are read`` () =
    let batches (times: int) =
        let left = ref times

        ThreadReading.inBatches
            (fun threads ->
                left.Value <- left.Value - 1

                if left.Value < 0 then
                    None
                else
                    Some(List.truncate 2 threads, List.skip (min 2 threads.Length) threads))
            (List.map string)
            [ 1..5 ]

    Assert.Equal((List.map string [ 1..5 ], 0), batches 3)
    Assert.Equal((List.map string [ 1..4 ], 1), batches 2)
    Assert.Equal((([]: string list), 5), batches 0)

[<Fact>]
let ``a note has the longest stop with its limit, the sum of all, and the numbers of threads without a stack by reason``
    ()
    =
    let stops =
        {
            LimitMilliseconds = 200.0
            LongestMilliseconds = 3.14
            TotalMilliseconds = 1250.0
            Threads = 900
            Unread = 0
        }

    Assert.Equal<string list>(
        [
            "900 threads were stopped, one at a time: the longest stop was 3.1 ms (limit for each thread 200 ms), all stops together 1250 ms; each thread gave one stack"
        ],
        PtraceRoute.stopNotes stops 0 0
    )

    let said = PtraceRoute.stopNotes { stops with LongestMilliseconds = 210.0 } 3 500
    Assert.Contains(said, fun (note: string) -> note.StartsWith "the longest stop was over the limit")
    Assert.Contains(said, fun (note: string) -> note.StartsWith "3 threads gave none")
    Assert.Contains(said, fun (note: string) -> note.StartsWith "500 threads were not read, because the time")

[<Fact>]
let ``a starved process with its diagnostics off is seen with stacks, lines and queue`` () =
    use target = sickWith [ "DOTNET_EnableDiagnostics", "0" ] "SleepInAsync"

    let sleepingIn (evidence: Evidence) =
        evidence.Samples
        |> List.filter (fun sample -> sample.Frames.Head.Method.StartsWith "System.Threading.Thread.Sleep")
        |> List.filter (fun sample -> WorkerStack.isWorker sample.Frames)

    // a worker may stand between two sleeps
    let evidence =
        SickProgram.lookUntil (fun evidence -> (sleepingIn evidence).Length >= 2) 11 (fun () ->
            look target.Pid)

    Assert.Equal(Route.Ptrace, evidence.Route)
    Assert.True(evidence.Milliseconds > 0.0)
    keepsTheLimit evidence

    Assert.Contains(
        evidence.Notes,
        fun note -> note.Contains "were stopped, one at a time: the longest stop was"
    )

    let sleeping = sleepingIn evidence
    Assert.True(sleeping.Length >= 2, $"{sleeping.Length} workers sleep")
    let line = (SickProgram.find "SleepInAsync").Blame.Value.Line.Value

    for sample in sleeping do
        let first = sample.Frames |> List.find (fun frame -> not frame.IsFramework)
        Assert.Equal("sick-fsharp", first.Module)
        Assert.StartsWith("Sick.Orders+work@", first.Method)
        Assert.EndsWith(".Invoke", first.Method)
        Assert.EndsWith(source, Option.get first.File)
        Assert.Equal(Some line, first.Line)

    let reading = List.last evidence.Readings
    // the counters tell how long it is: a test of its own
    Assert.All(
        evidence.Readings,
        fun reading -> Assert.True(reading.Queue > 0L, $"{reading.Queue} work items wait")
    )

    Assert.Equal(None, evidence.Readings.Head.CompletedPerSecond)
    Assert.All(evidence.Readings.Tail, fun reading -> Assert.True reading.CompletedPerSecond.IsSome)
    Assert.True(Option.get (Judging.judge evidence).Numbers.CompletedPerSecond > 0.0)
    Assert.True(reading.Threads >= sleeping.Length, $"{reading.Threads} threads, {sleeping.Length} sleep")
    Assert.InRange(Option.get reading.CpuPercent, 0.0, 100.0)
    target.GoesOn()

[<Fact>]
let ``the queue in memory is the queue of the counters`` () =
    use target = sick "SleepInAsync"
    use reader = PoolReader.Start(target.Pid, 200, TimeSpan.FromMinutes 1.0)
    Assert.True(reader.WaitForReadings(1, limit), "a first reading of the counters")
    let before = (List.last reader.Readings).Queue

    let counted = (List.last (look target.Pid).Readings).Queue

    let seen = reader.Readings.Length
    Assert.True(reader.WaitForReadings(seen + 1, limit), "a reading of the counters after the look")
    let after = (List.last reader.Readings).Queue

    // it falls by a few a second, and new rounds fill it
    Assert.InRange(counted, min before after - 50L, max before after + 50L)

[<Fact>]
let ``methods are named as the other route names them`` () =
    use target = sick "SleepInAsync"
    let facts = Processes.facts target.Pid
    let standing = look target.Pid
    let sampled = EventPipeRoute.look facts 600 100 limit

    let key (frame: Frame) =
        frame.Module, frame.Method, frame.File, frame.Line

    let workers (evidence: Evidence) =
        evidence.Samples
        |> List.filter (fun sample -> WorkerStack.isWorker sample.Frames)
        |> List.collect _.Frames
        |> List.map key
        |> set

    // all but the innermost, which the way of stopping decides, and what the pool does at one moment alone
    let isOfMoment (_, name: string, _, _) =
        name.StartsWith "System.Threading.Thread."
        || name.StartsWith "System.Threading.PortableThreadPool"
        || name.StartsWith "System.Threading.LowLevelLifoSemaphore"

    Assert.Empty(Set.difference (workers standing) (workers sampled) |> Set.filter (isOfMoment >> not))
    Assert.NotEmpty(userFrames standing)

[<Fact; Trait("run", "more")>]
let ``a process can be looked at many times, and goes on each time`` () =
    use target = sick "HealthyAsync"
    let facts = Processes.facts target.Pid

    for _ in 1..5 do
        let evidence = look target.Pid
        Assert.NotEmpty evidence.Samples
        target.GoesOn()

[<Theory>]
// more than are held at a time
[<InlineData(600)>]
[<InlineData(2000, Traits = [| "run"; "more" |])>]
let ``many threads, deep stacks and one that computes are read one at a time, within the limit``
    (count: int)
    =
    use running =
        RunningProgram.Start(SickProgram.find "ManyThreads", ("SICK_THREADS", string count))

    let evidence = look running.Pid
    keepsTheLimit evidence
    let stops = Option.get evidence.Stops
    Assert.True(stops.Threads >= count, $"{stops.Threads} threads were stopped")
    let threads = evidence.Samples |> List.map _.Thread |> List.distinct
    Assert.True(threads.Length >= 95 * count / 100, $"{threads.Length} threads gave a stack")

    let has (name: string) (sample: Sample) =
        sample.Frames |> List.exists (fun frame -> frame.Method.StartsWith name)

    // the walk ends at 2,000 frames
    let deep = evidence.Samples |> List.filter (has "Sick.ManyThreads.Deep")
    Assert.Equal(5, deep.Length)
    Assert.All(deep, fun sample -> Assert.True(sample.Frames.Length >= 1000, $"{sample.Frames.Length}"))
    let computing = evidence.Samples |> List.filter (has "Sick.ManyThreads.Compute")
    // where others have the processors, it may not come to stand in time
    Assert.InRange(computing.Length + stops.Unread, 1, 100)
    Assert.Equal(Verdict.Healthy, (Judging.judge evidence).Verdict)
    // nobody holds it any more
    let status = File.ReadAllText $"/proc/{running.Pid}/status"
    Assert.Contains("TracerPid:\t0", status)
    let before = running.Completed
    until "its pool completes work" (fun () -> running.Completed > before)

[<Fact>]
let ``a stopped process can be looked at`` () =
    use target = sick "SleepInAsync"
    stop target.Pid
    let evidence = look target.Pid
    Assert.Contains(userFrames evidence, fun frame -> frame.Method.StartsWith "Sick.Orders")
    signal "CONT" target.Pid
    target.GoesOn()

[<Fact>]
let ``computing threads of a stopped process are not called blocked`` () =
    use running = RunningProgram.Start(SickProgram.find "CpuBound")
    stop running.Pid
    let diagnosis = Judging.judge (look running.Pid)
    signal "CONT" running.Pid
    Assert.NotEqual(Verdict.Starved, diagnosis.Verdict)
    Assert.Empty diagnosis.BlockingLines

    Assert.Contains(
        diagnosis.Evidence.Notes,
        (fun note -> note.StartsWith "the process was stopped by a signal")
    )

[<Fact>]
let ``a stretch without samples counts a thread that stood still for the collector as standing`` () =
    let at (milliseconds: int) =
        DateTime(2026, 1, 1).AddMilliseconds milliseconds

    let seen = [ at 0, true; at 30, false; at 500, false ]
    Assert.True(PtraceRoute.stoodStill seen (at 5, at 6))
    Assert.False(PtraceRoute.stoodStill seen (at 40, at 41))
    Assert.True(PtraceRoute.stoodStill seen (at 200, at 300))
    Assert.False(PtraceRoute.stoodStill (List.tail seen) (at 200, at 300))

[<Fact>]
let ``threads that stand still for the garbage collector are not called blocked by a debugger's look`` () =
    use running = RunningProgram.Start(SickProgram.find "Collecting")
    let examine () = Judging.judge (look running.Pid)

    let isRight (diagnosis: Diagnosis) =
        diagnosis.Verdict <> Verdict.Starved && diagnosis.BlockingLines.IsEmpty

    // as in the gallery
    let diagnosis = SickProgram.lookUntil isRight 2 examine

    Assert.True(
        isRight diagnosis,
        $"{diagnosis.Why}\n%A{diagnosis.BlockingLines}\n{diagnosis.Evidence.Notes}"
    )

[<Fact>]
let ``reading a process that has ended gives no facts and no exception`` () =
    use target = sick "HealthyAsync"
    let pid = target.Pid
    use live = DataTarget.AttachToProcess(pid, suspend = false)
    let reader = SnapshotReader live.DataReader :> IDataReader
    let image = (Seq.head (live.DataReader.EnumerateModules())).ImageBase
    let bytes = Array.zeroCreate<byte> 4
    Assert.Equal(4, reader.Read(image, Span bytes))
    signal "KILL" pid
    until "the process is gone" (fun () -> isGone pid)
    Assert.Equal(0, reader.Read(image, Span bytes))
    Assert.Equal(0UL, (reader.ReadPointer image: uint64))
    // what a reader of its own would do
    Assert.Throws<InvalidOperationException>(fun () -> live.DataReader.Read(image, Span bytes) |> ignore)
    |> ignore

[<Fact>]
let ``a process under another tracer is refused, and the error names the tracer`` () =
    use target = sick "HealthyAsync"
    let facts = Processes.facts target.Pid
    use held = new ManualResetEventSlim()
    use over = new ManualResetEventSlim()

    // tracing belongs to the thread that began it
    let tracer =
        Thread(fun () ->
            use _traced = DataTarget.AttachToProcess(target.Pid, suspend = true)
            held.Set()
            over.Wait())

    tracer.Start()

    try
        Assert.True(held.Wait limit, "the first tracer")

        let refusal = Assert.Throws<CannotAttach>(fun () -> look target.Pid |> ignore)

        Assert.Contains($"traced by process {Environment.ProcessId}", refusal.Message)
    finally
        over.Set()
        tracer.Join()

    target.GoesOn()

[<Fact>]
let ``a child of this process is refused, for the sake of this process, and goes on`` () =
    use target = new Target([ "dotnet"; gallery; "HealthyAsync" ], [])
    target.Line "ready" |> ignore
    let refusal = Assert.Throws<CannotAttach>(fun () -> look target.Pid |> ignore)
    Assert.Contains("is a child of this process", refusal.Message)
    Assert.Contains($"'plait doctor {target.Pid} --ptrace'", refusal.Message)
    target.GoesOn()

[<Fact>]
let ``a process without .NET is refused for this reason`` () =
    use target = sleeper ()

    let refusal = Assert.Throws<CannotAttach>(fun () -> look target.Pid |> ignore)

    Assert.Contains("no .NET process", refusal.Message)

[<Fact>]
let ``a process whose threads have other numbers in its container is refused, and goes on`` () =
    Assert.SkipUnless(isRoot, "namespaces are made by root only")
    let target, pid = contained "HealthyAsync"
    use _ = target

    let refusal = Assert.Throws<CannotAttach>(fun () -> look pid |> ignore)

    Assert.Contains("inside that container", refusal.Message)
    target.GoesOn()
